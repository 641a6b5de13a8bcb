# The script and style of the HTML report: bundled by node and compiled into the library `document`. Without node, or without
# the packages of web/report/package-lock.json, everything else is built, and `batchscope report` says what is missing.

set(BATCHSCOPE_WEB AUTO CACHE STRING "Build the HTML report: ON, OFF, or AUTO (when node and its packages are there)")
set_property(CACHE BATCHSCOPE_WEB PROPERTY STRINGS AUTO ON OFF)
find_program(BATCHSCOPE_NODE NAMES node nodejs)
mark_as_advanced(BATCHSCOPE_NODE)

# A wheel has the report; where npm is at hand it gets the packages for it.
find_program(BATCHSCOPE_NPM NAMES npm)
mark_as_advanced(BATCHSCOPE_NPM)
if(SKBUILD AND BATCHSCOPE_NODE AND BATCHSCOPE_NPM AND NOT EXISTS ${PROJECT_SOURCE_DIR}/web/report/node_modules/esbuild)
  execute_process(COMMAND ${BATCHSCOPE_NPM} ci --no-audit --no-fund WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web/report)
endif()

# batchscope_web_bundle(VARIABLE): the source that defines web_bundle(), trace_bundle() and monitor_bundle().
function(batchscope_web_bundle variable)
  set(web ${PROJECT_SOURCE_DIR}/web/report)
  set(absent ${PROJECT_SOURCE_DIR}/libs/showing/document/src/page/web_bundle_absent.cpp)
  if(BATCHSCOPE_WEB STREQUAL "AUTO")
    if(BATCHSCOPE_NODE AND EXISTS ${web}/node_modules/esbuild AND EXISTS ${web}/node_modules/echarts)
      set(wanted ON)
    else()
      set(wanted OFF)
      message(STATUS "No HTML report: it needs node and `npm ci` in web/report")
    endif()
  else()
    set(wanted ${BATCHSCOPE_WEB})
  endif()
  if(NOT wanted)
    set(${variable} ${absent} PARENT_SCOPE)
    return()
  endif()
  if(NOT BATCHSCOPE_NODE)
    message(FATAL_ERROR "BATCHSCOPE_WEB=ON needs node: apt-get install nodejs npm")
  endif()
  set(made ${PROJECT_BINARY_DIR}/web/web_bundle.cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/web
    COMMAND ${BATCHSCOPE_NODE} build.mjs ${made}
    WORKING_DIRECTORY ${web}
    DEPENDS ${sources} ${web}/build.mjs ${web}/package-lock.json
    COMMENT "Bundling the HTML report's script" VERBATIM)
  # One literal longer than the standard asks every compiler to take.
  set_source_files_properties(${made} PROPERTIES
    COMPILE_OPTIONS "-Wno-overlength-strings" SKIP_PRECOMPILE_HEADERS ON SKIP_LINTING ON)
  set(${variable} ${made} PARENT_SCOPE)
endfunction()
