# Compiled by clang, because GCC 12 makes this sort six times slower.
set(avx2_sort drivers/native_cpu/avx2/vector_sort_avx2.cpp)
set(avx2_object ${CMAKE_CURRENT_BINARY_DIR}/vector_sort_avx2.o)
add_custom_command(OUTPUT ${avx2_object}
  COMMAND ${HITHER_CLANG} ${HITHER_CLANG_TARGET} -std=c++20 -O2 -DNDEBUG -fPIC
    -fvisibility=hidden ${HIGHWAY_CFLAGS} -I${CMAKE_CURRENT_SOURCE_DIR}
    -c ${CMAKE_CURRENT_SOURCE_DIR}/${avx2_sort} -o ${avx2_object}
  DEPENDS ${avx2_sort} drivers/native_cpu/vector_sort.h VERBATIM)
add_library(hither_avx2_sort INTERFACE)
target_sources(hither_avx2_sort INTERFACE ${avx2_object})
hither_folder(drivers/native_cpu FOLDERS error counting process profiling target runtime
  LIBRARIES TBB::tbb hither_fmt PkgConfig::HWLOC PkgConfig::HIGHWAY hither_avx2_sort
  HEADERS ${text_headers} <functional> <map> <mutex>)
# The path of every array operation is one unit, so that its small functions are inlined.
set_target_properties(drivers_native_cpu PROPERTIES
  UNITY_BUILD ${HITHER_UNITY} UNITY_BUILD_MODE GROUP)
set_source_files_properties(drivers/native_cpu/context.cpp drivers/native_cpu/memory.cpp
  drivers/native_cpu/slab_pool.cpp drivers/native_cpu/in_order_queue.cpp
  drivers/native_cpu/kernel.cpp PROPERTIES UNITY_GROUP operation)
# A class of arena.h has members whose types are in an unnamed namespace of arena.cpp. GCC warns of
# that where another file includes arena.cpp.
set_source_files_properties(drivers/native_cpu/arena.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Highway includes this file several times.
set_source_files_properties(drivers/native_cpu/row_network.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
