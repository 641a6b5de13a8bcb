# cmake --install: the program, its plugins, the libraries with their headers, and a CMake package around them.
include(CMakePackageConfigHelpers)

set(BATCHSCOPE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/batchscope)
get_property(libraries GLOBAL PROPERTY BATCHSCOPE_LIBRARIES)
get_property(BATCHSCOPE_PACKAGES GLOBAL PROPERTY BATCHSCOPE_PACKAGES)
list(REMOVE_DUPLICATES BATCHSCOPE_PACKAGES)

foreach(library ${libraries})
  install(TARGETS batchscope_${library} EXPORT batchscopeTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
get_property(roots GLOBAL PROPERTY BATCHSCOPE_INCLUDE_ROOTS)
install(DIRECTORY ${roots} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(libraries)
  install(EXPORT batchscopeTargets NAMESPACE batchscope:: DESTINATION ${BATCHSCOPE_PACKAGE_DIR})
endif()

# The program looks for plugins in ../lib/batchscope/plugins beside itself, so this folder does not follow LIBDIR.
get_property(plugins GLOBAL PROPERTY BATCHSCOPE_PLUGINS)
foreach(plugin ${plugins})
  install(TARGETS ${plugin} LIBRARY DESTINATION lib/batchscope/plugins)
endforeach()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/batchscopeConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/batchscopeConfig.cmake
  INSTALL_DESTINATION ${BATCHSCOPE_PACKAGE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/batchscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/batchscopeConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/batchscopeConfigVersion.cmake
  DESTINATION ${BATCHSCOPE_PACKAGE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
