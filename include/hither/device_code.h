// The functions that kernels written in C++ may call. Compiled by clang alone, through the CMake
// function hither_add_kernels(); the program that launches them includes <hither/module.h>.
//
//   #include <hither/device.h>
//   using namespace hither::device;
//
//   HITHER_KERNEL void scale(const float* x, float* y, float factor, int64_t n) {
//     const int64_t i = global_id();
//     if (i < n) y[i] = factor * x[i];
//   }
//
// A kernel takes pointers to USM memory, integers, bool, _Float16, float and double by value. There
// are no exceptions, no virtual calls, no recursion, no writable globals and no heap; C's math
// functions are available by their builtin names (__builtin_sqrtf, __builtin_sin). Templates,
// lambdas and inline functions are inlined. Dimension 0 is the outermost one, as in SYCL.
#pragma once

#ifndef HITHER_DEVICE_CODE
#error "kernels are compiled through hither_add_kernels(); programs include <hither/module.h>"
#endif

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

/// Before `void name(...)`: a function that programs launch by its name.
#define HITHER_KERNEL extern "C" __attribute__((section("hither.kernel")))

/// Local memory, one for each work-group: `HITHER_LOCAL float tile[16][17];` inside a kernel. Not
/// initialised. A parameter `HITHER_LOCAL_POINTER(float) p` gets its size from the launch.
#define HITHER_LOCAL static __attribute__((address_space(3)))
#define HITHER_LOCAL_POINTER(T) __attribute__((address_space(3))) T*

/// Records a failed assertion with this line and the work-item. The launch's event, and reads of
/// arrays that the kernel writes, raise the error. The kernel itself continues: it should return or
/// avoid the faulty operation.
#define HITHER_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::hither::device::raise(3, __LINE__))

namespace hither::device {

#define HITHER_BUILTIN(NAME) __asm__("hither." NAME)
#define HITHER_PURE __attribute__((const))

// Ids and sizes, in work-items or groups; `dimension` counts from 0.
HITHER_PURE int64_t global_id(int32_t dimension = 0) HITHER_BUILTIN("global_id");
HITHER_PURE int64_t global_size(int32_t dimension = 0) HITHER_BUILTIN("global_size");
HITHER_PURE int64_t local_id(int32_t dimension = 0) HITHER_BUILTIN("local_id");
HITHER_PURE int64_t local_size(int32_t dimension = 0) HITHER_BUILTIN("local_size");
HITHER_PURE int64_t group_id(int32_t dimension = 0) HITHER_BUILTIN("group_id");
HITHER_PURE int64_t num_groups(int32_t dimension = 0) HITHER_BUILTIN("num_groups");
HITHER_PURE int32_t sub_group_size() HITHER_BUILTIN("sub_group_size");
HITHER_PURE int32_t sub_group_local_id() HITHER_BUILTIN("sub_group_local_id");
HITHER_PURE int32_t sub_group_id() HITHER_BUILTIN("sub_group_id");
HITHER_PURE int32_t num_sub_groups() HITHER_BUILTIN("num_sub_groups");

/// The memory that a barrier orders.
enum Fence : int32_t { kLocalFence = 1, kGlobalFence = 2, kAllFences = 3 };
/// Every work-item of the group waits until all have reached the barrier. All of them must reach
/// it.
__attribute__((convergent)) void barrier(int32_t fence = kAllFences) HITHER_BUILTIN("barrier");
__attribute__((convergent)) void sub_group_barrier(int32_t fence = kAllFences)
    HITHER_BUILTIN("sub_group_barrier");
/// Records an error: see HITHER_ASSERT.
void raise(int32_t code, int32_t line) HITHER_BUILTIN("raise");

/// Casts a pointer to local memory to the generic address space.
template <typename T>
T* generic(HITHER_LOCAL_POINTER(T) p) {
  return (T*)p;
}

/// Memory order of atomics, as std::memory_order.
enum class Order : int {
  kRelaxed = __ATOMIC_RELAXED,
  kAcquire = __ATOMIC_ACQUIRE,
  kRelease = __ATOMIC_RELEASE,
  kAcquireRelease = __ATOMIC_ACQ_REL,
  kSequential = __ATOMIC_SEQ_CST
};

// Atomics on global memory and, through a pointer that HITHER_LOCAL memory decays to, on local
// memory. T: 32- or 64-bit integers, float, double (no bit operations). All return the old value.
template <typename P>
using Value = __remove_cvref(decltype(*P() + 0));
#define HITHER_ATOMIC(OP)                                                           \
  template <typename P, typename T>                                                 \
  auto atomic_##OP(P* p, T value) {                                                 \
    return __atomic_fetch_##OP(p, static_cast<Value<P*>>(value), __ATOMIC_RELAXED); \
  }
HITHER_ATOMIC(add)
HITHER_ATOMIC(sub)
HITHER_ATOMIC(min)
HITHER_ATOMIC(max)
HITHER_ATOMIC(and)
HITHER_ATOMIC(or)
HITHER_ATOMIC(xor)
#undef HITHER_ATOMIC
template <typename P, typename T>
auto atomic_exchange(P* p, T value) {
  Value<P*> desired = value, old;
  __atomic_exchange((Value<P*>*)p, &desired, &old, __ATOMIC_ACQ_REL);
  return old;
}
/// Stores `desired` and returns true if *p equals `expected`; else returns false. `expected`
/// receives the old value.
template <typename P, typename T>
bool atomic_compare_exchange(P* p, Value<P*>& expected, T desired) {
  Value<P*> wanted = desired;
  return __atomic_compare_exchange((Value<P*>*)p, &expected, &wanted, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE);
}
template <typename P>
auto atomic_load(P* p) {
  Value<P*> value;
  __atomic_load((Value<P*>*)p, &value, __ATOMIC_ACQUIRE);
  return value;
}
template <typename P, typename T>
void atomic_store(P* p, T value) {
  Value<P*> desired = value;
  __atomic_store((Value<P*>*)p, &desired, __ATOMIC_RELEASE);
}
inline void atomic_fence(Order order = Order::kSequential) {
  switch (order) {
    case Order::kRelaxed:
      return;
    case Order::kAcquire:
      return __atomic_thread_fence(__ATOMIC_ACQUIRE);
    case Order::kRelease:
      return __atomic_thread_fence(__ATOMIC_RELEASE);
    case Order::kAcquireRelease:
      return __atomic_thread_fence(__ATOMIC_ACQ_REL);
    default:
      return __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// Group functions are convergent: every work-item of the (sub-)group must reach the same call. For
// int32_t, int64_t, uint32_t, uint64_t, float and double: S_reduce_OP, S_inclusive_scan_OP and
// S_exclusive_scan_OP with S = group, sub_group and OP = add, mul, min, max; S_broadcast(value,
// linear local id); sub_group_shuffle, _shuffle_xor, _shuffle_up, _shuffle_down.
#define HITHER_CONVERGENT __attribute__((convergent))
#define HITHER_COMBINE(S, OP, T, NAME)                                                 \
  HITHER_CONVERGENT T S##_reduce_##OP(T x) HITHER_BUILTIN(#S "_reduce." #OP "." NAME); \
  HITHER_CONVERGENT T S##_inclusive_scan_##OP(T x)                                     \
      HITHER_BUILTIN(#S "_inclusive_scan." #OP "." NAME);                              \
  HITHER_CONVERGENT T S##_exclusive_scan_##OP(T x)                                     \
      HITHER_BUILTIN(#S "_exclusive_scan." #OP "." NAME);
#define HITHER_GROUP(S, T, NAME)  \
  HITHER_COMBINE(S, add, T, NAME) \
  HITHER_COMBINE(S, mul, T, NAME) \
  HITHER_COMBINE(S, min, T, NAME) \
  HITHER_COMBINE(S, max, T, NAME) \
  HITHER_CONVERGENT T S##_broadcast(T x, int32_t from) HITHER_BUILTIN(#S "_broadcast." NAME);
#define HITHER_TYPE(T, NAME)                                   \
  HITHER_GROUP(group, T, NAME)                                 \
  HITHER_GROUP(sub_group, T, NAME)                             \
  HITHER_CONVERGENT T sub_group_shuffle(T x, int32_t from)     \
      HITHER_BUILTIN("sub_group_shuffle." NAME);               \
  HITHER_CONVERGENT T sub_group_shuffle_xor(T x, int32_t mask) \
      HITHER_BUILTIN("sub_group_shuffle_xor." NAME);           \
  HITHER_CONVERGENT T sub_group_shuffle_up(T x, int32_t by)    \
      HITHER_BUILTIN("sub_group_shuffle_up." NAME);            \
  HITHER_CONVERGENT T sub_group_shuffle_down(T x, int32_t by)  \
      HITHER_BUILTIN("sub_group_shuffle_down." NAME);
HITHER_TYPE(int32_t, "i32")
HITHER_TYPE(int64_t, "i64")
HITHER_TYPE(uint32_t, "u32")
HITHER_TYPE(uint64_t, "u64")
HITHER_TYPE(float, "f32")
HITHER_TYPE(double, "f64")
#undef HITHER_TYPE
#undef HITHER_GROUP
#undef HITHER_COMBINE

HITHER_CONVERGENT uint32_t sub_group_match_builtin(uint32_t, int32_t)
    HITHER_BUILTIN("sub_group_match.u32");
HITHER_CONVERGENT int8_t group_any_builtin(int8_t) HITHER_BUILTIN("group_any_of");
HITHER_CONVERGENT int8_t group_all_builtin(int8_t) HITHER_BUILTIN("group_all_of");
HITHER_CONVERGENT int8_t sub_group_any_builtin(int8_t) HITHER_BUILTIN("sub_group_any_of");
HITHER_CONVERGENT int8_t sub_group_all_builtin(int8_t) HITHER_BUILTIN("sub_group_all_of");
inline bool group_any_of(bool x) { return group_any_builtin(x) != 0; }
inline bool group_all_of(bool x) { return group_all_builtin(x) != 0; }
inline bool sub_group_any_of(bool x) { return sub_group_any_builtin(x) != 0; }
inline bool sub_group_all_of(bool x) { return sub_group_all_builtin(x) != 0; }
/// Bit i says whether item i of the sub-group, which has at most 32 items, has the same number. All
/// numbers are below 2^kBits.
template <int kBits>
uint32_t sub_group_match(uint32_t number) {
  return sub_group_match_builtin(number, kBits);
}

#undef HITHER_CONVERGENT
#undef HITHER_PURE
#undef HITHER_BUILTIN

}  // namespace hither::device
