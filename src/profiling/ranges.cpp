#include "profiling/ranges.h"

#include <string>
#include <utility>

#ifdef HITHER_NVTX
#include <nvtx3/nvToolsExt.h>
#endif
#ifdef HITHER_ITT
#define INTEL_ITTNOTIFY_API_PRIVATE  // __itt_api_version()
#include <ittnotify.h>
#endif

#include "process/environment.h"

namespace hither::profiling {
namespace {

thread_local std::string_view kernel_name;

bool is_always_observed() noexcept {
  static const bool is = process::environment(process::variable::kRanges) == "1";
  return is;
}

// begin() and end() of an interface are called only if its domain() is not null: a profiler is
// attached.
namespace nvtx {
#ifdef HITHER_NVTX
nvtxDomainHandle_t domain() noexcept {
  static const nvtxDomainHandle_t made = nvtxDomainCreateA("hither");
  return made;
}
void begin(const char* name) noexcept {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = name;
  nvtxDomainRangePushEx(domain(), &event);
}
void end() noexcept { nvtxDomainRangePop(domain()); }
#else
bool domain() noexcept { return false; }
void begin(const char*) noexcept {}
void end() noexcept {}
#endif
}  // namespace nvtx

namespace itt {
#ifdef HITHER_ITT
__itt_domain* domain() noexcept {
  static __itt_domain* const made = [] {
    // Looks for a profiler, which the creation of a domain does not.
    static_cast<void>(__itt_api_version());
    return __itt_task_begin_ptr ? __itt_domain_create("hither") : nullptr;
  }();
  return made;
}
void begin(const char* name) noexcept {
  __itt_task_begin(domain(), __itt_null, __itt_null, __itt_string_handle_create(name));
}
void end() noexcept { __itt_task_end(domain()); }
#else
bool domain() noexcept { return false; }
void begin(const char*) noexcept {}
void end() noexcept {}
#endif
}  // namespace itt

}  // namespace

std::atomic<bool> observed = is_always_observed();

void observe(bool profile_is_running) noexcept {
  observed.store(profile_is_running || is_always_observed());
}

std::vector<const char*> range_interfaces() {
  std::vector<const char*> all;
#ifdef HITHER_NVTX
  all.push_back("NVTX");
#endif
#ifdef HITHER_ITT
  all.push_back("ITT");
#endif
  return all;
}

void Range::begin(std::string_view what, std::string_view name) noexcept try {
  const bool to_nvtx = nvtx::domain(), to_itt = itt::domain();
  if (!to_nvtx && !to_itt) return;
  const std::string text = std::string(what).append(name);
  if (to_nvtx) nvtx::begin(text.c_str());
  if (to_itt) itt::begin(text.c_str());
  nvtx_ = to_nvtx;
  itt_ = to_itt;
} catch (...) {  // memory is exhausted: there is no range
}

void Range::end() noexcept {
  if (nvtx_) nvtx::end();
  if (itt_) itt::end();
}

std::string_view KernelNaming::now(std::string_view otherwise) noexcept {
  return kernel_name.empty() ? otherwise : kernel_name;
}

std::string_view KernelNaming::exchange(std::string_view name) noexcept {
  return std::exchange(kernel_name, name);
}

}  // namespace hither::profiling
