# find_package(entente) for others: headers, the library, and the package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS entente EXPORT ententeTargets)
install(DIRECTORY include/entente DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ententeTargets NAMESPACE entente:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/entente)
configure_package_config_file(cmake/ententeConfig.cmake.in ${CMAKE_BINARY_DIR}/ententeConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/entente)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ententeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ententeConfig.cmake ${CMAKE_BINARY_DIR}/ententeConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/entente)
if(TARGET entente_cli)
  install(TARGETS entente_cli)
endif()
