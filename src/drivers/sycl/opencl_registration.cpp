#include "drivers/sycl/opencl_registration.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <link.h>

#include "process/environment.h"

namespace hither::drivers::sycl {
namespace {

using process::environment;
using process::variable::kOclIcdFilenames;
using process::variable::kOclIcdVendors;
constexpr const char* kRuntime = "libintelocl.so";

/// Whether the system registers a runtime of this name, as two registrations give two devices.
bool system_registers() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/etc/OpenCL/vendors", ignored)) {
    std::ifstream file(entry.path());
    std::string library;
    if (entry.path().extension() == ".icd" && std::getline(file, library) &&
        library.find(kRuntime) != std::string::npos)
      return true;
  }
  return false;
}

std::filesystem::path folder_of_libsycl() {
  std::filesystem::path library;
  const auto visit = [](dl_phdr_info* loaded, size_t, void* found) {
    const std::filesystem::path path = loaded->dlpi_name;
    if (!path.filename().string().starts_with("libsycl.so")) return 0;
    *static_cast<std::filesystem::path*>(found) = path;
    return 1;
  };
  dl_iterate_phdr(visit, &library);
  std::error_code ignored;
  return std::filesystem::canonical(library, ignored).parent_path();
}

/// oneTBB, which Intel's runtime loads, unloads this library at the end of the process, sometimes
/// while the library's destructors run on another path: the process then ends with a segmentation
/// fault. It stays loaded if it is opened here first. Runtimes without it need nothing.
void keep_thread_composability_manager(const std::filesystem::path& folder) {
  dlopen((folder / "libtcm.so.1").c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

}  // namespace

OpenClRegistration::OpenClRegistration() {
  const std::filesystem::path runtime = folder_of_libsycl() / kRuntime;
  keep_thread_composability_manager(runtime.parent_path());
  // The Python package sets it before dpctl is imported.
  if (runtime == environment(kOclIcdFilenames)) runtime_ = runtime.string();
  if (!environment(kOclIcdFilenames).empty() || !environment(kOclIcdVendors).empty() ||
      system_registers())
    return;
  if (!std::filesystem::exists(runtime)) return;
  // In such a path it lists its device, but creating a context fails.
  if (runtime.native().find(' ') != std::string::npos) {
    fault_ = "Intel's OpenCL runtime does not work from a path with a space: " + runtime.string() +
             "; install it elsewhere";
    return;
  }
  // OpenCL's loader silently ignores libraries that it cannot open.
  if (!dlopen(runtime.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char* reason = dlerror();
    fault_ = reason ? reason : runtime.string() + " cannot be opened";
    return;
  }
  runtime_ = runtime.string();
  named_here_ = true;
  setenv(kOclIcdFilenames, runtime.c_str(), 1);
}

OpenClRegistration::~OpenClRegistration() {
  if (named_here_) unsetenv(kOclIcdFilenames);
}

}  // namespace hither::drivers::sycl
