hither_folder(drivers/native_cpu FOLDERS error counting process target runtime
  LIBRARIES TBB::tbb fmt::fmt-header-only PkgConfig::HWLOC
  HEADERS ${text_headers} <functional> <map> <mutex>)
# The path of every array operation is one unit, so that its small functions are inlined.
set_target_properties(drivers_native_cpu PROPERTIES
  UNITY_BUILD ${HITHER_UNITY} UNITY_BUILD_MODE GROUP)
set_source_files_properties(drivers/native_cpu/context.cpp drivers/native_cpu/memory.cpp
  drivers/native_cpu/slab_pool.cpp drivers/native_cpu/in_order_queue.cpp
  drivers/native_cpu/kernel.cpp PROPERTIES UNITY_GROUP operation)
