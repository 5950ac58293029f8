#pragma once

namespace colours {

/// What Rec. 709 sees of a pixel; `common/brightness.cpp` defines it once for all kernels.
float brightness(float red, float green, float blue);

}  // namespace colours
