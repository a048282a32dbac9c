// Kernels whose items work in groups: where an item is, and how items give each other values.
#pragma once

#include "array/emit/element.h"
#include "array/emit/module.h"

namespace hither::array {

/// Groups of one dimension.
class GroupEmitter {
 public:
  explicit GroupEmitter(ModuleBuilder& m) : m_(m) {}

  /// This item's places, i64.
  llvm::Value* item() { return m_.place("hither.local_id", 0); }
  llvm::Value* group() { return m_.place("hither.group_id", 0); }
  /// All items of the group meet; what they wrote, to memory of any kind, is seen behind it.
  void barrier();
  /// The i32 of item 0, which every item then knows to be the same.
  llvm::Value* from_first(llvm::Value* value);
  /// What the item has whose place in its sub-group differs in the bits of `mask`. Reached by all.
  Element exchanged(const Element& e, int mask);
  /// Local memory for `count` values; a generic address.
  llvm::Value* local_array(llvm::Type* type, int count);

 private:
  ModuleBuilder& m_;
};

}  // namespace hither::array
