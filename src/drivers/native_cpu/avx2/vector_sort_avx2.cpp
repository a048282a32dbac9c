// Highway's sort of 32-bit keys for at most AVX2. Highway includes this file once for each target.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL | HWY_SSSE3 | HWY_SSE4)
#include <hwy/detect_targets.h>
#if !defined(HWY_AVX3_ZEN4) && defined(__x86_64__)  // else Highway itself knows slow machines
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "drivers/native_cpu/avx2/vector_sort_avx2.cpp"
#include <algorithm>

#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/highway.h>

#include "drivers/native_cpu/vector_sort.h"

HWY_BEFORE_NAMESPACE();
namespace hither::drivers::native_cpu {
namespace HWY_NAMESPACE {

void sort_keys(uint32_t* keys, size_t count) {
#if VQSORT_ENABLED
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::detail::SharedTraits<hn::detail::TraitsLane<hn::detail::OrderAscending<uint32_t>>>
      order;
  hn::Sort(hn::SortTag<uint32_t>(), order, keys, count, static_cast<uint32_t*>(nullptr));
#else
  std::sort(keys, keys + count);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace hither::drivers::native_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hither::drivers::native_cpu {

HWY_EXPORT(sort_keys);

void vector_sort_avx2(uint32_t* keys, size_t count) {
  HWY_DYNAMIC_DISPATCH(sort_keys)(keys, count);
}

}  // namespace hither::drivers::native_cpu
#endif
#endif
