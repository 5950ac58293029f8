// Facts about the whole library, in a unit of their own, so that a changed operator recompiles nothing else.
#include <torch/headeronly/version.h>

#ifndef OPGEN_SCHEMA_HASH
#error "define OPGEN_SCHEMA_HASH as the hash of the library's schemas, a string: the Python package compares it"
#endif

#define OPGEN_EXPORT extern "C" __attribute__((visibility("default")))
#define OPGEN_TEXT(macro) OPGEN_QUOTE(macro)
#define OPGEN_QUOTE(text) #text

#define OPGEN_RECORD "opgen: kernels for schemas "

// What `opgen audit` finds in the binary; the function below uses it, so no linker drops it.
static const char kRecord[] = OPGEN_RECORD OPGEN_SCHEMA_HASH;

/// The hash of the schemas that this binary was built for.
OPGEN_EXPORT const char* cpp_classic_ops_schema_hash() {
  return kRecord + sizeof(OPGEN_RECORD) - 1;
}

/// The torch that this binary was built with, the only release that it loads on. The Python package looks for this text in
/// the file: to open it with another torch could end the process.
OPGEN_EXPORT const char cpp_classic_ops_built_with[] =
    "opgen: built with torch " OPGEN_TEXT(TORCH_VERSION_MAJOR) "." OPGEN_TEXT(TORCH_VERSION_MINOR) ";";
