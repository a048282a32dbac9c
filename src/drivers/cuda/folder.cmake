# libcuda is opened at run time: no toolkit is needed to build.
hither_folder(drivers/cuda FOLDERS error process profiling target runtime
  LIBRARIES TBB::tbb hither_fmt HEADERS ${text_headers} <functional> <map> <mutex>)
