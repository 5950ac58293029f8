#include "brightness.h"

namespace colours {

float brightness(float red, float green, float blue) {
  return 0.2126F * red + 0.7152F * green + 0.0722F * blue;
}

}  // namespace colours
