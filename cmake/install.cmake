# What `cmake --install` and `make install` bring: the command with models, manual pages and completions; libraries and
# headers for solving (entente::entente), extraction (entente::extract) and language (entente::language); package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/entente)
set(model_dir ${CMAKE_INSTALL_DATADIR}/entente/models)

install(DIRECTORY include/entente DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} PATTERN "language.h" EXCLUDE)
install(TARGETS entente entente_schema EXPORT ententeTargets)
if(TARGET entente_language)
  install(TARGETS entente_language EXPORT ententeTargets)
  # The types of documents are plain data in src/corpus. Installed they stand under entente/, so that they hide and are
  # hidden by nobody's headers: whatever language.h includes of them is copied, its includes rewritten.
  install(CODE "set(source_dir \"${CMAKE_SOURCE_DIR}\")
    set(header_dir \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/entente\")
    include(\"${CMAKE_SOURCE_DIR}/cmake/install_headers.cmake\")")
endif()
install(EXPORT ententeTargets NAMESPACE entente:: DESTINATION ${cmake_dir})
configure_package_config_file(cmake/ententeConfig.cmake.in ${CMAKE_BINARY_DIR}/ententeConfig.cmake
  INSTALL_DESTINATION ${cmake_dir} PATH_VARS model_dir)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ententeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ententeConfig.cmake ${CMAKE_BINARY_DIR}/ententeConfigVersion.cmake
  DESTINATION ${cmake_dir})

# pkg-config entente, entente-extract, entente-language; the prefix is found from where the file stands.
set(backend_libraries "")
foreach(name ${CBC_LIBRARIES})
  string(APPEND backend_libraries " -l${name}")
endforeach()
if(GLPK_LIBRARY)
  string(APPEND backend_libraries " -lglpk")
endif()
foreach(package entente entente-extract entente-language)
  configure_file(cmake/${package}.pc.in ${CMAKE_BINARY_DIR}/${package}.pc @ONLY)
  if(TARGET entente_language OR NOT package STREQUAL "entente-language")
    install(FILES ${CMAKE_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

if(TARGET entente_cli)
  install(TARGETS entente_cli)
  if(TARGET entente_mpi)
    install(TARGETS entente_mpi LIBRARY DESTINATION lib/entente)
  endif()
  install(DIRECTORY models/ DESTINATION ${model_dir} FILES_MATCHING PATTERN "*.model" PATTERN "NOTICE.md")
  # Made by the command from its own tables.
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:entente_cli>\" manual \"${CMAKE_BINARY_DIR}/manual\"
    COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${CMAKE_BINARY_DIR}/manual/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${CMAKE_BINARY_DIR}/manual/entente.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME entente)
  install(FILES ${CMAKE_BINARY_DIR}/manual/_entente DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${CMAKE_BINARY_DIR}/manual/entente.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
