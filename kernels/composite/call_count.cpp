#include <nimble_ops/call_count.h>

#include "call_counters.h"

namespace nimble::composite {

int64_t call_count(const std::string& name) {
  return CallCounters::of_process().count_of(name);
}

}  // namespace nimble::composite
