# LibTorch as one imported target, LibTorch::LibTorch, for plugins/torch alone: the core never sees it.
#
# Not find_package(Torch): the package file of a CUDA build of torch asks for a whole CUDA toolkit, which nobody needs
# who only calls the device-generic API. Headers and four libraries are all it takes, whatever the build.
#
# Searched in this order: -DTORCH_DIR / TORCH_DIR in the environment (a LibTorch folder, or torch's folder inside
# site-packages), .venv in the source folder, then the torch of the python3 found in PATH.

function(batchscope_ask_python_for_torch python out)
  set(${out} "" PARENT_SCOPE)
  if(python AND EXISTS ${python})
    execute_process(
      COMMAND ${python} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0)
      set(${out} ${folder} PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(batchscope_find_torch_root out)
  if(TORCH_DIR)
    set(root ${TORCH_DIR})
  elseif(DEFINED ENV{TORCH_DIR} AND NOT "$ENV{TORCH_DIR}" STREQUAL "")
    set(root $ENV{TORCH_DIR})
  else()
    batchscope_ask_python_for_torch(${PROJECT_SOURCE_DIR}/.venv/bin/python root)
    if(NOT root)
      find_program(BATCHSCOPE_PYTHON3 python3)
      batchscope_ask_python_for_torch("${BATCHSCOPE_PYTHON3}" root)
    endif()
  endif()
  if(NOT EXISTS "${root}/include/torch/script.h" OR NOT EXISTS "${root}/lib/libtorch.so")
    message(FATAL_ERROR
      "LibTorch was not found (looked in: '${root}'; wanted include/torch/script.h and lib/libtorch.so).\n"
      "  - ./dev build installs it into .venv and comes back here, or\n"
      "  - configure with -DTORCH_DIR=<a LibTorch folder>, or\n"
      "  - configure with -DBATCHSCOPE_TORCH=OFF to build without it (synthetic engine and analysis only).")
  endif()
  set(${out} ${root} PARENT_SCOPE)
endfunction()

function(batchscope_read_torch_version root out)
  set(header ${root}/include/torch/headeronly/version.h)
  if(NOT EXISTS ${header})
    message(FATAL_ERROR "LibTorch in ${root} is too old: 2.10 or newer is needed (2.13 is what is tested).")
  endif()
  file(STRINGS ${header} lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
  string(REPLACE ";" "." version "${numbers}")
  set(${out} ${version} PARENT_SCOPE)
endfunction()

batchscope_find_torch_root(BATCHSCOPE_TORCH_ROOT)
batchscope_read_torch_version(${BATCHSCOPE_TORCH_ROOT} BATCHSCOPE_TORCH_VERSION)
message(STATUS "LibTorch ${BATCHSCOPE_TORCH_VERSION} in ${BATCHSCOPE_TORCH_ROOT}")

add_library(LibTorch::LibTorch INTERFACE IMPORTED)
target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
  ${BATCHSCOPE_TORCH_ROOT}/include ${BATCHSCOPE_TORCH_ROOT}/include/torch/csrc/api/include)
# Before LibTorch, which exports parts of the C++ library of the machine it was built on, std::filesystem among them: what
# is bound to those dies or fails at run time (torch 2.11 for CUDA: remove_all calls an address of nothing).
target_link_libraries(LibTorch::LibTorch INTERFACE stdc++)
foreach(library torch torch_cpu c10)
  target_link_libraries(LibTorch::LibTorch INTERFACE ${BATCHSCOPE_TORCH_ROOT}/lib/lib${library}.so)
endforeach()
# A CUDA build registers its kernels when libtorch_cuda is loaded, though no symbol of it is named: keep it linked.
if(EXISTS ${BATCHSCOPE_TORCH_ROOT}/lib/libtorch_cuda.so)
  target_link_libraries(LibTorch::LibTorch INTERFACE
    -Wl,--no-as-needed ${BATCHSCOPE_TORCH_ROOT}/lib/libtorch_cuda.so ${BATCHSCOPE_TORCH_ROOT}/lib/libc10_cuda.so
    -Wl,--as-needed)
endif()
