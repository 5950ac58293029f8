#include <cpp_classic_ops/counted.h>

namespace cpp_classic::composite {

Dict<std::string, int64_t> counted(const std::vector<std::string>& words) {
  Dict<std::string, int64_t> counts;
  for (const std::string& word : words) counts.insert_or_assign(word, counts.contains(word) ? counts.at(word) + 1 : 1);
  return counts;
}

}  // namespace cpp_classic::composite
