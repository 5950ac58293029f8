# Which opgen is run: the one that these files belong to, since both have to be of one version.

# Set <out> to a command line, or to nothing. The program stands in the environment that the package was installed into;
# where it doesn't (`pip install --target`), an interpreter runs the package itself.
function(_opgen_find_command out)
  if(${out})
    return()
  endif()
  if(OPGEN_EXECUTABLE AND NOT EXISTS "${OPGEN_EXECUTABLE}")
    unset(OPGEN_EXECUTABLE CACHE) # an isolated build environment that has gone
  endif()
  get_filename_component(site "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  find_program(OPGEN_EXECUTABLE opgen HINTS "${site}/bin" "${site}/../../../bin" "${site}/../../Scripts")
  mark_as_advanced(OPGEN_EXECUTABLE)
  set(command "${OPGEN_EXECUTABLE}")
  _opgen_is_ours(is_ours ${command})
  foreach(python IN ITEMS "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}" python3)
    if(python AND NOT is_ours)
      set(command "${CMAKE_COMMAND}" -E env "PYTHONPATH=${site}" "${python}" -m opgen)
      _opgen_is_ours(is_ours ${command})
    endif()
  endforeach()
  if(is_ours)
    set(${out} ${command} PARENT_SCOPE)
  endif()
endfunction()

# Set <out> to whether a command line runs the opgen of this folder.
function(_opgen_is_ours out)
  set(${out} FALSE PARENT_SCOPE)
  execute_process(COMMAND ${ARGN} --cmake-dir OUTPUT_VARIABLE folder ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(folder)
    file(REAL_PATH "${folder}" folder)
    file(REAL_PATH "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" ours)
    if(folder STREQUAL ours)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()
