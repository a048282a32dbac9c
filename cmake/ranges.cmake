# The interfaces of NVIDIA's and Intel's profilers: target hither_ranges, with those that are found.
# NVTX has headers only: of CUDA, or of PyPI's nvidia-nvtx-cu12, which is searched first. ITT is a
# static library: of VTune, Debian 13's libittnotify-dev, or what a wheel builds.
set(prefix "${HITHER_SYCL_PREFIX}")
if(NOT prefix AND Python_EXECUTABLE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sys; print(sys.prefix)"
    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE prefix)
endif()
file(GLOB nvtx_package ${prefix}/lib/python3*/site-packages/nvidia/nvtx/include)
find_path(HITHER_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${nvtx_package}
  PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include)
set(vtune /opt/intel/oneapi/vtune/latest/sdk)
find_path(HITHER_ITT_INCLUDE ittnotify.h PATHS ${vtune}/include)
find_library(HITHER_ITT_LIBRARY libittnotify.a PATHS ${vtune}/lib64)
mark_as_advanced(HITHER_NVTX_INCLUDE HITHER_ITT_INCLUDE HITHER_ITT_LIBRARY)

add_library(hither_ranges INTERFACE)
if(HITHER_NVTX_INCLUDE)
  target_include_directories(hither_ranges SYSTEM INTERFACE ${HITHER_NVTX_INCLUDE})
  target_compile_definitions(hither_ranges INTERFACE HITHER_NVTX)
else()
  message(STATUS "No NVTX ranges: its headers are not there (HITHER_NVTX_INCLUDE)")
endif()
if(HITHER_ITT_INCLUDE AND HITHER_ITT_LIBRARY)
  target_include_directories(hither_ranges SYSTEM INTERFACE ${HITHER_ITT_INCLUDE})
  target_compile_definitions(hither_ranges INTERFACE HITHER_ITT)
  target_link_libraries(hither_ranges INTERFACE ${HITHER_ITT_LIBRARY})
else()
  message(STATUS "No ITT ranges: its library is not there (HITHER_ITT_INCLUDE, HITHER_ITT_LIBRARY)")
endif()
