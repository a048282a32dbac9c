// A sort of one long row on all threads of an arena.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "drivers/native_cpu/arena.h"
#include "drivers/native_cpu/vector_sort.h"

namespace hither::drivers::native_cpu {

/// Calls body(i) for each i in [0, count) on the arena's threads. Rethrows one of the exceptions.
template <class Body>
void in_parallel(Arena& arena, int64_t count, const Body& body) {
  struct Data {
    const Body& body;
    std::exception_ptr error;
    std::atomic<bool> failed{false};
  } data{body, nullptr};
  const auto call = [](void* p, int64_t i) {
    auto& d = *static_cast<Data*>(p);
    try {
      d.body(i);
    } catch (...) {
      if (!d.failed.exchange(true)) d.error = std::current_exception();
    }
  };
  arena.for_each(count, call, &data);
  if (data.error) std::rethrow_exception(data.error);
}

/// Distributes the items of a row to buckets, which cover successive intervals of the order, and
/// sorts each bucket on one thread (super scalar sample sort: Sanders and Winkel, 2004). Items are
/// ordered by all of their bits, so the result does not depend on the number of threads.
template <class Item>
class ParallelSort {
 public:
  /// make(i) gives item i of `count`. The sorted items are left in `items`, and finish(first, end)
  /// is called for each sorted piece of them.
  template <class Make, class Finish>
  static void run(Arena& arena, Item* items, int64_t count, const Make& make,
                  const Finish& finish) {
    ParallelSort sort(arena, items, count);
    sort.choose_splitters(make);
    sort.distribute(make);
    sort.sort_buckets(finish);
  }

 private:
  static constexpr int64_t kSamplesPerBucket = 32, kItemsPerBucket = 8192;
  static constexpr int kMostLevels = 8;

  ParallelSort(Arena& arena, Item* items, int64_t count)
      : arena_(arena), items_(items), count_(count) {
    const int64_t wanted =
        std::min<int64_t>(int64_t{8} * arena.concurrency(), count / kItemsPerBucket);
    while (levels_ < kMostLevels && (int64_t{1} << levels_) < wanted) ++levels_;
    blocks_ = int64_t{4} * arena.concurrency();
  }

  int64_t buckets() const noexcept { return int64_t{1} << levels_; }
  int64_t block_begin(int64_t block) const noexcept { return count_ / blocks_ * block; }
  int64_t block_end(int64_t block) const noexcept {
    return block + 1 == blocks_ ? count_ : block_begin(block + 1);
  }

  // The splitters form a complete binary search tree: the children of node j are 2j and 2j + 1.
  template <class Make>
  void choose_splitters(const Make& make) {
    std::vector<Item> samples;
    uint64_t random = 1;
    for (int64_t i = 0; i < buckets() * kSamplesPerBucket; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      samples.push_back(make(static_cast<int64_t>((random >> 16) % static_cast<uint64_t>(count_))));
    }
    vector_sort(samples.data(), samples.size());
    for (int level = 0; level < levels_; ++level)
      for (int64_t n = 0; n < int64_t{1} << level; ++n) {
        const auto at =
            static_cast<size_t>((2 * n + 1) * kSamplesPerBucket << (levels_ - level - 1));
        tree_[(int64_t{1} << level) + n] = samples[at];
      }
  }

  int64_t bucket_of(const Item& item) const noexcept {
    int64_t node = 1;
    for (int level = 0; level < levels_; ++level) node = 2 * node + !(item < tree_[node]);
    return node - buckets();
  }

  template <class Make>
  void distribute(const Make& make) {
    const int64_t buckets = this->buckets();
    const auto chosen = std::make_unique_for_overwrite<uint8_t[]>(static_cast<size_t>(count_));
    // Counts, and then positions, of each block's items in each bucket.
    std::vector<int64_t> positions(static_cast<size_t>(blocks_ * buckets));
    in_parallel(arena_, blocks_, [&](int64_t block) {
      int64_t counts[1 << kMostLevels] = {};
      for (int64_t i = block_begin(block); i < block_end(block); ++i) {
        const int64_t bucket = bucket_of(make(i));
        chosen[static_cast<size_t>(i)] = static_cast<uint8_t>(bucket);
        ++counts[bucket];
      }
      std::copy_n(counts, buckets, &positions[static_cast<size_t>(block * buckets)]);
    });
    int64_t next = 0;
    for (int64_t bucket = 0; bucket < buckets; ++bucket) {
      begins_[bucket] = next;
      for (int64_t block = 0; block < blocks_; ++block) {
        int64_t& position = positions[static_cast<size_t>(block * buckets + bucket)];
        next += std::exchange(position, next);
      }
    }
    begins_[buckets] = next;
    in_parallel(arena_, blocks_, [&](int64_t block) {
      int64_t to[1 << kMostLevels];
      std::copy_n(&positions[static_cast<size_t>(block * buckets)], buckets, to);
      for (int64_t i = block_begin(block); i < block_end(block); ++i)
        items_[to[chosen[static_cast<size_t>(i)]]++] = make(i);
    });
  }

  template <class Finish>
  void sort_buckets(const Finish& finish) {
    in_parallel(arena_, buckets(), [&](int64_t bucket) {
      const int64_t begin = begins_[bucket], end = begins_[bucket + 1];
      vector_sort(items_ + begin, static_cast<size_t>(end - begin));
      finish(begin, end);
    });
  }

  Arena& arena_;
  Item* const items_;
  const int64_t count_;
  int levels_ = 1;
  int64_t blocks_ = 1;
  Item tree_[1 << kMostLevels];
  int64_t begins_[(1 << kMostLevels) + 1];
};

}  // namespace hither::drivers::native_cpu
