# A step of the build: cmake -DWORK=<folder> -P opgenComplete.cmake -- <command>...
#
# Run the command if one of the files is missing that <folder>/manifest.cmake names, and touch <folder>/complete.
include("${WORK}/manifest.cmake")
foreach(file IN LISTS OPGEN_outputs)
  if(NOT EXISTS "${file}")
    set(command)
    math(EXPR last "${CMAKE_ARGC} - 1")
    foreach(index RANGE ${last})
      list(APPEND command "${CMAKE_ARGV${index}}")
    endforeach()
    list(FIND command "--" separator)
    math(EXPR first "${separator} + 1")
    list(SUBLIST command ${first} -1 command)
    execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
    break()
  endif()
endforeach()
file(TOUCH "${WORK}/complete")
