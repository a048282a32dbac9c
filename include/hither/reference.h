// Shared ownership of objects that count their own references.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace hither {

/// Base of reference-counted objects. T must have `static void destroy(const T*) noexcept`, called
/// when the last Reference is destroyed.
class Counted {
 public:
  Counted() noexcept = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  uint32_t reference_count() const noexcept { return count_.load(std::memory_order_acquire); }

 private:
  template <typename T>
  friend class Reference;
  mutable std::atomic<uint32_t> count_{0};
};

/// Tag of the constructor that adds an owner to an object which has owners.
struct Shared {};

/// A shared owner of a Counted object: one word, copies cost one atomic increment.
template <typename T>
class Reference {
 public:
  Reference() noexcept = default;
  /// Takes the first reference to a new object, which no other thread has seen.
  explicit Reference(T* fresh) noexcept : pointer_(fresh) {
    fresh->count_.store(1, std::memory_order_relaxed);
  }
  Reference(Shared, T* owned) noexcept : pointer_(owned) { retain(); }
  Reference(const Reference& o) noexcept : pointer_(o.pointer_) { retain(); }
  Reference(Reference&& o) noexcept : pointer_(std::exchange(o.pointer_, nullptr)) {}
  template <typename U>
    requires std::is_convertible_v<U*, T*>
  Reference(const Reference<U>& o) noexcept : pointer_(o.get()) {  // NOLINT
    retain();
  }
  Reference& operator=(Reference o) noexcept {
    std::swap(pointer_, o.pointer_);
    return *this;
  }
  ~Reference() {
    if (!pointer_) return;
    // The last owner needs no atomic subtraction, because no other owner could copy the reference.
    if (pointer_->count_.load(std::memory_order_acquire) == 1 ||
        pointer_->count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      std::remove_const_t<T>::destroy(pointer_);
  }
  T* get() const noexcept { return pointer_; }
  T* operator->() const noexcept { return pointer_; }
  T& operator*() const noexcept { return *pointer_; }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  friend bool operator==(const Reference& a, const Reference& b) noexcept {
    return a.pointer_ == b.pointer_;
  }

 private:
  void retain() noexcept {
    if (pointer_) pointer_->count_.fetch_add(1, std::memory_order_relaxed);
  }
  T* pointer_ = nullptr;
};

}  // namespace hither
