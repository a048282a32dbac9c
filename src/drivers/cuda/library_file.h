// The search for CUDA's libraries.
#pragma once

#include <string>

namespace hither::drivers::cuda {

/// Opens libNAME.so.MAJOR ("cublas", 13). If HITHER_CUDA_LIBRARIES is set, only that folder is
/// searched. Else the order is: a library that the process has loaded, the folders of
/// set_cuda_folders(), a toolkit, the system. Null if there is none.
void* open_library(const std::string& name, int major);

}  // namespace hither::drivers::cuda
