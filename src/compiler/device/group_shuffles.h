// Group functions by shuffles in the sub-groups, and local memory between them.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/builtins.h"
#include "compiler/module/group_function.h"

namespace hither::compiler {

/// One call; its replacement is written where the builder stands. Devices that have functions of
/// their own for some kinds override those.
class GroupCall {
 public:
  GroupCall(llvm::CallInst& call, const GroupFunction& f, DeviceBuiltins& builtins)
      : call_(call), f_(f), b_(&call), type_(call.getType()), builtins_(builtins) {}
  virtual ~GroupCall() = default;
  llvm::Value* write();

 protected:
  virtual llvm::Value* combination() { return by_shuffles(); }
  /// Any or all of the group's items.
  virtual llvm::Value* vote() = 0;
  /// To all of a group, not of a sub-group.
  virtual llvm::Value* broadcast() = 0;
  /// So many sub-groups' values meet in local memory at once.
  virtual uint32_t sub_groups_at_once() const { return 256; }

  llvm::Value* x() const { return call_.getArgOperand(0); }
  llvm::Value* index() const { return call_.getArgOperand(1); }
  llvm::Value* query(Intrinsic intrinsic) { return builtins_.sub_group_query(b_, intrinsic); }
  llvm::Value* lane() { return query(Intrinsic::kSubGroupLocalId); }
  llvm::Value* size() { return query(Intrinsic::kSubGroupSize); }
  llvm::Value* least(llvm::Value* a, llvm::Value* b) {
    return b_.CreateSelect(b_.CreateICmpULT(a, b), a, b);
  }
  /// Integers of 32 or 64 bits are all that every device moves.
  llvm::Value* widened(llvm::Value* v);
  llvm::Value* narrowed(llvm::Value* v, llvm::Type* type);
  /// The value of lane `from`, which exists.
  llvm::Value* shuffled(llvm::Value* value, llvm::Value* from);
  llvm::Value* by_shuffles();
  /// An array that the group shares.
  llvm::GlobalVariable* local_table(llvm::Type* type, const char* name);
  /// Stores where the condition holds; the builder then stands behind.
  void write_if(llvm::Value* condition, llvm::Value* value,
                llvm::function_ref<llvm::Value*()> where);
  void barrier() { builtins_.barrier(b_, b_.getInt32(1)); }

  llvm::CallInst& call_;
  const GroupFunction f_;
  llvm::IRBuilder<> b_;
  llvm::Type* type_;
  DeviceBuiltins& builtins_;

 private:
  using Body = llvm::function_ref<llvm::Value*(llvm::Value*, llvm::Value*)>;
  llvm::Value* shuffle();
  llvm::Value* loop(llvm::Value* first, llvm::Value* end, llvm::Value* start, Body body,
                    llvm::function_ref<llvm::Value*(llvm::Value*)> next);
  llvm::Value* inner_loop(llvm::Value* count, llvm::Value* start, Body body);
  llvm::Value* scan_in_sub_group(llvm::Value* own, llvm::Value* count);
  llvm::Value* between_sub_groups(llvm::Value* all, llvm::Value* own_lane);
};

/// Calls replace(call, function), which gives the new value, for every group function in `kernel`.
void replace_group_functions(
    llvm::Function& kernel,
    llvm::function_ref<llvm::Value*(llvm::CallInst&, const GroupFunction&)> replace);

}  // namespace hither::compiler
