# batchscope_fuzz_target(NAME SOURCES file.cpp ... LIBS lib ...): one libFuzzer program, bin/fuzz_NAME.
# Its seeds are in fuzz/corpus/NAME.
function(batchscope_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "The fuzz targets need clang (libFuzzer): cmake --preset fuzz")
  endif()
  add_executable(fuzz_${name} ${ARG_SOURCES})
  batchscope_compile_options(fuzz_${name})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  foreach(lib ${ARG_LIBS})
    target_link_libraries(fuzz_${name} PRIVATE batchscope::${lib})
  endforeach()
endfunction()
