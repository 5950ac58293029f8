# Which PyTorch is compiled against. Its own CMake package is not needed, and neither is an import of torch: the stable ABI
# takes headers and libtorch_cpu alone, and the classic one libc10 beside them.

# Define the imported target opgen::torch, once a project.
#
#   folder    of the package `torch`, or of libtorch; empty: that of the interpreter, or what find_package(Torch) has found
#   required  the oldest PyTorch that may be used, "2.10"
function(_opgen_define_torch folder required)
  if(NOT folder)
    _opgen_find_torch(folder)
  endif()
  get_filename_component(folder "${folder}" ABSOLUTE)
  if(TARGET opgen::torch)
    get_target_property(earlier opgen::torch OPGEN_TORCH_FOLDER)
    if(NOT earlier STREQUAL folder)
      message(FATAL_ERROR "opgen_add_library: TORCH is '${folder}', but another library of this project uses '${earlier}'")
    endif()
  else()
    _opgen_read_torch_version("${folder}" version version_file)
    _opgen_find_library(library torch_cpu "${folder}")
    if(NOT library)
      message(FATAL_ERROR "opgen_add_library: there is no libtorch_cpu in '${folder}/lib'")
    endif()
    message(STATUS "opgen: PyTorch ${version} (${folder})")
    add_library(opgen::torch INTERFACE IMPORTED GLOBAL)
    target_include_directories(opgen::torch INTERFACE "${folder}/include")
    target_link_libraries(opgen::torch INTERFACE "${library}")
    set_target_properties(opgen::torch PROPERTIES
      OPGEN_TORCH_FOLDER "${folder}" OPGEN_TORCH_VERSION "${version}" OPGEN_TORCH_VERSION_FILE "${version_file}")
  endif()
  get_target_property(version opgen::torch OPGEN_TORCH_VERSION)
  if(version VERSION_LESS required)
    message(FATAL_ERROR
      "opgen_add_library: ops.yaml asks for torch ${required}, but ${version} was found in '${folder}'; "
      "install a newer PyTorch, or lower `torch:`")
  endif()
endfunction()

# Set <out> to the folder of the PyTorch that the interpreter would import.
function(_opgen_find_torch out)
  set(python "${Python_EXECUTABLE}")
  if(NOT python)
    set(python "${Python3_EXECUTABLE}")
  endif()
  if(NOT python)
    find_program(_opgen_python NAMES python3 python NO_CACHE)
    set(python "${_opgen_python}")
  endif()
  set(script "import importlib.util as u, os; s = u.find_spec('torch'); print(os.path.dirname(s.origin) if s and s.origin else '')")
  execute_process(COMMAND "${python}" -c "${script}" OUTPUT_VARIABLE folder ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(TORCH_INSTALL_PREFIX) # find_package(Torch)
    get_filename_component(prefix "${TORCH_INSTALL_PREFIX}" REALPATH)
    if(folder)
      get_filename_component(imported "${folder}" REALPATH)
      if(NOT imported STREQUAL prefix)
        message(FATAL_ERROR
          "opgen_add_library: find_package(Torch) has found '${prefix}', but '${python}' imports '${imported}': a library "
          "compiled with the one would be loaded by the other; name the right one by TORCH")
      endif()
    endif()
    set(folder "${TORCH_INSTALL_PREFIX}")
  endif()
  if(NOT folder)
    message(FATAL_ERROR
      "opgen_add_library: torch is not installed for '${python}'; install it, call find_package(Python) for another "
      "interpreter, or name the folder of libtorch by TORCH")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Set <out> to a library of a PyTorch, or to a text that is false. It is none of the system's, even where a toolchain file has a
# root for those. CMake looks for nothing where the variable has a value, as `library` may in a project; so it has a name of ours.
function(_opgen_find_library out name folder)
  find_library(_opgen_library ${name} PATHS "${folder}/lib" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
  set(${out} "${_opgen_library}" PARENT_SCOPE)
endfunction()

# Define the target opgen_torch_cuda_stub, once a project: it is linked with where a PyTorch has no CUDA. The stable ABI needs no more,
# as its headers declare the functions about streams and guards in every PyTorch; when the binary is opened, the library of this name
# that has been loaded by then is taken. CUDA's own stubs/libcuda.so stands in for the driver so.
function(_opgen_define_torch_cuda_stub folder)
  if(TARGET opgen_torch_cuda_stub)
    return()
  endif()
  set(functions)
  foreach(header IN ITEMS inductor/aoti_torch/c/shim.h stable/c/shim.h)
    if(EXISTS "${folder}/include/torch/csrc/${header}") # an older PyTorch has fewer
      file(READ "${folder}/include/torch/csrc/${header}" text)
      string(REGEX MATCHALL "(aoti_torch|torch)_[A-Za-z0-9_]*cuda_[A-Za-z0-9_]*\\(" found "${text}")
      list(APPEND functions ${found})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES functions)
  list(TRANSFORM functions REPLACE "(.+)\\(" "extern \"C\" void \\1() {}\n" OUTPUT_VARIABLE lines)
  list(JOIN lines "" text)
  set(source "${CMAKE_BINARY_DIR}/opgen/torch_cuda_stub.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY) # it is left alone where it says so already
  add_library(opgen_torch_cuda_stub SHARED "${source}")
  set_target_properties(opgen_torch_cuda_stub PROPERTIES
    OUTPUT_NAME torch_cuda LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/opgen" DEBUG_POSTFIX "")
  get_target_property(version opgen::torch OPGEN_TORCH_VERSION)
  message(STATUS "opgen: PyTorch ${version} has no CUDA, so CUDA kernels are linked with a stub of its library")
endfunction()

# Set <version> to a number such as "2.13.0", and <file> to the file that every installation rewrites.
function(_opgen_read_torch_version folder version file)
  foreach(name IN ITEMS version.py build-version) # of the package, of libtorch
    if(EXISTS "${folder}/${name}")
      file(STRINGS "${folder}/${name}" lines REGEX "^(__version__ = ['\"])?[0-9]+\\.[0-9]+")
      if(lines MATCHES "([0-9]+\\.[0-9]+(\\.[0-9]+)?)")
        set(${version} "${CMAKE_MATCH_1}" PARENT_SCOPE)
        set(${file} "${folder}/${name}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  message(FATAL_ERROR "opgen_add_library: '${folder}' is no folder of PyTorch: it has neither version.py nor build-version")
endfunction()
