// Annotations for ThreadSanitizer, which does not see oneTBB's synchronisation because oneTBB is
// not compiled with it.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace hither::drivers::native_cpu {

/// A later taken(address) happens after this call. oneTBB guarantees the order in each place that
/// calls these; the functions only tell the sanitizer, and are empty without it.
inline void handed_over([[maybe_unused]] void* address) noexcept {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(address);
#endif
}
inline void taken([[maybe_unused]] void* address) noexcept {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(address);
#endif
}

}  // namespace hither::drivers::native_cpu
