# find_package(opgen) defines opgen_add_library(), which compiles and installs the library that an ops.yaml declares:
#
#   find_package(opgen REQUIRED)
#   opgen_add_library(acme OPS ops.yaml)
#
# See docs/build-systems.md, "CMake". Variables that a project or a user may set before:
#
#   OPGEN_COMMAND   the command line of opgen (a list); by default the one that this package came with
#   Python_EXECUTABLE, Python3_EXECUTABLE
#                   the interpreter whose PyTorch is compiled against; find_package(Python) sets it
#
# and what is there afterwards:
#
#   opgen::torch    an imported target, made by the first opgen_add_library(): PyTorch's headers and libtorch_cpu
#   <name>          the shared library of each opgen_add_library(<name> ...), and <name>_cuda, <name>_classic,
#                   <name>_define where the declaration asks for them: ordinary targets, to be changed as any other
#   <name>_TARGETS  all of those
#   <name>_PACKAGE_DIR
#                   the folder in the build tree from which the Python package can be imported

if(CMAKE_VERSION VERSION_LESS 3.22)
  set(opgen_FOUND FALSE)
  set(opgen_NOT_FOUND_MESSAGE "opgen needs CMake 3.22, this is ${CMAKE_VERSION}")
  return()
endif()

cmake_policy(VERSION 3.22...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/opgenCommand.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/opgenTorch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/opgenLibrary.cmake")

_opgen_find_command(OPGEN_COMMAND)
if(NOT OPGEN_COMMAND)
  set(opgen_FOUND FALSE)
  set(opgen_NOT_FOUND_MESSAGE
      "the program 'opgen' of ${CMAKE_CURRENT_LIST_DIR} was not found; set OPGEN_COMMAND, e.g. to \"<python>;-m;opgen\"")
endif()
