# Warnings and sanitizers, for our own targets only (never for a dependency's headers).

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE_PROGRAM ccache)
  mark_as_advanced(CCACHE_PROGRAM)
  if(CCACHE_PROGRAM)
    # The sloppiness is what ccache's manual asks for where precompiled headers are used. Paths inside the sources count
    # from the build folder, so that build/wheel takes what build/release has compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      ${CCACHE_PROGRAM})
  endif()
endif()

# A linker that is fast, where one is installed: GNU's takes half a second for each of 170 programs.
include(CheckLinkerFlag)
foreach(linker mold lld)
  check_linker_flag(CXX -fuse-ld=${linker} BATCHSCOPE_HAS_${linker})
  if(BATCHSCOPE_HAS_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()

# Most of the compiler's time goes into headers and into what they instantiate, so that many sources compiled as one
# (CMAKE_UNITY_BUILD in a preset) take a third of it. More at a time would leave nothing to do for a second processor.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)

# Nothing here gains by -O3, which takes a twentieth more of the compiler's time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# What is called once an iteration, a visit, an event of a trace, a reading or a resample. The rest asks, words, draws and
# prints: it is compiled fast rather than well, in three quarters of the time. Benchmarks are loops, as a user writes them.
set(BATCHSCOPE_CALLED_OFTEN
  attribution base bytes compare csv engine engines gpu host loading measure planning ranges schema serving stats stepfeed tables
  telemetry timing trace training watch
  monitor_scenes trace_simulator training_scenes truth pch_often)

# batchscope_compile_options(TARGET)
function(batchscope_compile_options target)
  string(REPLACE batchscope_ "" name ${target})
  if(NOT name IN_LIST BATCHSCOPE_CALLED_OFTEN AND NOT name MATCHES "^bench_")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # By its own measure g++ collects garbage again and again, for a seventh of its time. So it takes a gigabyte first.
    target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=1000000")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    # What GCC 12 and 13 say of inlined standard strings and variants is wrong (GCC bugs 105329, 105651, 107852);
    # clang and the sanitizers watch for the real thing.
    target_compile_options(${target} PRIVATE
      -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # A precompiled header without its time in it is the same for ccache every time.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(BATCHSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${BATCHSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
    if(BATCHSCOPE_SANITIZE MATCHES address)
      # They look at every pointer that is used, which takes a fifth of the compiler's time, for what the address sanitizer
      # sees, too, and for alignment.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${BATCHSCOPE_SANITIZE})
  endif()
  if(BATCHSCOPE_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# A test's own code is not optimised: what it calls in the libraries is.
function(batchscope_test_options target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)
  target_compile_options(${target} PRIVATE -O0)
endfunction()
