// Symbols that code of this build needs and that glibc 2.28 lacks. link_libraries.py puts them into
// an archive, which the linker uses only if the policy's glibc lacks a symbol.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

// glibc 2.32. False lets std::shared_ptr count by atomic operations, as a process with threads
// does.
HIDDEN char __libc_single_threaded = 0;

// glibc 2.33. Before, these were inline functions, which called a function with a version.
#define STAT_VERSION 1
int __xstat(int version, const char* path, struct stat* result);
int __lxstat(int version, const char* path, struct stat* result);
int __fxstat(int version, int file, struct stat* result);
int __fxstatat(int version, int folder, const char* path, struct stat* result, int flags);

HIDDEN int stat(const char* path, struct stat* result) {
  return __xstat(STAT_VERSION, path, result);
}
HIDDEN int lstat(const char* path, struct stat* result) {
  return __lxstat(STAT_VERSION, path, result);
}
HIDDEN int fstat(int file, struct stat* result) { return __fxstat(STAT_VERSION, file, result); }
HIDDEN int fstatat(int folder, const char* path, struct stat* result, int flags) {
  return __fxstatat(STAT_VERSION, folder, path, result, flags);
}

// glibc 2.33. LLVM prints these numbers in statistics, which hither does not use.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
HIDDEN struct mallinfo2 mallinfo2(void) {
  struct mallinfo m = mallinfo();
  struct mallinfo2 result = {.arena = (unsigned)m.arena, .uordblks = (unsigned)m.uordblks};
  return result;
}

// glibc 2.36. getrandom() of up to 256 bytes is never interrupted.
HIDDEN uint32_t arc4random(void) {
  uint32_t result;
  if (getrandom(&result, sizeof result, 0) != sizeof result) abort();
  return result;
}

// glibc 2.30. std::condition_variable::wait_for() calls it with CLOCK_MONOTONIC.
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                  clockid_t clock, const struct timespec* end) {
  struct timespec now, real;
  if (clock_gettime(clock, &now) || clock_gettime(CLOCK_REALTIME, &real)) return EINVAL;
  const int64_t second = 1000000000;
  int64_t left = (end->tv_sec - now.tv_sec) * second + end->tv_nsec - now.tv_nsec;
  if (left < 0) left = 0;
  left += real.tv_nsec;
  struct timespec until = {.tv_sec = real.tv_sec + left / second, .tv_nsec = left % second};
  return pthread_cond_timedwait(condition, mutex, &until);
}
