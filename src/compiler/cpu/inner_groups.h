// Inner groups: groups whose indices stay away from the edges of their arrays.
#pragma once

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/cpu/region_writer.h"

namespace hither::compiler {

/// Finds the index checks of a region that only matter at the edges of arrays: clamps, `min(max(i,
/// 0), n - 1)`, and Python's test for a negative index. In most groups they have no effect on any
/// item. Such a group can run code without them, whose accesses are contiguous.
class InnerGroups {
 public:
  InnerGroups(const GroupFrame& frame, const Region& region);

  /// Appends a test to `head` whether this group is an inner group. Null if inner groups would not
  /// be faster.
  llvm::Value* write_test(llvm::BasicBlock* head);
  /// The results of the checks in an inner group.
  const Outcomes& outcomes() const noexcept { return outcomes_; }

 private:
  /// The range of a value over all items of the group; null if it is not known.
  struct Bounds {
    llvm::Value* low = nullptr;
    llvm::Value* high = nullptr;
    explicit operator bool() const noexcept { return low; }
  };

  bool is_worth_it() const;
  void add_clamp(const llvm::IntrinsicInst& clamp);
  void add_sign_test(const llvm::ICmpInst& test);
  bool add_check(llvm::Value* check);
  Bounds bounds(llvm::Value* v, int depth = 0);
  Bounds bounds_of_sum(const llvm::BinaryOperator& sum, int depth);
  Bounds bounds_of_clamp(const llvm::IntrinsicInst& clamp, int depth);
  llvm::Value* in_head(llvm::Value* v, int depth);

  const GroupFrame& frame_;
  const Region& region_;
  llvm::IRBuilder<llvm::InstSimplifyFolder> b_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> in_head_;
  Outcomes outcomes_;
  llvm::Value* all_ = nullptr;
};

}  // namespace hither::compiler
