// Groups that keep away from the edges of their arrays.
#pragma once

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/cpu/region_writer.h"

namespace hither::compiler {

/// What the items of a region compare their indices with only because of the edges: clamps,
/// `min(max(i, 0), n - 1)`, and Python's test for a negative index. In most groups none of it makes
/// a difference to any item; such a group can run code without it, whose accesses are contiguous.
class InnerGroups {
 public:
  InnerGroups(const GroupFrame& frame, const Region& region);

  /// Appends to `head` what says whether this group is one: null where nothing is to be gained.
  llvm::Value* write_test(llvm::BasicBlock* head);
  /// What comes out in such a group.
  const Outcomes& outcomes() const noexcept { return outcomes_; }

 private:
  /// Of a value, over all items of the group; null where they are not known.
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
