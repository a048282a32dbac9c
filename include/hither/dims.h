// A small fixed-capacity list of extents, strides or axes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace hither {

/// The largest number of dimensions of an array.
inline constexpr int kMaxRank = 32;

/// Up to kMaxRank int64 values, stored inline: shapes and strides never allocate.
class Dims {
 public:
  using value_type = int64_t;

  Dims() noexcept = default;
  explicit Dims(int size, int64_t value) noexcept : size_(size) { std::fill_n(data_, size, value); }
  Dims(std::initializer_list<int64_t> v) noexcept : Dims(std::span(v.begin(), v.size())) {}
  /// Precondition: values.size() <= kMaxRank.
  explicit Dims(std::span<const int64_t> values) noexcept : size_(static_cast<int>(values.size())) {
    std::copy(values.begin(), values.end(), data_);
  }
  Dims(const Dims& o) noexcept : size_(o.size_) { std::copy_n(o.data_, o.size_, data_); }
  Dims& operator=(const Dims& o) noexcept {  // NOLINT(bugprone-unhandled-self-assignment)
    size_ = o.size_;
    std::copy_n(o.data_, o.size_, data_);
    return *this;
  }

  int size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  int64_t& operator[](int i) noexcept { return data_[i]; }
  int64_t operator[](int i) const noexcept { return data_[i]; }
  int64_t& back() noexcept { return data_[size_ - 1]; }
  int64_t back() const noexcept { return data_[size_ - 1]; }
  int64_t* begin() noexcept { return data_; }
  int64_t* end() noexcept { return data_ + size_; }
  const int64_t* begin() const noexcept { return data_; }
  const int64_t* end() const noexcept { return data_ + size_; }
  /// Precondition: size() < kMaxRank.
  void push_back(int64_t v) noexcept { data_[size_++] = v; }
  void insert(int at, int64_t v) noexcept {
    std::copy_backward(data_ + at, data_ + size_, data_ + size_ + 1);
    data_[at] = v;
    ++size_;
  }
  void erase(int at) noexcept { std::copy(data_ + at + 1, data_ + size_--, data_ + at); }
  /// The product of all values; 1 when empty.
  int64_t product() const noexcept {
    int64_t p = 1;
    for (int64_t v : *this) p *= v;
    return p;
  }
  friend bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.size_ != b.size_) return false;
    for (int d = 0; d < a.size_; ++d)  // too few for a call of memcmp
      if (a.data_[d] != b.data_[d]) return false;
    return true;
  }

 private:
  int size_ = 0;  // first: with few values, all are in one cache line
  int64_t data_[kMaxRank];
};

}  // namespace hither
