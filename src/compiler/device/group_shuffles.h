// Group functions by shuffles within sub-groups, and local memory between sub-groups.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/builtins.h"
#include "compiler/module/group_function.h"

namespace hither::compiler {

/// One call. write() emits its replacement before it. Devices override the kinds for which they
/// have builtins.
class GroupCall {
 public:
  GroupCall(llvm::CallInst& call, const GroupFunction& f, DeviceBuiltins& builtins)
      : call_(call), f_(f), b_(&call), type_(call.getType()), builtins_(builtins) {}
  virtual ~GroupCall() = default;
  llvm::Value* write();

 protected:
  virtual llvm::Value* combination() { return by_shuffles(); }
  /// hither.group_any_of and hither.group_all_of, and those of sub-groups.
  virtual llvm::Value* vote() = 0;
  virtual llvm::Value* match();
  /// A broadcast in the group, not in a sub-group.
  virtual llvm::Value* broadcast() = 0;
  /// The number of sub-groups that exchange values through local memory at once.
  virtual uint32_t sub_groups_at_once() const { return 256; }

  /// Whether the group is known to be a single sub-group.
  virtual bool is_one_sub_group() const { return false; }

  llvm::Value* x() const { return call_.getArgOperand(0); }
  llvm::Value* index() const { return call_.getArgOperand(1); }
  llvm::Value* query(Intrinsic intrinsic) { return builtins_.sub_group_query(b_, intrinsic); }
  llvm::Value* lane() { return query(Intrinsic::kSubGroupLocalId); }
  llvm::Value* size() { return query(Intrinsic::kSubGroupSize); }
  llvm::Value* least(llvm::Value* a, llvm::Value* b) {
    return b_.CreateSelect(b_.CreateICmpULT(a, b), a, b);
  }
  /// Converts to an integer of 32 or 64 bits, which every device can shuffle.
  llvm::Value* widened(llvm::Value* v);
  llvm::Value* narrowed(llvm::Value* v, llvm::Type* type);
  /// The value of lane `from`, which must exist.
  llvm::Value* shuffled(llvm::Value* value, llvm::Value* from);
  llvm::Value* by_shuffles();
  /// An array in local memory.
  llvm::GlobalVariable* local_table(llvm::Type* type, const char* name);
  /// Stores `value` if the condition holds. The builder then stands behind the branch.
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

/// Replaces every group function in `kernel` by the value that replace(call, function) returns.
void replace_group_functions(
    llvm::Function& kernel,
    llvm::function_ref<llvm::Value*(llvm::CallInst&, const GroupFunction&)> replace);

}  // namespace hither::compiler
