// Counters of the process, by name.
#pragma once

#include <nimble_ops/support.h>

#include <map>
#include <mutex>

namespace nimble::composite {

class CallCounters {
 public:
  /// The counters of the process: never destroyed, so that threads may still count while it ends.
  static CallCounters& of_process() {
    static auto* counters = new CallCounters;
    return *counters;
  }

  void count(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++counts_[name];
  }

  int64_t count_of(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = counts_.find(name);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int64_t> counts_;
};

}  // namespace nimble::composite
