// Which fault the kernels are to have.
#pragma once

#include <cstdlib>
#include <string_view>

namespace faulty::cpu {

inline bool has(std::string_view fault) {
  const char* wanted = std::getenv("FAULT");
  return wanted != nullptr && wanted == fault;
}

}  // namespace faulty::cpu
