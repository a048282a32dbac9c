// Memory of small objects that come and go at every operation.
#pragma once

#include <cstddef>
#include <new>

namespace hither::array {

/// Gives T an operator new that takes from, and a delete that returns to, a bounded list of this
/// thread: no lock, no search. An object may die on another thread than it was made on. Under a
/// sanitizer every object comes from the heap, so that its errors are seen.
template <typename T>
struct Recycled {
  static void* operator new(size_t bytes) {
    List& list = mine();
    if (!list.first) return ::operator new(bytes);
    Block* block = list.first;
    list.first = block->next;
    --list.count;
    return block;
  }
  static void operator delete(void* p) noexcept {
    List& list = mine();
    if (list.closed || list.count >= kMost || kSanitized) {
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
  struct List {
    Block* first = nullptr;
    int count = 0;
    bool closed = false;  // the thread ends: what dies after this goes straight back
    ~List() {
      closed = true;
      while (first) {
        Block* block = first;
        first = block->next;
        ::operator delete(block);
      }
    }
  };
  static List& mine() noexcept {
    static thread_local List list;
    return list;
  }
};

}  // namespace hither::array
