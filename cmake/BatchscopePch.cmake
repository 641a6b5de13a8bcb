# Precompiled headers, shared by all targets of a kind. They also hide a missing #include, so the ci preset, which clang-tidy
# reads, builds without (CMAKE_DISABLE_PRECOMPILE_HEADERS).

set(BATCHSCOPE_PCH_HEADERS
  <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <utility> <variant> <vector>)

# batchscope_pch(TARGET core [fmt] [json] [once] | tests): a set for each combination, because g++ takes no header that was
# precompiled with other definitions or at another level of optimisation. once: what BATCHSCOPE_ONCE_A_COMMAND names.
function(batchscope_pch target kind)
  string(REPLACE ";" "_" name "${kind};${ARGN}")
  set(source batchscope_pch_${name})
  if(NOT TARGET ${source})
    set(file ${PROJECT_BINARY_DIR}/pch/${name}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "int main() { return 0; }\n")
    # Of the same kind as its users, because g++ takes no header precompiled with -fPIC into a program (-fPIE).
    if(kind STREQUAL tests)
      add_executable(${source} EXCLUDE_FROM_ALL ${file})
      batchscope_test_options(${source})
    else()
      add_library(${source} STATIC EXCLUDE_FROM_ALL ${file})
    endif()
    batchscope_compile_options(${source} ${ARGN})
    target_precompile_headers(${source} PRIVATE ${BATCHSCOPE_PCH_HEADERS})
    if(kind STREQUAL tests)
      target_link_libraries(${source} PRIVATE GTest::gmock)
      target_precompile_headers(${source} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    endif()
    if("fmt" IN_LIST ARGN)
      target_link_libraries(${source} PRIVATE fmt::fmt)
      target_precompile_headers(${source} PRIVATE <fmt/format.h>)
    endif()
    if("json" IN_LIST ARGN)
      target_link_libraries(${source} PRIVATE nlohmann_json::nlohmann_json)
      target_precompile_headers(${source} PRIVATE <nlohmann/json.hpp>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${source})
endfunction()

# batchscope_own_pch(TARGET header ...): where sources are compiled one by one. Many at a time read a header once as it is.
function(batchscope_own_pch target)
  if(NOT CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
