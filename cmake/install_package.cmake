# What `cmake --install` puts where: a C++ package, or the parts of a wheel (component "python").
if(SKBUILD)
  install(TARGETS hither LIBRARY DESTINATION hither COMPONENT python)
  install(TARGETS _hither _numba_hook LIBRARY DESTINATION hither COMPONENT python)
  if(TARGET hither_sycl)
    install(TARGETS hither_sycl LIBRARY DESTINATION hither COMPONENT python)
  endif()
  if(TARGET hither_onemkl)
    install(TARGETS hither_onemkl LIBRARY DESTINATION hither COMPONENT python)
  endif()
  install(DIRECTORY include/hither DESTINATION hither/include COMPONENT python)
  include(python_package_files)
  hither_python_package_files(${CMAKE_BINARY_DIR}/python_package "\${hither_package}/include"
    "\${hither_package}" "\${hither_package}/libhither.so")
  install(DIRECTORY ${CMAKE_BINARY_DIR}/python_package/share DESTINATION hither COMPONENT python)
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hither)
add_library(hither_c_api INTERFACE)
set_target_properties(hither_c_api PROPERTIES EXPORT_NAME c_api)
target_include_directories(hither_c_api INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS hither_c_api EXPORT hither-targets COMPONENT cpp)
install(TARGETS hither EXPORT hither-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cpp)
if(TARGET hither_sycl)
  install(TARGETS hither_sycl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cpp)
endif()
if(TARGET hither_onemkl)
  install(TARGETS hither_onemkl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cpp)
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

set(hither_pc_prefix ${CMAKE_INSTALL_PREFIX})
set(hither_pc_include "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(hither_pc_library "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
foreach(name IN ITEMS hither hither-c)
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT cpp)
endforeach()
