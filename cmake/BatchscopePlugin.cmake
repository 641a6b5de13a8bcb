# batchscope_plugin(NAME SOURCES ... [DEPS lib ...] [LINKS target ...] [RPATH folder])
# A shared library libbatchscope_NAME.so that the engine library loads by name. Only the entry points are visible.
# RPATH is where the installed plugin finds what it links; CMake would leave a folder inside the source tree (.venv) out.
function(batchscope_plugin name)
  cmake_parse_arguments(ARG "" "RPATH" "SOURCES;DEPS;LINKS" ${ARGN})
  set(target batchscope_plugin_${name})
  add_library(${target} MODULE ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME batchscope_${name}
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    INSTALL_RPATH "${ARG_RPATH}")
  foreach(dep ${ARG_DEPS})
    target_link_libraries(${target} PRIVATE batchscope::${dep})
  endforeach()
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  batchscope_compile_options(${target})
  set_property(GLOBAL APPEND PROPERTY BATCHSCOPE_PLUGINS ${target})
endfunction()
