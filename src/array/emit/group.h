// Kernels that use work-groups: ids, barriers, local memory and exchange of values.
#pragma once

#include "array/emit/element.h"
#include "array/emit/module.h"

namespace hither::array {

/// Emits code for one-dimensional groups.
class GroupEmitter {
 public:
  explicit GroupEmitter(ModuleBuilder& m) : m_(m) {}

  /// This item's ids, i64.
  llvm::Value* item() { return m_.place("hither.local_id", 0); }
  llvm::Value* group() { return m_.place("hither.group_id", 0); }
  /// A barrier of the group that orders accesses to global and local memory.
  void barrier();
  /// Broadcasts the i32 of item 0. The result is known to be uniform.
  llvm::Value* from_first(llvm::Value* value);
  /// The value of the sub-group item whose id differs in the bits of `mask`. Convergent.
  Element exchanged(const Element& e, int mask);
  /// Local memory for `count` values, as a generic address.
  llvm::Value* local_array(llvm::Type* type, int count);

 private:
  ModuleBuilder& m_;
};

}  // namespace hither::array
