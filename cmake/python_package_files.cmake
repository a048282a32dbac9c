# hither_python_package_files(FOLDER INCLUDE LIBRARY_FOLDER LIBRARY) writes what native extensions
# find through a Python package: FOLDER/share/cmake/hither and FOLDER/share/pkgconfig. Paths may be
# relative to the package, by ${hither_package} in CMake's words.
function(hither_python_package_files folder include library_folder library)
  set(hither_package_include ${include})
  set(hither_package_library ${library})
  set(cmake_folder ${folder}/share/cmake/hither)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/python-package-config.cmake.in
    ${cmake_folder}/hither-config.cmake @ONLY)
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file(${cmake_folder}/hither-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  foreach(name IN ITEMS hither_add_kernels.cmake embed_bytes.cmake)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name} ${cmake_folder}/${name} COPYONLY)
  endforeach()
  set(hither_pc_prefix "\${pcfiledir}/../..")
  string(REPLACE "\${hither_package}" "\${prefix}" hither_pc_include ${include})
  string(REPLACE "\${hither_package}" "\${prefix}" hither_pc_library ${library_folder})
  foreach(name IN ITEMS hither hither-c)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${folder}/share/pkgconfig/${name}.pc
      @ONLY)
  endforeach()
endfunction()
