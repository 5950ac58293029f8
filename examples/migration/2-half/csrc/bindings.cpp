// Schemas and registrations, by hand: those that are left. FRAGMENT, since the namespace has two owners now.
#include <torch/csrc/stable/library.h>

#include "kernels.h"

STABLE_TORCH_LIBRARY_FRAGMENT(wave, m) {
  m.def("mix(Tensor x, Tensor y, float balance=0.5) -> Tensor");
  m.def("clip(Tensor x, float limit=1.0) -> Tensor");
  m.def("rms(Tensor x) -> Tensor");
  m.def("peak(Tensor x) -> Tensor");
  m.def("histogram(Tensor x, SymInt bins, float low, float high) -> Tensor");
  m.def("crossings(Tensor x) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(wave, CPU, m) {
  m.impl("mix", TORCH_BOX(&wave::mix));
  m.impl("clip", TORCH_BOX(&wave::clip));
  m.impl("rms", TORCH_BOX(&wave::rms));
  m.impl("peak", TORCH_BOX(&wave::peak));
  m.impl("histogram", TORCH_BOX(&wave::histogram));
  m.impl("crossings", TORCH_BOX(&wave::crossings));
}
