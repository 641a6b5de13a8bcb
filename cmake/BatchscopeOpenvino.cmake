# OpenVINO for plugins/openvino alone, by the CMake package that its Python wheel brings. The core never sees it.
#
# Searched in this order: -DOpenVINO_DIR (the folder of OpenVINOConfig.cmake), the wheel in .venv, then that of the
# python3 found in PATH. With BATCHSCOPE_OPENVINO=AUTO an absent wheel only leaves the plugin out.

function(batchscope_ask_python_for_openvino python out)
  set(${out} "" PARENT_SCOPE)
  if(python AND EXISTS ${python})
    execute_process(
      COMMAND ${python} -c "from openvino.utils import get_cmake_path; print(get_cmake_path())"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0)
      set(${out} ${folder} PARENT_SCOPE)
    endif()
  endif()
endfunction()

if(NOT OpenVINO_DIR)
  batchscope_ask_python_for_openvino(${PROJECT_SOURCE_DIR}/.venv/bin/python folder)
  if(NOT folder)
    find_program(BATCHSCOPE_PYTHON3 python3)
    batchscope_ask_python_for_openvino("${BATCHSCOPE_PYTHON3}" folder)
  endif()
  if(folder)
    set(OpenVINO_DIR ${folder} CACHE PATH "The folder of OpenVINOConfig.cmake" FORCE)
  endif()
endif()

find_package(OpenVINO 2026.0 QUIET COMPONENTS Runtime)
if(OpenVINO_FOUND)
  get_target_property(BATCHSCOPE_OPENVINO_LIBRARY openvino::runtime IMPORTED_LOCATION_RELEASE)
  get_filename_component(BATCHSCOPE_OPENVINO_LIBS ${BATCHSCOPE_OPENVINO_LIBRARY} DIRECTORY)
  # It states the default of the C++ library's ABI once more, for every target and for its own, which precompiled
  # headers were made without.
  remove_definitions(-D_GLIBCXX_USE_CXX11_ABI=${OpenVINO_GLIBCXX_USE_CXX11_ABI})
  get_target_property(definitions openvino::runtime INTERFACE_COMPILE_DEFINITIONS)
  list(FILTER definitions EXCLUDE REGEX "_GLIBCXX_USE_CXX11_ABI=1")
  set_target_properties(openvino::runtime PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
  message(STATUS "OpenVINO ${OpenVINO_VERSION} in ${BATCHSCOPE_OPENVINO_LIBS}")
elseif(BATCHSCOPE_OPENVINO STREQUAL "AUTO")
  message(STATUS "OpenVINO was not found: building without the engine openvino (./dev build installs it into .venv)")
else()
  message(FATAL_ERROR
    "OpenVINO 2026 was not found (OpenVINO_DIR: '${OpenVINO_DIR}').\n"
    "  - ./dev build installs its wheel into .venv and comes back here, or\n"
    "  - pip install -r requirements/openvino.txt, or configure with -DOpenVINO_DIR=<the folder of OpenVINOConfig.cmake>, or\n"
    "  - configure with -DBATCHSCOPE_OPENVINO=OFF to build without it.")
endif()
