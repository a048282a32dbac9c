// A contiguous block of memory that a group keeps in local memory, where each item accesses a run
// of it.
#pragma once

#include <functional>

#include "array/emit/group.h"

namespace hither::array {

/// Space for items * rounds elements of one dtype. Consecutive items read and write consecutive
/// memory, in words of 16 bytes with `wide`. In local memory each item accesses the elements of its
/// own run.
class LocalTile {
 public:
  struct Extent {
    DType dtype;
    int items, rounds;
    bool wide;  ///< the block in memory is aligned to kVectorBytes
    /// With gaps, runs have a length for which has_gaps() holds and are contiguous in the block;
    /// gaps between them avoid bank conflicts. Without gaps, a run of odd length avoids them.
    bool gaps;
  };
  static constexpr int kVectorBytes = 16;

  /// With `same_place`, this tile uses the local memory of that tile.
  LocalTile(ModuleBuilder& m, GroupEmitter& g, const Extent& extent, const LocalTile* same_place);

  /// Loads the `count` elements at `from`; null means a full tile. A barrier has to follow before
  /// elements are read. With `wide` and fewer elements than a vector holds, the vector before
  /// `from` must be readable.
  void fetch(llvm::Value* from, llvm::Value* count);
  /// Writes `count` elements: the i-th one to element place(i) of `to`, or to element i if wide.
  void put_back(llvm::Value* to, llvm::Value* count,
                const std::function<llvm::Value*(llvm::Value*)>& place);
  /// Element r of the run that starts at element `first`.
  Element load(llvm::Value* first, int r);
  void store(const Element& e, llvm::Value* first, int r);
  /// Stores element n of the block. A barrier has to follow before it is read.
  void store_at(const Element& e, llvm::Value* n);

  static bool has_gaps(int64_t run_bytes);

 private:
  using Ir = llvm::Value;
  using Words = llvm::SmallVector<Ir*, 4>;

  llvm::IRBuilder<>& b() { return m_.b(); }
  Ir* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  int vectors() const;
  /// Bound on the word indices of iteration k, for `count` words (null: a full tile); null if no
  /// bound is needed. With runs of odd length only some items take part in the last iteration.
  Ir* end_of_iteration(int k, Ir* count);
  Ir* address(Ir* bytes);
  Ir* address_in_run(Ir* first, int r);
  Words read(Ir* at, int size, int alignment);
  void write(const Words& words, Ir* at, int alignment);
  void copy_one(Ir* from, Ir* to);
  void when(Ir* condition, const std::function<void()>& then);

  ModuleBuilder& m_;
  GroupEmitter& g_;
  ElementEmitter one_;
  Extent x_;
  Ir* memory_;
};

}  // namespace hither::array
