# One function a kind of target, so that every library is built, tested and installed the same way.

# batchscope_library(NAME SOURCES ... [DEPS lib ...] [PRIVATE_LINKS target ...])
# DEPS are other batchscope libraries; PRIVATE_LINKS are third-party targets that no public header shows.
function(batchscope_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_LINKS" ${ARGN})
  add_library(batchscope_${name} STATIC ${ARG_SOURCES})
  add_library(batchscope::${name} ALIAS batchscope_${name})
  set_target_properties(batchscope_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(batchscope_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  foreach(dep ${ARG_DEPS})
    target_link_libraries(batchscope_${name} PUBLIC batchscope::${dep})
  endforeach()
  foreach(link ${ARG_PRIVATE_LINKS})
    target_link_libraries(batchscope_${name} PRIVATE $<BUILD_INTERFACE:${link}>)
  endforeach()
  batchscope_compile_options(batchscope_${name})
  set_property(GLOBAL APPEND PROPERTY BATCHSCOPE_LIBRARIES batchscope_${name})
endfunction()

# batchscope_tests(LIB test.cpp ... [LINKS target ...]): one GoogleTest program a library, one ctest entry a test.
function(batchscope_tests name)
  if(NOT BATCHSCOPE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  add_executable(${name}_tests ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_tests PRIVATE batchscope::${name} GTest::gmock GTest::gtest_main ${ARG_LINKS})
  target_include_directories(${name}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/tests)
  batchscope_compile_options(${name}_tests)
  gtest_discover_tests(${name}_tests TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
endfunction()
