# opgen_add_library(<name>
#                   OPS <ops.yaml>
#                   [KERNELS <file>...]      further sources: what several kernels share
#                   [BACKENDS <key>...]      dispatch keys to compile kernels for; by default all that can be
#                   [ABI stable|classic]     refuse a declaration that has an operator for the other one
#                   [TORCH <folder>]         of the package `torch` or of libtorch; by default that of the interpreter
#                   [DESTINATION <folder>]   where `cmake --install` puts the package; by default the prefix itself
#                   [COMPONENT <component>]  of the installation; by default <name>
#                   [NO_INSTALL])
#
# opgen runs while CMake configures, so that all sources are known, and again in the build when ops.yaml, a file that it
# includes or opgen has changed. It writes into the build tree, and leaves files alone whose content stays. CMake configures
# again where the set of sources has changed; with generators other than Ninja, which can't find that out in the midst of a
# build, whenever ops.yaml has.
function(opgen_add_library)
  set(name "${ARGV0}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL" "OPS;ABI;TORCH;DESTINATION;COMPONENT" "KERNELS;BACKENDS")
  _opgen_check_arguments()
  _opgen_find_command(OPGEN_COMMAND) # where find_package(opgen) was called in another folder
  set(work "${CMAKE_CURRENT_BINARY_DIR}/${name}")

  _opgen_generate()
  _opgen_define_torch("${arg_TORCH}" "${OPGEN_torch}")
  _opgen_choose_binaries(binaries)
  set(targets)
  foreach(binary IN LISTS binaries)
    _opgen_add_binary("${name}${OPGEN_${binary}_suffix}" "${binary}")
    list(APPEND targets "${name}${OPGEN_${binary}_suffix}")
  endforeach()
  _opgen_copy_python()
  if(NOT TARGET ${name}) # all of its kernels are in Python, or for the classic ABI
    add_custom_target(${name} ALL)
    add_dependencies(${name} ${name}_generate ${targets})
  endif()
  if(NOT arg_NO_INSTALL)
    _opgen_install("${targets}")
  endif()
  set(${name}_TARGETS ${targets} PARENT_SCOPE)
  set(${name}_PACKAGE_DIR "${work}/generated" PARENT_SCOPE)
endfunction()

# What follows is called by the function above and sees its variables.

macro(_opgen_check_arguments)
  if("${name}" MATCHES "^(OPS|KERNELS|BACKENDS|ABI|TORCH|DESTINATION|COMPONENT|NO_INSTALL)?$")
    message(FATAL_ERROR "opgen_add_library: the name of the library is missing: opgen_add_library(signals OPS ops.yaml)")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "opgen_add_library: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "opgen_add_library: without a value: ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_OPS)
    message(FATAL_ERROR "opgen_add_library: OPS is missing, the declaration: opgen_add_library(${name} OPS ops.yaml)")
  endif()
  get_filename_component(ops "${arg_OPS}" ABSOLUTE)
  if(NOT EXISTS "${ops}" OR IS_DIRECTORY "${ops}")
    message(FATAL_ERROR "opgen_add_library: OPS names '${arg_OPS}', but there is no such file")
  endif()
  if(arg_ABI AND NOT arg_ABI MATCHES "^(stable|classic)$")
    message(FATAL_ERROR "opgen_add_library: ABI is '${arg_ABI}', expected stable or classic")
  endif()
  # CMake allows neither in what a step makes; Ninja reads them as ends of a name, and would build for ever.
  foreach(path IN ITEMS "${ops}" "${CMAKE_CURRENT_BINARY_DIR}")
    if(path MATCHES "[<>]")
      message(FATAL_ERROR "opgen_add_library: CMake and Ninja can't deal with < or > in a path: rename '${path}'")
    endif()
  endforeach()
  if(NOT CMAKE_CXX_COMPILER_LOADED)
    message(FATAL_ERROR "opgen_add_library: the project lacks the language CXX")
  endif()
endmacro()

# Generate now, and again in the build. The stamps are there for Make: they are newer than what they were made of, though the
# files that were left alone are older. Ninja looks at files again after a command (CMake says `restat`). There are two steps,
# since Ninja names all that a step makes where it fails: the second one brings back what somebody has removed.
macro(_opgen_generate)
  set(command ${OPGEN_COMMAND} emit "${work}" --file "${ops}")
  set(records --manifest "${work}/manifest.cmake" --stamp "${work}/stamp")
  file(MAKE_DIRECTORY "${work}")
  execute_process(COMMAND ${command} ${records} --color never RESULT_VARIABLE status OUTPUT_VARIABLE findings ERROR_VARIABLE notes)
  if(NOT "${findings}${notes}" STREQUAL "")
    message("${findings}${notes}")
  endif()
  if(NOT status EQUAL 0)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ops}") # look again when it is mended
    message(FATAL_ERROR "opgen_add_library: nothing can be generated from '${arg_OPS}'")
  endif()
  include("${work}/manifest.cmake")
  add_custom_command(
    OUTPUT "${work}/stamp"
    BYPRODUCTS "${work}/manifest.cmake"
    COMMAND ${command} ${records}
    DEPENDS "${ops}"
    DEPFILE "${work}/stamp.d"
    COMMENT "Generating ${name} from ${arg_OPS}"
    VERBATIM)
  add_custom_command(
    OUTPUT "${work}/complete"
    BYPRODUCTS ${OPGEN_outputs}
    COMMAND ${CMAKE_COMMAND} "-DWORK=${work}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/opgenComplete.cmake" -- ${command}
    DEPENDS "${work}/stamp"
    COMMENT "Looking at the sources of ${name}"
    VERBATIM)
  add_custom_target(${name}_generate DEPENDS "${work}/complete")
  if(CMAKE_GENERATOR MATCHES "Ninja")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${work}/manifest.cmake")
  else()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${work}/manifest.cmake" ${OPGEN_inputs})
  endif()
endmacro()

# Set <out> to the binaries that can be compiled, and refuse what was asked for and can't be.
macro(_opgen_choose_binaries out)
  set(declared)
  set(${out})
  foreach(binary IN LISTS OPGEN_binaries)
    if(arg_ABI AND NOT OPGEN_${binary}_suffix STREQUAL "_define" AND NOT OPGEN_${binary}_abi STREQUAL arg_ABI)
      message(FATAL_ERROR
        "opgen_add_library: ABI is ${arg_ABI}, but '${arg_OPS}' has operators with `abi: ${OPGEN_${binary}_abi}`")
    endif()
    list(APPEND declared ${OPGEN_${binary}_keys})
    if(NOT OPGEN_${binary}_language STREQUAL "CUDA")
      list(APPEND ${out} "${binary}")
    elseif(CMAKE_CUDA_COMPILER_LOADED)
      if(NOT arg_BACKENDS OR "CUDA" IN_LIST arg_BACKENDS)
        list(APPEND ${out} "${binary}")
      endif()
    elseif("CUDA" IN_LIST arg_BACKENDS)
      message(FATAL_ERROR "opgen_add_library: BACKENDS names CUDA, but the project lacks the language CUDA")
    else()
      message(STATUS "opgen: ${name} is built without its CUDA kernels: the project lacks the language CUDA")
    endif()
  endforeach()
  foreach(key IN LISTS arg_BACKENDS)
    if(NOT key IN_LIST declared)
      message(FATAL_ERROR "opgen_add_library: BACKENDS names ${key}, but '${arg_OPS}' has no kernel to compile for it")
    endif()
  endforeach()
endmacro()

macro(_opgen_add_binary target binary)
  set(units)
  foreach(key IN LISTS OPGEN_${binary}_keys)
    if(NOT arg_BACKENDS OR key IN_LIST arg_BACKENDS OR key MATCHES "^(ALL$|Composite)")
      list(APPEND units ${OPGEN_${binary}_units_${key}})
    endif()
  endforeach()
  get_target_property(torch_version_file opgen::torch OPGEN_TORCH_VERSION_FILE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${torch_version_file}")
  # Headers of the system are not followed, so a new PyTorch at the same place is noticed by this file.
  set_source_files_properties(${units} PROPERTIES GENERATED TRUE OBJECT_DEPENDS "${torch_version_file}")
  # The hash of all schemas is a file, since Make compiles everything again where a macro on a command line changes.
  set_source_files_properties(${OPGEN_${binary}_units_ALL} PROPERTIES COMPILE_OPTIONS "-include;${OPGEN_schema_hash}")

  add_library(${target} MODULE ${units})
  foreach(source IN LISTS arg_KERNELS)
    if(NOT "${OPGEN_${binary}_suffix}" STREQUAL "_define" AND (NOT source MATCHES "\\.cu$" OR "${OPGEN_${binary}_language}" STREQUAL "CUDA"))
      target_sources(${target} PRIVATE "${source}")
    endif()
  endforeach()
  add_dependencies(${target} ${name}_generate)
  # The package opens the library, by this name, in a process that has loaded PyTorch: no path to it is stored.
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "${binary}" SUFFIX "${CMAKE_SHARED_LIBRARY_SUFFIX}" DEBUG_POSTFIX ""
    LIBRARY_OUTPUT_DIRECTORY "${OPGEN_folder}" # in a folder below it where a generator knows several configurations
    BUILD_WITH_INSTALL_RPATH TRUE INSTALL_RPATH_USE_LINK_PATH FALSE
    UNITY_BUILD FALSE # a unit is made of an author's file, whose helpers have names as in any other
    CXX_SCAN_FOR_MODULES FALSE # none are used, and not every compiler comes with the program that looks for them
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
  target_link_libraries(${target} PRIVATE opgen::torch)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_include_directories(${target} PRIVATE "${OPGEN_include}")
  if("${OPGEN_${binary}_abi}" STREQUAL "classic")
    _opgen_use_classic_abi(${target})
  else()
    target_compile_definitions(${target} PRIVATE TORCH_TARGET_VERSION=${OPGEN_target_version})
  endif()
  if("${OPGEN_${binary}_language}" STREQUAL "CUDA")
    _opgen_use_cuda(${target})
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
    _opgen_leave_out_folders(${target})
    # g++ vectorises no loop with a choice or a square root in it unless errno and traps of floating-point operations may be
    # forgotten, as PyTorch builds itself. No value changes.
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno;-fno-trapping-math;-iquote${OPGEN_root}>")
    # With no build type, and nothing said in CXXFLAGS, kernels would not be optimised at all.
    if(NOT CMAKE_CXX_FLAGS MATCHES "(^| )-O")
      target_compile_options(${target} PRIVATE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:>>:-O3>")
    endif()
  else()
    target_include_directories(${target} PRIVATE "${OPGEN_root}")
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE "LINKER:-z,defs") # an undefined symbol is an error now, not at import
  endif()
endmacro()

# Sentences of checks name the file that they stand in: a binary must not differ by where PyTorch, kernels and what is generated
# are. Behind a symbolic link g++ names headers by where they really are, if that is shorter. The last map that fits counts.
function(_opgen_leave_out_folders target)
  get_target_property(folder opgen::torch OPGEN_TORCH_FOLDER)
  file(REAL_PATH "${folder}/include" headers)
  foreach(folder IN ITEMS "${OPGEN_root}" "${work}" "${headers}" "${folder}/include")
    set(option "-fmacro-prefix-map=${folder}/=")
    string(REPLACE "," "\\," for_host "${option}") # nvcc would split it there
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:${option}>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${for_host}>")
  endforeach()
endfunction()

function(_opgen_use_classic_abi target)
  get_target_property(folder opgen::torch OPGEN_TORCH_FOLDER)
  _opgen_find_library(c10 c10 "${folder}")
  if(NOT c10)
    message(FATAL_ERROR "opgen_add_library: there is no libc10 in '${folder}/lib'")
  endif()
  target_link_libraries(${target} PRIVATE "${c10}")
  # torch.utils.cpp_extension compiles with C++20 from 2.13 on; the headers of 2.14 can't be read as C++17.
  get_target_property(version opgen::torch OPGEN_TORCH_VERSION)
  if(version VERSION_GREATER_EQUAL 2.13)
    target_compile_features(${target} PRIVATE cxx_std_20)
  endif()
  # libstdc++ has two ABIs; the one that PyTorch was built with shows in its symbols.
  file(STRINGS "${c10}" newer REGEX "__cxx11" LIMIT_COUNT 1)
  if(newer)
    target_compile_definitions(${target} PRIVATE _GLIBCXX_USE_CXX11_ABI=1)
  else()
    target_compile_definitions(${target} PRIVATE _GLIBCXX_USE_CXX11_ABI=0)
  endif()
endfunction()

function(_opgen_use_cuda target)
  get_target_property(folder opgen::torch OPGEN_TORCH_FOLDER)
  _opgen_find_library(torch_cuda torch_cuda "${folder}")
  if(torch_cuda)
    target_link_libraries(${target} PRIVATE "${torch_cuda}")
  else()
    _opgen_define_torch_cuda_stub("${folder}")
    target_link_libraries(${target} PRIVATE opgen_torch_cuda_stub)
  endif()
  target_compile_features(${target} PRIVATE cuda_std_17)
  target_compile_definitions(${target} PRIVATE USE_CUDA) # the stable ABI declares its functions about streams only then
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--expt-extended-lambda;-I${OPGEN_root}>")
  # PyTorch has loaded a CUDA runtime; a second one, linked statically, would know nothing of its streams.
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
endfunction()

# Kernels in Python stand beside the declaration, and in the package as copies.
macro(_opgen_copy_python)
  foreach(place IN LISTS OPGEN_python_places)
    set(copies)
    set(sources)
    foreach(source IN LISTS OPGEN_python_${place})
      get_filename_component(file "${source}" NAME)
      if(NOT source STREQUAL "${work}/generated/${place}/${file}")
        list(APPEND sources "${source}")
        list(APPEND copies "${work}/generated/${place}/${file}")
      endif()
    endforeach()
    if(sources)
      string(MAKE_C_IDENTIFIER "${place}" identifier)
      add_custom_command(
        OUTPUT ${copies}
        COMMAND ${CMAKE_COMMAND} -E make_directory "${work}/generated/${place}"
        COMMAND ${CMAKE_COMMAND} -E copy ${sources} "${work}/generated/${place}"
        DEPENDS ${sources}
        COMMENT "Copying Python kernels of ${name}"
        VERBATIM)
      add_custom_target(${name}_${identifier} ALL DEPENDS ${copies})
      add_dependencies(${name}_${identifier} ${name}_generate)
    endif()
  endforeach()
endmacro()

macro(_opgen_install targets)
  if(NOT arg_DESTINATION)
    set(arg_DESTINATION .)
  endif()
  if(NOT arg_COMPONENT)
    set(arg_COMPONENT ${name})
  endif()
  foreach(target IN ITEMS ${targets})
    cmake_path(SET destination NORMALIZE "${arg_DESTINATION}/${OPGEN_place}")
    install(TARGETS ${target} LIBRARY DESTINATION "${destination}" COMPONENT ${arg_COMPONENT})
  endforeach()
  foreach(place IN LISTS OPGEN_python_places)
    cmake_path(SET destination NORMALIZE "${arg_DESTINATION}/${place}")
    install(FILES ${OPGEN_python_${place}} DESTINATION "${destination}" COMPONENT ${arg_COMPONENT})
  endforeach()
endmacro()
