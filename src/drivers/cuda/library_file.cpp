#include "drivers/cuda/library_file.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "process/library.h"
#include "runtime/math_library.h"

namespace hither::drivers::cuda {
namespace {

std::vector<std::string> folders() {
  std::vector<std::string> found;
  for (const std::string& folder : runtime::cuda_folders()) found.push_back(folder);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable); home && *home)
      found.push_back(std::string(home) + "/lib64");
  found.emplace_back("/usr/local/cuda/lib64");
  return found;
}

}  // namespace

void* open_library(const std::string& name, int major) {
  const std::string file = "lib" + name + ".so." + std::to_string(major);
  if (const char* named = std::getenv("HITHER_CUDA_LIBRARIES"); named && *named)
    return process::open_library(std::string(named) + "/" + file);
  if (void* known = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD)) return known;
  for (const std::string& folder : folders())
    if (void* opened = process::open_library(folder + "/" + file)) return opened;
  return process::open_library(file);
}

}  // namespace hither::drivers::cuda
