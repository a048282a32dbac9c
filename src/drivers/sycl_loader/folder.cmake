if(TARGET hither_dpcpp)
  hither_folder(drivers/sycl PLUGIN FOLDERS error process profiling target disk_cache runtime
    LIBRARIES hither_dpcpp HEADERS <sycl/sycl.hpp> ${text_headers})
endif()
if(TARGET hither_onemkl_headers)
  hither_folder(drivers/sycl_onemkl PLUGIN FOLDERS drivers/sycl error process profiling runtime
    target LIBRARIES hither_dpcpp hither_onemkl_headers hither_fmt)
endif()
hither_folder(drivers/sycl_loader FOLDERS error process target runtime)
target_compile_definitions(drivers_sycl_loader PRIVATE HITHER_LIBSYCL="${HITHER_LIBSYCL}")
