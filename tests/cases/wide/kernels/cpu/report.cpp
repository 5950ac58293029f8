#include <acme/wide/kernels/report.h>

#include <cstdlib>
#include <fstream>

namespace wide::cpu {

void report(const Tensor& /*x*/, const std::string& label) {
  if (const char* file = std::getenv("WIDE_REPORT")) std::ofstream(file, std::ios::app) << label << '\n';
}

}  // namespace wide::cpu
