// Neighbours in memory that a group keeps in local memory, where items take runs of them.
#pragma once

#include <functional>

#include "array/emit/group.h"

namespace hither::array {

/// Room for items * rounds elements of one dtype. Groups read and write memory side by side, in
/// words of 16 bytes with `wide`; items then read and write elements of their own runs.
class LocalTile {
 public:
  struct Extent {
    DType dtype;
    int items, rounds;
    bool wide;  ///< memory that is moved starts at a multiple of kVectorBytes
    /// Runs have has_gaps() bytes, and follow each other: gaps between them make items ask for
    /// different banks. Without, runs of odd length do.
    bool gaps;
  };
  static constexpr int kVectorBytes = 16;

  /// `same_place` null, or another tile, whose memory this one shares.
  LocalTile(ModuleBuilder& m, GroupEmitter& g, const Extent& extent, const LocalTile* same_place);

  /// Takes the `count` elements at `from`; null means all there is room for. The group has to meet
  /// before anybody reads them. Where there are fewer than a vector of elements, one lies before.
  void fetch(llvm::Value* from, llvm::Value* count);
  /// Writes `count` elements, the i-th at element place(i) of `to` (at i if wide).
  void put_back(llvm::Value* to, llvm::Value* count,
                const std::function<llvm::Value*(llvm::Value*)>& place);
  /// Element r of the run that starts with element `first`.
  Element load(llvm::Value* first, int r);
  void store(const Element& e, llvm::Value* first, int r);

  static bool has_gaps(int64_t run_bytes);

 private:
  using Ir = llvm::Value;
  using Words = llvm::SmallVector<Ir*, 4>;

  llvm::IRBuilder<>& b() { return m_.b(); }
  Ir* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  int vectors() const;
  /// What places in words are below in turn k, of `count` words (null: all there is room for); null
  /// where all places are. The last turn of runs of odd length is not everybody's.
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
