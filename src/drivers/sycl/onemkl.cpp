#include "drivers/sycl/onemkl.h"

#include <filesystem>

#include <dlfcn.h>
#include <hither/version.h>

#include "process/environment.h"

namespace hither::drivers::sycl {
namespace {

constexpr const char* kPlugin = "libhither_onemkl.so";

std::filesystem::path own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  return std::filesystem::canonical(info.dli_fname, ignored).parent_path();
}

void* open_plugin() {
  if (process::environment(process::variable::kOneMkl) == "0") return nullptr;
  const std::filesystem::path file = own_folder() / kPlugin;
  if (!std::filesystem::is_regular_file(file)) return nullptr;
  // The plugin's search path has oneMKL's libraries. They depend on each other, so one dlopen() has
  // to load them all.
  return dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

void* plugin() {
  static void* const opened = open_plugin();
  return opened;
}

/// What the plugin's function `entry` returns for this version of hither.
template <class Library>
const Library* found_by(const char* entry) {
  using Find = const Library*(const char* version);
  auto* const find = plugin() ? reinterpret_cast<Find*>(dlsym(plugin(), entry)) : nullptr;
  return find ? find(version()) : nullptr;
}

}  // namespace

const runtime::Blas* onemkl_blas() {
  static const auto* const found = found_by<runtime::Blas>("hither_onemkl_blas");
  return found;
}

const runtime::SparseLibrary* onemkl_sparse() {
  static const auto* const found = found_by<runtime::SparseLibrary>("hither_onemkl_sparse");
  return found;
}

}  // namespace hither::drivers::sycl
