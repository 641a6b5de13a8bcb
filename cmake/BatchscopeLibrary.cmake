# One function a kind of target, so that every library is built, tested and installed the same way.

# batchscope_link_privately(TARGET third-party ...)
# What is only headers stays out of the installed package; what has to be linked is recorded there, because a static
# library hands its own needs on to whoever links it.
function(batchscope_link_privately target)
  foreach(link ${ARGN})
    set(header_only FALSE)
    if(TARGET ${link})
      get_target_property(type ${link} TYPE)
      get_target_property(links ${link} INTERFACE_LINK_LIBRARIES)
      if(type STREQUAL INTERFACE_LIBRARY AND NOT links)
        set(header_only TRUE)
      endif()
    endif()
    if(header_only)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${link}>)
    else()
      target_link_libraries(${target} PRIVATE ${link})
      if(link MATCHES "^(.+)::")
        set_property(GLOBAL APPEND PROPERTY BATCHSCOPE_PACKAGES ${CMAKE_MATCH_1})
      endif()
    endif()
  endforeach()
endfunction()

# batchscope_alone(test.cpp ...)
# Tests are compiled eight at a time where a preset says so. Those that name their helpers as one of the eight does are
# compiled by themselves.
function(batchscope_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# batchscope_library(NAME SOURCES ... [DEPS lib ...] [PRIVATE_LINKS target ...])
# DEPS are other batchscope libraries; PRIVATE_LINKS are third-party targets that no public header shows.
function(batchscope_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_LINKS" ${ARGN})
  add_library(batchscope_${name} STATIC ${ARG_SOURCES})
  add_library(batchscope::${name} ALIAS batchscope_${name})
  set_target_properties(batchscope_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(batchscope_${name} PUBLIC cxx_std_20)
  target_include_directories(batchscope_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  foreach(dep ${ARG_DEPS})
    target_link_libraries(batchscope_${name} PUBLIC batchscope::${dep})
  endforeach()
  batchscope_link_privately(batchscope_${name} ${ARG_PRIVATE_LINKS})
  batchscope_compile_options(batchscope_${name})
  batchscope_pch(batchscope_${name} core)
  set_property(GLOBAL APPEND PROPERTY BATCHSCOPE_LIBRARIES ${name})
  set_property(GLOBAL APPEND PROPERTY BATCHSCOPE_INCLUDE_ROOTS ${CMAKE_CURRENT_SOURCE_DIR}/include/)
endfunction()

# All unit tests and what they run, without the program.
if(BATCHSCOPE_TESTS)
  add_custom_target(unit_tests)
endif()

# batchscope_cases(TEST PROGRAM LABEL [property value ...]): one ctest entry for all cases of a GoogleTest program. Each
# case has a limit of its own (tests/testing/main.cpp); that of the entry is for what even they do not end.
function(batchscope_cases test program label)
  set(limit 60)
  if(BATCHSCOPE_SANITIZE)
    set(limit 600)
  endif()
  add_test(NAME ${test} COMMAND ${program} --case-limit=${limit})
  set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT 3600 ${ARGN})
endfunction()

# batchscope_tests(LIB test.cpp ... [LINKS target ...] [LABEL label] [PCH header ...]): one GoogleTest program a library,
# which is one ctest entry. The label is "unit" unless said otherwise. PCH: what its sources share beyond other tests, so
# that it gets precompiled headers of its own. Under a sanitizer only what BatchscopeSanitize.cmake names is run.
function(batchscope_tests name)
  if(NOT BATCHSCOPE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "LABEL" "LINKS;PCH" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  add_executable(${name}_tests ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_tests PRIVATE batchscope::${name} GTest::gmock batchscope_test_main ${ARG_LINKS})
  target_include_directories(${name}_tests PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests)
  batchscope_compile_options(${name}_tests)
  batchscope_test_options(${name}_tests)
  if(ARG_PCH)
    target_precompile_headers(${name}_tests PRIVATE
      ${BATCHSCOPE_PCH_HEADERS} <gmock/gmock.h> <gtest/gtest.h> ${ARG_PCH})
  else()
    batchscope_pch(${name}_tests tests)
  endif()
  batchscope_is_tested(${name} tested)
  if(NOT tested)
    set_target_properties(${name}_tests PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  add_dependencies(unit_tests ${name}_tests)
  batchscope_cases(${name} ${name}_tests ${ARG_LABEL})
endfunction()

# batchscope_approved_texts(NAME): what its tests say is compared with tests/approved of its library (tests/approval/approval.hpp).
function(batchscope_approved_texts name)
  if(NOT BATCHSCOPE_TESTS)
    return()
  endif()
  target_sources(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests/approval/approval.cpp)
  target_compile_definitions(${name}_tests
    PRIVATE BATCHSCOPE_APPROVED_DIR="${CMAKE_CURRENT_SOURCE_DIR}/tests/approved")
endfunction()
