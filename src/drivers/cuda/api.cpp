#include "drivers/cuda/api.h"

#include <dlfcn.h>

#include <fmt/format.h>

namespace hither::drivers::cuda {
namespace {

#if defined(_WIN32)
constexpr const char* kLibrary = "nvcuda.dll";
#else
constexpr const char* kLibrary = "libcuda.so.1";
#endif

// The functions that every driver has under these names.
using DriverGetVersion = CUresult (*)(int*);
using GetProcAddress = CUresult (*)(const char*, void**, int, uint64_t, int*);

struct Opened {
  Api api;
  std::string absence;  ///< empty if the library is usable
};

std::string too_old(const std::string& found) {
  return fmt::format(
      "the NVIDIA driver is too old: {} supports {}, and hither needs a driver for CUDA {} or "
      "later (525 or later)",
      kLibrary, found, version_text(kLeastVersion));
}

std::string in_words(const Api& api, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  api.cuGetErrorName(result, &name);
  api.cuGetErrorString(result, &text);
  return fmt::format("{} ({}): {}", name ? name : "unknown result", result, text ? text : "");
}

/// Loads the functions of `library`. Returns the reason if one is missing, else an empty string.
std::string look_up(void* library, Api& api) {
  const auto get_version = reinterpret_cast<DriverGetVersion>(dlsym(library, "cuDriverGetVersion"));
  if (!get_version || get_version(&api.version) != kSuccess)
    return fmt::format("{} does not report its version; it needs to support CUDA {} or later",
                       kLibrary, version_text(kLeastVersion));
  const auto get = reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2"));
  if (api.version < kLeastVersion || !get) return too_old("CUDA " + version_text(api.version));
  std::string missing;
  const auto find = [&](const char* name, int version, auto& function) {
    void* address = nullptr;
    int status = 0;
    if (get(name, &address, version, 0, &status) == kSuccess && address)
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
    else
      missing += fmt::format("{}{} ({})", missing.empty() ? "" : ", ", name, version_text(version));
  };
#define HITHER_CUDA_FIND(name, version, parameters) find(#name, version, api.name);
  HITHER_CUDA_FUNCTIONS(HITHER_CUDA_FIND)
#undef HITHER_CUDA_FIND
  if (missing.empty()) return {};
  return fmt::format("{} supports CUDA {}, but lacks {}", kLibrary, version_text(api.version),
                     missing);
}

Opened open() {
  Opened opened;
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const reason = dlerror();
    opened.absence = fmt::format("no NVIDIA driver ({}); hither needs one for CUDA {} or later",
                                 reason ? reason : fmt::format("{} cannot be opened", kLibrary),
                                 version_text(kLeastVersion));
    return opened;
  }
  opened.absence = look_up(library, opened.api);
  if (!opened.absence.empty()) return opened;
  const CUresult result = opened.api.cuInit(0);
  if (result != kSuccess)
    opened.absence = fmt::format("the NVIDIA driver for CUDA {} does not start: {}",
                                 version_text(opened.api.version), in_words(opened.api, result));
  return opened;
}

const Opened& opened() {
  static const Opened& once = *new Opened(open());
  return once;
}

}  // namespace

const Api* Api::process() { return opened().absence.empty() ? &opened().api : nullptr; }

const std::string& Api::absence() { return opened().absence; }

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace hither::drivers::cuda
