# What `cmake --install` puts where: a C++ package, or the parts of a wheel (component "python").
if(SKBUILD)
  install(TARGETS hither LIBRARY DESTINATION hither COMPONENT python)
  install(TARGETS _hither _numba_hook LIBRARY DESTINATION hither COMPONENT python)
  if(TARGET hither_sycl)
    install(TARGETS hither_sycl LIBRARY DESTINATION hither COMPONENT python)
  endif()
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hither)
install(TARGETS hither EXPORT hither-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cpp)
if(TARGET hither_sycl)
  install(TARGETS hither_sycl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cpp)
endif()
install(DIRECTORY include/hither DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT cpp)
install(EXPORT hither-targets NAMESPACE hither:: DESTINATION ${package_folder} COMPONENT cpp)

configure_package_config_file(cmake/hither-config.cmake.in ${CMAKE_BINARY_DIR}/hither-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hither-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hither-config.cmake
  ${CMAKE_BINARY_DIR}/hither-config-version.cmake
  cmake/hither_add_kernels.cmake cmake/embed_bytes.cmake
  DESTINATION ${package_folder} COMPONENT cpp)

configure_file(cmake/hither.pc.in ${CMAKE_BINARY_DIR}/hither.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hither.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT cpp)
