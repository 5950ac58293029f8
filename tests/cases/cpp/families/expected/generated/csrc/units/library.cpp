// Facts about the whole library, in a unit of their own, so that a changed operator recompiles nothing else.
#include <torch/csrc/stable/version.h>

#include <cstdint>

#ifndef OPGEN_SCHEMA_HASH
#error "define OPGEN_SCHEMA_HASH as the hash of the library's schemas, a string: the Python package compares it"
#endif

#define OPGEN_EXPORT extern "C" __attribute__((visibility("default")))

// What `opgen audit` finds in the binary.
[[gnu::used]] static const char kRecord[] = "opgen: kernels for schemas " OPGEN_SCHEMA_HASH;

/// The hash of the schemas that this binary was built for.
OPGEN_EXPORT const char* kin_ops_schema_hash() {
  return OPGEN_SCHEMA_HASH;
}

/// The oldest torch that this binary loads on, as `TORCH_TARGET_VERSION` spells it.
OPGEN_EXPORT uint64_t kin_ops_torch_target() {
  return TORCH_FEATURE_VERSION;
}
