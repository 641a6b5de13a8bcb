# The libraries whose unit tests are built where BATCHSCOPE_SANITIZE is set, because a sanitizer sees in them what nothing
# else shows. The thread sanitizer: what has threads, or processes beside threads. The address and undefined-behaviour
# sanitizers: that, and what reads what others wrote (files, lines, specifications, the system, other libraries) or holds
# memory by hand.
#
# Left out there, for these reasons:
#   stats, timing, tables, compare, causes, analyze
#                     functions of values: no files, threads or memory by hand. The fuzz targets run_file and csv, built
#                     with these sanitizers, take whole and broken files through all of them.
#   document, charts, traceview, monitorpage, report
#                     text and pictures of an analysis: no threads or memory by hand, no file of others that is read. What is
#                     hostile in a run reaches them through the program in ./dev hostile and tests/hostile.
#   torch, openvino   what they link is not built with sanitizers, which then see errors where there are none.
#   api, cli          put the libraries together, which are tested here themselves; words to values and back.
set(BATCHSCOPE_SANITIZED_THREAD base device exporter loading measure monitor nvml nvtx record sampling serving trace)
set(BATCHSCOPE_SANITIZED_ADDRESS
  ${BATCHSCOPE_SANITIZED_THREAD} schema csv findings engine interpreter synthetic pipeline planning study capacity tune bytes attribution advice telemetry training)

# batchscope_is_tested(LIB OUT): whether the unit tests of a library are built and run.
function(batchscope_is_tested name out)
  if(NOT BATCHSCOPE_SANITIZE)
    set(tested ${name})
  elseif(BATCHSCOPE_SANITIZE MATCHES thread)
    set(tested ${BATCHSCOPE_SANITIZED_THREAD})
  else()
    set(tested ${BATCHSCOPE_SANITIZED_ADDRESS})
  endif()
  if(name IN_LIST tested)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()
