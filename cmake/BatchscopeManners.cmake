# Scripts that complete what is typed in shells, which the program prints once it is built; and its man page, which
# help2man makes of its help.
option(BATCHSCOPE_MANNERS "Install the man page and the completion scripts" ON)
if(NOT BATCHSCOPE_MANNERS OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(manners_dir ${PROJECT_BINARY_DIR}/manners)
set(manners_files)
# batchscope_manner(FILE COMMAND...): what the command prints, as a file
function(batchscope_manner file)
  add_custom_command(OUTPUT ${manners_dir}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manners_dir}
    COMMAND ${ARGN} > ${manners_dir}/${file}
    DEPENDS batchscope_cli VERBATIM)
  set(manners_files ${manners_files} ${manners_dir}/${file} PARENT_SCOPE)
endfunction()
batchscope_manner(batchscope batchscope_cli completion bash)
batchscope_manner(_batchscope batchscope_cli completion zsh)
batchscope_manner(batchscope.fish batchscope_cli completion fish)
find_program(BATCHSCOPE_HELP2MAN help2man)
if(BATCHSCOPE_HELP2MAN)
  batchscope_manner(batchscope.1 ${BATCHSCOPE_HELP2MAN} --no-info
    --name "find the batch size at which a model runs best"
    --include ${CMAKE_CURRENT_LIST_DIR}/batchscope.h2m $<TARGET_FILE:batchscope_cli>)
else()
  message(STATUS "batchscope: no man page is installed (help2man was not found)")
endif()
add_custom_target(batchscope_manners ALL DEPENDS ${manners_files})

install(FILES ${manners_dir}/batchscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${manners_dir}/batchscope DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(FILES ${manners_dir}/_batchscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
install(FILES ${manners_dir}/batchscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
