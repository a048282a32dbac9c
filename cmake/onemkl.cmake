# oneMKL's SYCL interfaces, next to DPC++: target hither_onemkl_headers and HITHER_ONEMKL_LIBRARIES,
# where headers and libraries are found. PyPI's packages have no names without a version.
if(NOT TARGET hither_dpcpp)
  return()
endif()
find_path(HITHER_ONEMKL_FOLDER oneapi/mkl/lapack.hpp
  HINTS ${HITHER_ONEMKL_INCLUDE} ${HITHER_DPCPP_INCLUDE})
mark_as_advanced(HITHER_ONEMKL_FOLDER)
set(HITHER_ONEMKL_LIBRARIES "")
foreach(name IN ITEMS mkl_core mkl_tbb_thread mkl_intel_ilp64 mkl_sycl_blas mkl_sycl_lapack
    mkl_sycl_dft mkl_sycl_sparse)
  file(GLOB files ${hither_dpcpp_folder}/lib${name}.so.*)
  list(FILTER files INCLUDE REGEX "\\.so\\.[0-9]+$")
  list(SORT files COMPARE NATURAL ORDER DESCENDING)
  if(NOT files OR NOT HITHER_ONEMKL_FOLDER)
    message(STATUS "No oneMKL plugin: oneapi/mkl.hpp or lib${name} is not there "
      "(HITHER_ONEMKL_INCLUDE; packages onemkl-sycl-include, onemkl-sycl-lapack, onemkl-sycl-dft, "
      "onemkl-sycl-sparse)")
    return()
  endif()
  list(GET files 0 file)
  get_filename_component(file_name ${file} NAME)
  list(APPEND HITHER_ONEMKL_LIBRARIES ${file})
  list(APPEND HITHER_ONEMKL_NAMES ${file_name})
endforeach()
message(STATUS "oneMKL plugin: ${HITHER_ONEMKL_FOLDER}")
add_library(hither_onemkl_headers INTERFACE)
target_include_directories(hither_onemkl_headers SYSTEM INTERFACE ${HITHER_ONEMKL_FOLDER})
target_compile_definitions(hither_onemkl_headers INTERFACE MKL_ILP64)
