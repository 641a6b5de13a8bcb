# What the program says of itself: its man page, and scripts that complete in shells. Made by the program once it is built,
# so that nothing else has to be kept up with its flags.
option(BATCHSCOPE_MANNERS "Install the man page and the completion scripts" ON)
if(NOT BATCHSCOPE_MANNERS OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(manners_dir ${PROJECT_BINARY_DIR}/manners)
set(manners_files)
# batchscope_manner(FILE arguments...): what the program prints, as a file
function(batchscope_manner file)
  add_custom_command(OUTPUT ${manners_dir}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manners_dir}
    COMMAND batchscope_cli ${ARGN} > ${manners_dir}/${file}
    DEPENDS batchscope_cli VERBATIM)
  set(manners_files ${manners_files} ${manners_dir}/${file} PARENT_SCOPE)
endfunction()
batchscope_manner(batchscope.1 man)
batchscope_manner(batchscope completion bash)
batchscope_manner(_batchscope completion zsh)
batchscope_manner(batchscope.fish completion fish)
add_custom_target(batchscope_manners ALL DEPENDS ${manners_files})

install(FILES ${manners_dir}/batchscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${manners_dir}/batchscope DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(FILES ${manners_dir}/_batchscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
install(FILES ${manners_dir}/batchscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
