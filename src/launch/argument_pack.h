// The arguments of one launch, packed in the layout of target::Signature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace hither::launch {

/// A buffer that starts on the stack and grows on the heap.
class ArgumentPack {
 public:
  void pointer(const void* value) { add(reinterpret_cast<uint64_t>(value)); }
  void integer(int64_t value) { add(static_cast<uint64_t>(value)); }
  /// `bytes` is at most 16. A slot starts at a multiple of 8.
  void number(const void* value, size_t bytes) {
    uint64_t slots[2] = {0, 0};
    std::memcpy(slots, value, bytes);
    add(slots[0]);
    if (bytes > 8) add(slots[1]);
  }
  std::span<const std::byte> bytes() const noexcept {
    const uint64_t* first = spilled_.empty() ? inline_ : spilled_.data();
    return {reinterpret_cast<const std::byte*>(first), count_ * sizeof(uint64_t)};
  }

 private:
  static constexpr size_t kInline = 64;

  void add(uint64_t slot) {
    if (count_ < kInline) {
      inline_[count_++] = slot;
      return;
    }
    if (spilled_.empty()) spilled_.assign(inline_, inline_ + kInline);
    spilled_.push_back(slot);
    ++count_;
  }

  uint64_t inline_[kInline];
  size_t count_ = 0;
  std::vector<uint64_t> spilled_;
};

}  // namespace hither::launch
