// Where CUDA's libraries are.
#pragma once

#include <string>

namespace hither::drivers::cuda {

/// Opens libNAME.so.MAJOR ("cublas", 13): that of the folder HITHER_CUDA_LIBRARIES and no other,
/// where it is set; else the one that the process has already, that of the packages that
/// set_cuda_folders() names, of a toolkit, or of the system. Null when there is none.
void* open_library(const std::string& name, int major);

}  // namespace hither::drivers::cuda
