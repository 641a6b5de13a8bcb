# nanobind and the headers of the Python that the package is for: of the build that makes a wheel, else of .venv.
# BATCHSCOPE_PYTHON=AUTO leaves the module out where either is missing.
if(NOT SKBUILD AND NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.venv/bin/python)
endif()
find_package(Python 3.10 COMPONENTS Interpreter Development.Module QUIET)
if(Python_Interpreter_FOUND AND NOT nanobind_DIR)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(Python_Development.Module_FOUND AND nanobind_DIR)
  find_package(nanobind CONFIG QUIET)
endif()
if(NOT nanobind_FOUND AND NOT BATCHSCOPE_PYTHON STREQUAL "AUTO")
  message(FATAL_ERROR "BATCHSCOPE_PYTHON=ON, but Python's headers or nanobind are missing\n"
    "  install python3-dev, and nanobind into the Python of this build: pip install -r requirements/python.txt")
endif()
