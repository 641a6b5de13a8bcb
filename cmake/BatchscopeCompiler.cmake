# Warnings and sanitizers, for our own targets only (never for a dependency's headers).

function(batchscope_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                           -Wnon-virtual-dtor -Wold-style-cast -Werror)
  if(BATCHSCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${BATCHSCOPE_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer -g)
    target_link_options(${target} PRIVATE -fsanitize=${BATCHSCOPE_SANITIZE})
  endif()
endfunction()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()
