#include "drivers/sycl/onemkl.h"

#include <filesystem>

#include <dlfcn.h>
#include <hither/version.h>

#include "process/environment.h"

namespace hither::drivers::sycl {
namespace {

constexpr const char* kPlugin = "libhither_onemkl.so";
constexpr const char* kEntry = "hither_onemkl_blas";
using FindBlas = const runtime::Blas*(const char* version);

std::filesystem::path own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  return std::filesystem::canonical(info.dli_fname, ignored).parent_path();
}

const runtime::Blas* open_plugin() {
  if (process::environment(process::variable::kOneMkl) == "0") return nullptr;
  const std::filesystem::path file = own_folder() / kPlugin;
  if (!std::filesystem::is_regular_file(file)) return nullptr;
  // The plugin's search path has oneMKL's libraries. They depend on each other, so one dlopen() has
  // to load them all.
  void* const plugin = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  auto* const find = plugin ? reinterpret_cast<FindBlas*>(dlsym(plugin, kEntry)) : nullptr;
  return find ? find(version()) : nullptr;
}

}  // namespace

const runtime::Blas* onemkl_blas() {
  static const runtime::Blas* const found = open_plugin();
  return found;
}

}  // namespace hither::drivers::sycl
