// Schemas and registrations, by hand.
#include <torch/csrc/stable/library.h>

#include "kernels.h"

namespace wave {

Tensor gain_and_return(Tensor x, double by) {
  gain_in_place(x, by);
  return x;
}

}  // namespace wave

STABLE_TORCH_LIBRARY(wave, m) {
  m.def("gain(Tensor x, float by) -> Tensor");
  m.def("mix(Tensor x, Tensor y, float balance=0.5) -> Tensor");
  m.def("clip(Tensor x, float limit=1.0) -> Tensor");
  m.def("gain_(Tensor(a!) x, float by) -> Tensor(a!)");
  m.def("accumulate(Tensor! sum, Tensor x) -> ()");
  m.def("rms(Tensor x) -> Tensor");
  m.def("peak(Tensor x) -> Tensor");
  m.def("decimate(Tensor x, SymInt step) -> Tensor");
  m.def("histogram(Tensor x, SymInt bins, float low, float high) -> Tensor");
  m.def("crossings(Tensor x) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(wave, CPU, m) {
  m.impl("gain", TORCH_BOX(&wave::gain));
  m.impl("mix", TORCH_BOX(&wave::mix));
  m.impl("clip", TORCH_BOX(&wave::clip));
  m.impl("gain_", TORCH_BOX(&wave::gain_and_return));
  m.impl("accumulate", TORCH_BOX(&wave::accumulate));
  m.impl("rms", TORCH_BOX(&wave::rms));
  m.impl("peak", TORCH_BOX(&wave::peak));
  m.impl("decimate", TORCH_BOX(&wave::decimate));
  m.impl("histogram", TORCH_BOX(&wave::histogram));
  m.impl("crossings", TORCH_BOX(&wave::crossings));
}
