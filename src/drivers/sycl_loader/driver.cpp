// Opens the plugin with the sycl driver. Only the plugin links libsycl, so hither works without
// libsycl.
#include "runtime/driver.h"

#include <filesystem>

#include <dlfcn.h>
#include <hither/version.h>

#include "process/environment.h"

namespace hither::drivers::sycl_loader {
namespace {

constexpr const char* kPlugin = "libhither_sycl.so";
constexpr const char* kEntry = "hither_sycl_make_driver";
using MakeDriver = runtime::Driver*(const char* version);

class AbsentDriver final : public runtime::Driver {
 public:
  explicit AbsentDriver(std::string reason) : reason_(std::move(reason)) {}
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices() override { return {}; }
  std::string absence() const override { return reason_; }

 private:
  std::string reason_;
};

std::unique_ptr<runtime::Driver> absent(std::string reason) {
  return std::make_unique<AbsentDriver>(std::move(reason));
}

/// The folder of the library (or program) that this code is in.
std::filesystem::path own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  return std::filesystem::canonical(info.dli_fname, ignored).parent_path();
}

/// Opens libsycl in the folder of Python's packages: PREFIX/lib, if hither is in
/// PREFIX/lib/pythonX.Y/site-packages. The plugin then finds the loaded library by name. Else the
/// plugin's own search applies: LD_LIBRARY_PATH, its build tree, the system.
void open_libsycl_of(const std::filesystem::path& folder) {
  const std::filesystem::path library =
      folder.parent_path().parent_path().parent_path() / HITHER_LIBSYCL;
  if (std::filesystem::is_regular_file(library)) dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::unique_ptr<runtime::Driver> open_plugin(void* handle) {
  auto* const make = reinterpret_cast<MakeDriver*>(dlsym(handle, kEntry));
  runtime::Driver* driver = make ? make(version()) : nullptr;
  if (driver) return std::unique_ptr<runtime::Driver>(driver);
  return absent(std::string(kPlugin) + " is of another version than hither " + version() +
                "; install the two together");
}

}  // namespace

std::unique_ptr<runtime::Driver> make_driver() {
  if (process::environment(process::variable::kSycl) == "0") return nullptr;
  // A program may have linked the driver.
  if (dlsym(RTLD_DEFAULT, kEntry)) return open_plugin(RTLD_DEFAULT);
  const std::filesystem::path file = own_folder() / kPlugin;
  if (!std::filesystem::exists(file))
    return absent("this build has no SYCL plugin (" + file.string() + ")");
  open_libsycl_of(file.parent_path());
  // It is never closed, because libsycl cannot be unloaded.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle) return open_plugin(handle);
  const char* reason = dlerror();
  return absent(std::string(reason ? reason : "the plugin cannot be opened") +
                "; install DPC++'s runtime: pip install \"hither[sycl]\"");
}

}  // namespace hither::drivers::sycl_loader
