# The headers of NVTX (nvtx3) for libs/foundation/ranges alone: there is nothing to link. A build without them shows no ranges to nsys
# and ncu, and is the same in all else.
#
# Searched in this order: -DBATCHSCOPE_NVTX_INCLUDE_DIR (the folder that holds nvtx3/; OFF: without), the wheel nvidia-nvtx
# in the Python of the build, in .venv, or that of the python3 found in PATH, then a CUDA toolkit.

# The wheels of CUDA 12 and 13 have their headers in different folders.
function(batchscope_ask_python_for_nvtx python out)
  set(${out} "" PARENT_SCOPE)
  if(python AND EXISTS ${python})
    execute_process(
      COMMAND ${python} -c "import importlib.util as u; print(';'.join(u.find_spec('nvidia').submodule_search_locations))"
      OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0)
      list(TRANSFORM folders APPEND /cu13/include OUTPUT_VARIABLE of_13)
      list(TRANSFORM folders APPEND /nvtx/include OUTPUT_VARIABLE of_12)
      set(${out} ${of_13} ${of_12} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# That of a wheel's build lies in an environment that the next build does not have.
if(BATCHSCOPE_NVTX_INCLUDE_DIR AND NOT EXISTS ${BATCHSCOPE_NVTX_INCLUDE_DIR}/nvtx3/nvToolsExt.h)
  unset(BATCHSCOPE_NVTX_INCLUDE_DIR CACHE)
endif()
if(NOT BATCHSCOPE_NVTX_INCLUDE_DIR)
  find_program(BATCHSCOPE_PYTHON3 python3)
  mark_as_advanced(BATCHSCOPE_PYTHON3)
  set(hints "")
  foreach(python ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/.venv/bin/python ${BATCHSCOPE_PYTHON3})
    batchscope_ask_python_for_nvtx(${python} folders)
    list(APPEND hints ${folders})
  endforeach()
  find_path(BATCHSCOPE_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
    HINTS ${hints} PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include
    DOC "The folder that holds nvtx3/nvToolsExt.h")
endif()
mark_as_advanced(BATCHSCOPE_NVTX_INCLUDE_DIR)
if(BATCHSCOPE_NVTX_INCLUDE_DIR)
  message(STATUS "NVTX in ${BATCHSCOPE_NVTX_INCLUDE_DIR}")
else()
  message(STATUS "No NVTX: nsys and ncu will show no ranges; it needs pip install -r requirements/nvtx.txt")
endif()
