# The libraries whose unit tests are built where BATCHSCOPE_SANITIZE is set, because a sanitizer sees in them what nothing
# else shows. The thread sanitizer: what has threads, or processes beside threads. The address and undefined-behaviour
# sanitizers: what reads what others wrote (files, lines, specifications, the system, other libraries), holds memory by hand,
# or hands memory from one thread to another.
#
# Left out there are functions of values, texts and pictures: no files of others, threads or memory by hand. The fuzz targets
# run_file and csv, built with these sanitizers, take whole and broken files through all of them, and ./dev hostile does so
# with the program. torch and openvino link what is not built with sanitizers, which then see errors where there are none.
set(BATCHSCOPE_SANITIZED_THREAD base exporter gpu loading monitor ranges serving trace)
set(BATCHSCOPE_SANITIZED_ADDRESS
  attribution base bytes capacity csv engine engines exporter gpu host loading ranges schema serving stepfeed
  telemetry trace training)

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
