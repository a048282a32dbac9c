#include "drivers/sycl/tbb_workers.h"

#include <dlfcn.h>

#include "drivers/sycl/device.h"

namespace hither::drivers::sycl {
namespace {

/// oneTBB's function of that name; null if no oneTBB is loaded.
template <class Function>
Function* tbb_function(const char* name) noexcept {
  void* const library = dlopen("libtbb.so.12", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return nullptr;
  auto* const found = reinterpret_cast<Function*>(dlsym(library, name));
  dlclose(library);  // Intel's runtime keeps it open
  return found;
}

void create(ThreadLimit& limit) {
  constexpr const char* kName = "_ZN3tbb6detail2r16createERNS0_2d114global_controlE";
  if (auto* const call = tbb_function<void(ThreadLimit&)>(kName)) call(limit);
}

size_t allowed_threads() {
  constexpr const char* kName = "_ZN3tbb6detail2r127global_control_active_valueEi";
  auto* const call = tbb_function<size_t(int)>(kName);
  return call ? call(ThreadLimit().parameter) : SIZE_MAX;
}

size_t units_of(const ::sycl::device& device) {
  return root_of(device).get_info<::sycl::info::device::max_compute_units>();
}

}  // namespace

UsualThreads::UsualThreads(const ::sycl::device& device) {
  if (!device.is_cpu() || allowed_threads() <= units_of(device)) return;
  limit_.threads = units_of(device);
  create(limit_);
}

UsualThreads::~UsualThreads() {
  constexpr const char* kName = "_ZN3tbb6detail2r17destroyERNS0_2d114global_controlE";
  if (limit_.threads == 0) return;
  if (auto* const call = tbb_function<void(ThreadLimit&)>(kName)) call(limit_);
}

void allow_a_worker_for_each_unit(const ::sycl::device& device) {
  if (!device.is_cpu()) return;
  static const bool tried = [&] {
    const size_t wanted = units_of(device) + 1;
    if (allowed_threads() < wanted) create(*new ThreadLimit{.threads = wanted});  // for ever
    return true;
  }();
  (void)tried;
}

}  // namespace hither::drivers::sycl
