// Memory for small objects that are created and destroyed at every operation.
#pragma once

#include <cstddef>
#include <new>

namespace hither::runtime {

/// Blocks of one size in a bounded thread-local free list, without lock or search. A block may be
/// returned on another thread. Under a sanitizer every block comes from the heap, so that errors
/// are detected.
template <size_t bytes>
class RecycledBlocks {
 public:
  static void* take() {
    List& list = list_;
    if (!list.first) return ::operator new(bytes);
    Block* block = list.first;
    list.first = block->next;
    --list.count;
    return block;
  }
  static void give(void* p) noexcept {
    List& list = list_;
    if (list.count >= list.most && !open(list)) {
      ::operator delete(p);
      return;
    }
    list.first = new (p) Block{list.first};
    ++list.count;
  }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr bool kSanitized = true;
#else
  static constexpr bool kSanitized = false;
#endif
  static constexpr int kMost = 256;
  struct Block {
    Block* next;
  };
  /// Without constructor and destructor, because an object that has them takes two look-ups of
  /// thread-local storage at each use. Closing empties it.
  struct List {
    Block* first;
    int count;
    int most;  ///< 0 before the first block is returned; -1 when the thread ends
  };
  struct Closing {
    ~Closing() {
      List& list = list_;
      list.most = -1;
      while (Block* const block = list.first) {
        list.first = block->next;
        ::operator delete(block);
      }
    }
  };
  /// Whether a list that seems to be full takes another block.
  static bool open(List& list) noexcept {
    if (list.most != 0 || kSanitized) return false;
    list.most = kMost;
    static thread_local const Closing closing;
    (void)closing;
    return true;
  }

  static inline thread_local constinit List list_{};
};

/// Gives T an operator new and delete over recycled blocks.
template <typename T>
struct Recycled {
  static void* operator new(size_t) { return RecycledBlocks<sizeof(T)>::take(); }
  static void operator delete(void* p) noexcept { RecycledBlocks<sizeof(T)>::give(p); }
};

/// For std::allocate_shared: object and reference counts are in one recycled block.
template <typename T>
struct RecyclingAllocator {
  using value_type = T;
  RecyclingAllocator() noexcept = default;
  template <typename U>
  RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}  // NOLINT
  T* allocate(size_t) { return static_cast<T*>(RecycledBlocks<sizeof(T)>::take()); }
  void deallocate(T* p, size_t) noexcept { RecycledBlocks<sizeof(T)>::give(p); }
  template <typename U>
  bool operator==(const RecyclingAllocator<U>&) const noexcept {
    return true;
  }
};

}  // namespace hither::runtime
