#include "drivers/sycl/opencl_registration.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <link.h>

namespace hither::drivers::sycl {
namespace {

constexpr const char* kVariable = "OCL_ICD_FILENAMES";
constexpr const char* kRuntime = "libintelocl.so";

bool is_set(const char* variable) noexcept {
  const char* value = std::getenv(variable);
  return value && *value;
}

/// Whether the system itself registers a runtime of this name: two would be two devices.
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

}  // namespace

OpenClRegistration::OpenClRegistration() {
  const std::filesystem::path runtime = folder_of_libsycl() / kRuntime;
  const char* named = std::getenv(kVariable);
  // hither's Python names it before dpctl is imported.
  if (named && runtime == named) runtime_ = named;
  if (is_set(kVariable) || is_set("OCL_ICD_VENDORS") || system_registers()) return;
  if (!std::filesystem::exists(runtime)) return;
  // It lists its device there, and says that it is not available when asked for a context.
  if (runtime.native().find(' ') != std::string::npos) {
    fault_ = "Intel's OpenCL runtime does not work from a path with a space: " + runtime.string() +
             "; install it elsewhere";
    return;
  }
  // OpenCL's loader passes over what it cannot open, and says nothing.
  if (!dlopen(runtime.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char* reason = dlerror();
    fault_ = reason ? reason : runtime.string() + " cannot be opened";
    return;
  }
  runtime_ = runtime.string();
  named_here_ = true;
  setenv(kVariable, runtime.c_str(), 1);
}

OpenClRegistration::~OpenClRegistration() {
  if (named_here_) unsetenv(kVariable);
}

}  // namespace hither::drivers::sycl
