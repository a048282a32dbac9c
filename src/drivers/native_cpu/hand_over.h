// What ThreadSanitizer cannot see: oneTBB's library is not compiled with it.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace hither::drivers::native_cpu {

/// What this thread has done is handed to whoever calls taken(address) later. oneTBB does so in
/// fact wherever these are called; this says it to the sanitizer, and is nothing without one.
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
