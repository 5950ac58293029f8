// For kernels that may be given an output that is their input.
#pragma once

namespace nimble::cpu {

/// Calls `f(in)`, or `f(out)` where both are one: only where they see that one pointer is meant, do compilers vectorise
/// a loop that writes what it reads.
template <class T, class F>
void reading(const T* in, T* out, const F& f) {
  in == out ? f(out) : f(in);
}

}  // namespace nimble::cpu
