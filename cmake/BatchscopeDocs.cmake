# The references of findings and of metrics as files: what the program prints, once it is built.
if(NOT TARGET batchscope_cli OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(pages)
foreach(topic findings metrics)
  set(page ${PROJECT_BINARY_DIR}/docs/${topic}.md)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
    COMMAND batchscope_cli help ${topic} > ${page}
    DEPENDS batchscope_cli VERBATIM)
  list(APPEND pages ${page})
endforeach()
add_custom_target(batchscope_docs ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
