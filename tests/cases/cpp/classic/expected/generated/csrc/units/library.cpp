// Facts about the whole library, in a unit of their own, so that a changed operator recompiles nothing else.
#ifndef OPGEN_SCHEMA_HASH
#error "define OPGEN_SCHEMA_HASH as the hash of the library's schemas, a string: the Python package compares it"
#endif

#define OPGEN_EXPORT extern "C" __attribute__((visibility("default")))

#define OPGEN_RECORD "opgen: kernels for schemas "

// What `opgen audit` finds in the binary; the function below uses it, so no linker drops it.
static const char kRecord[] = OPGEN_RECORD OPGEN_SCHEMA_HASH;

/// The hash of the schemas that this binary was built for.
OPGEN_EXPORT const char* cpp_classic_ops_schema_hash() {
  return kRecord + sizeof(OPGEN_RECORD) - 1;
}
