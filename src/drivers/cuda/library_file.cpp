#include "drivers/cuda/library_file.h"

#include <dlfcn.h>

#include <vector>

#include <fmt/format.h>

#include "process/environment.h"
#include "process/library.h"
#include "runtime/math_library.h"

namespace hither::drivers::cuda {
namespace {

std::vector<std::string> folders() {
  std::vector<std::string> found;
  for (const std::string& folder : runtime::cuda_folders()) found.push_back(folder);
  for (const char* variable : {process::variable::kCudaHome, process::variable::kCudaPath})
    if (const auto home = process::environment(variable); !home.empty())
      found.push_back(std::string(home) + "/lib64");
  found.emplace_back("/usr/local/cuda/lib64");
  return found;
}

}  // namespace

void* open_library(const std::string& name, int major) {
  const std::string file = "lib" + name + ".so." + std::to_string(major);
  if (const auto named = process::environment(process::variable::kCudaLibraries); !named.empty())
    return process::open_library(fmt::format("{}/{}", named, file));
  if (void* known = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD)) return known;
  for (const std::string& folder : folders())
    if (void* opened = process::open_library(fmt::format("{}/{}", folder, file))) return opened;
  return process::open_library(file);
}

}  // namespace hither::drivers::cuda
