#include "drivers/sycl/device_heap.h"

#include <cstdlib>

namespace hither::drivers::sycl {

runtime::NativeHeap::Piece DeviceHeap::allocate(size_t bytes, size_t alignment, UsmType type) {
  if (bytes > SIZE_MAX - alignment) return {};
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* data = nullptr;
  if (device_->has_usm()) {
    constexpr ::sycl::usm::alloc kinds[] = {::sycl::usm::alloc::device, ::sycl::usm::alloc::shared,
                                            ::sycl::usm::alloc::host};
    try {
      data = ::sycl::aligned_alloc(alignment, whole, device_->native(), context_,
                                   kinds[static_cast<int>(type)]);
    } catch (const ::sycl::exception&) {
      return {};
    }
  } else {
    data = std::aligned_alloc(alignment, whole);
  }
  return {data, data};
}

void DeviceHeap::free(const Piece& piece, UsmType) noexcept {
  if (!device_->has_usm()) return std::free(piece.native);
  try {
    ::sycl::free(piece.native, context_);
  } catch (...) {
    return;  // not reported: the device and its memory are lost
  }
}

}  // namespace hither::drivers::sycl
