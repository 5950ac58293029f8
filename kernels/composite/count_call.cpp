#include <nimble_ops/count_call.h>

#include "call_counters.h"

namespace nimble::composite {

void count_call(const std::string& name) {
  CallCounters::of_process().count(name);
}

}  // namespace nimble::composite
