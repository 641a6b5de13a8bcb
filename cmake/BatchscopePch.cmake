# Precompiled headers, one set for the tests, one for the libraries and one for those that format text, shared by all
# targets: on two processors they save a second a file. They also hide a missing #include, so the ci preset, which
# clang-tidy reads, builds without (CMAKE_DISABLE_PRECOMPILE_HEADERS).

set(BATCHSCOPE_PCH_HEADERS
  <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <utility> <variant> <vector>)

# batchscope_pch(TARGET core|format|tests)
function(batchscope_pch target kind)
  set(source batchscope_pch_${kind})
  if(NOT TARGET ${source})
    set(file ${PROJECT_BINARY_DIR}/pch/${kind}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "int main() { return 0; }\n")
    # Of the same kind as its users, because g++ takes no header precompiled with -fPIC into a program (-fPIE).
    if(kind STREQUAL tests)
      add_executable(${source} EXCLUDE_FROM_ALL ${file})
      batchscope_test_options(${source})
    else()
      add_library(${source} STATIC EXCLUDE_FROM_ALL ${file})
    endif()
    batchscope_compile_options(${source})
    target_precompile_headers(${source} PRIVATE ${BATCHSCOPE_PCH_HEADERS})
    if(kind STREQUAL tests)
      target_link_libraries(${source} PRIVATE GTest::gmock)
      target_precompile_headers(${source} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    elseif(kind STREQUAL format)
      target_link_libraries(${source} PRIVATE fmt::fmt)
      target_precompile_headers(${source} PRIVATE <fmt/format.h>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${source})
endfunction()
