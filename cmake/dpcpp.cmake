# DPC++'s headers and runtime library, which g++ can use for code of the host: target hither_dpcpp,
# where they are found. PyPI's intel-sycl-rt puts both into Python's prefix.
set(prefix "${HITHER_SYCL_PREFIX}")
if(NOT prefix AND Python_EXECUTABLE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sys; print(sys.prefix)"
    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE prefix)
endif()
# A header that other SYCL implementations lack.
find_path(HITHER_DPCPP_INCLUDE sycl/ext/oneapi/properties/properties.hpp HINTS ${prefix}/include)
find_library(HITHER_DPCPP_LIBRARY sycl HINTS ${prefix}/lib)
mark_as_advanced(HITHER_DPCPP_INCLUDE HITHER_DPCPP_LIBRARY)
if(NOT HITHER_DPCPP_INCLUDE OR NOT HITHER_DPCPP_LIBRARY)
  message(STATUS "No SYCL plugin: DPC++'s headers and library are not there (HITHER_SYCL_PREFIX)")
  return()
endif()
message(STATUS "SYCL plugin: ${HITHER_DPCPP_LIBRARY}")
add_library(hither_dpcpp INTERFACE)
target_include_directories(hither_dpcpp SYSTEM INTERFACE ${HITHER_DPCPP_INCLUDE})
# Deprecated descriptors are descriptors all the same.
target_compile_definitions(hither_dpcpp INTERFACE SYCL2020_DISABLE_DEPRECATION_WARNINGS
  SYCL_DISABLE_FSYCL_SYCLHPP_WARNING)
target_compile_options(hither_dpcpp INTERFACE -Wno-deprecated-declarations)

# The name under which programs ask for it: libsycl.so.9 where libsycl.so.9.0.0 lies.
get_filename_component(hither_dpcpp_folder ${HITHER_DPCPP_LIBRARY} DIRECTORY)
file(GLOB names RELATIVE ${hither_dpcpp_folder} ${hither_dpcpp_folder}/libsycl.so.*)
list(FILTER names INCLUDE REGEX "^libsycl\\.so\\.[0-9]+$")
list(SORT names COMPARE NATURAL ORDER DESCENDING)
list(GET names 0 HITHER_LIBSYCL)

# Intel's OpenCL CPU runtime wants a newer oneTBB than Debian's. A process has one library of a
# name, so programs of this build take the one that came with it.
if(EXISTS ${hither_dpcpp_folder}/libtbb.so.12 AND NOT SKBUILD)
  set(HITHER_TBB_FOLDER ${CMAKE_BINARY_DIR}/tbb)
  file(MAKE_DIRECTORY ${HITHER_TBB_FOLDER})
  file(CREATE_LINK ${hither_dpcpp_folder}/libtbb.so.12 ${HITHER_TBB_FOLDER}/libtbb.so.12 SYMBOLIC)
endif()
