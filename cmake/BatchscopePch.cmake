# Precompiled headers, shared by all targets of a kind. They also hide a missing #include, so the ci preset, which clang-tidy
# reads, builds without (CMAKE_DISABLE_PRECOMPILE_HEADERS).

set(BATCHSCOPE_PCH_HEADERS
  <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <utility> <variant> <vector>)

# batchscope_pch(TARGET core | tests): one for what is shipped, at each of its levels of optimisation (g++ 12 dies of a header
# precompiled at another one), and one for tests. What a source does not use of it costs less than one more kind would.
function(batchscope_pch target kind)
  string(REPLACE batchscope_ "" name ${target})
  if(kind STREQUAL core AND name IN_LIST BATCHSCOPE_CALLED_OFTEN)
    set(kind often)
  endif()
  set(source batchscope_pch_${kind})
  if(NOT TARGET ${source})
    set(file ${PROJECT_BINARY_DIR}/pch/${kind}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "int main() { return 0; }\n")
    # Of the same kind as its users, because g++ takes no header precompiled with -fPIC into a program (-fPIE).
    if(kind STREQUAL tests)
      add_executable(${source} EXCLUDE_FROM_ALL ${file})
      batchscope_compile_options(${source})
      batchscope_test_options(${source})
      target_link_libraries(${source} PRIVATE GTest::gmock)
      target_precompile_headers(${source} PRIVATE ${BATCHSCOPE_PCH_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
    else()
      add_library(${source} STATIC EXCLUDE_FROM_ALL ${file})
      target_link_libraries(${source} PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
      target_precompile_headers(${source} PRIVATE ${BATCHSCOPE_PCH_HEADERS} <fmt/format.h> <nlohmann/json.hpp>)
      batchscope_compile_options(${source})
    endif()
  endif()
  if(NOT kind STREQUAL tests)
    # Nor does it take one that was precompiled with other definitions.
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${source})
endfunction()

# batchscope_own_pch(TARGET header ...): where sources are compiled one by one. Many at a time read a header once as it is.
function(batchscope_own_pch target)
  if(NOT CMAKE_UNITY_BUILD)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
