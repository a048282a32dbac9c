// The entry of a CPU kernel: it unpacks the arguments and calls the kernel in a loop nest.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/cpu/item_ids.h"
#include "compiler/cpu/item_strips.h"
#include "compiler/items/item_guards.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Name of the function that EntryLoops makes.
inline constexpr const char* kCpuEntryName = "hither_cpu_entry";

/// Builds a target::CpuEntry that calls `kernel` for each index of a WorkRange. The last of the
/// `dimensions` is innermost. The other dimensions are loops around them.
class EntryLoops {
 public:
  EntryLoops(llvm::Function& kernel, int dimensions);

  /// The finished function, into which the kernel is not yet inlined. The kernel gets the arguments
  /// of `signature`. With `pass_ids` it also gets the three indices, the three global sizes and the
  /// pointer to the ErrorRecord.
  llvm::Function* build(const target::Signature& signature, bool parallel, bool pass_ids);

  /// Called before build(). Only items that pass the guards then run.
  void run_within(llvm::SmallVector<ItemGuard, 4> guards) { guards_ = std::move(guards); }
  /// Called before build(). The last dimension then runs whole strips first, and the kernel for the
  /// remaining items.
  void run_strips(const ItemStrip& strip) { strip_ = strip; }

  llvm::CallInst* call() const noexcept { return call_; }
  /// The calls of the guards' bounds.
  llvm::ArrayRef<llvm::CallInst*> guard_calls() const noexcept { return guard_calls_; }
  /// Null if there are no strips.
  llvm::CallInst* strip_call() const noexcept { return strip_call_; }
  /// The ids of the items, for a range of items.
  const ItemIds& sources() const noexcept { return sources_; }
  llvm::MDNode* access_group() const noexcept { return access_group_; }

 private:
  struct Loop {
    llvm::BasicBlock* head;
    llvm::BasicBlock* latch;
    llvm::PHINode* index;
    llvm::Value* end;
  };

  llvm::LoadInst* invariant(llvm::LoadInst* load);
  llvm::SmallVector<llvm::Value*, 16> load_arguments(const target::Signature& signature);
  llvm::Value* load_argument(target::Parameter parameter, llvm::Argument& argument,
                             uint64_t offset);
  llvm::Value* load_size(uint64_t field, int dim, const char* name);
  void apply_guards();
  void open_loops();
  void write_strips(int dim);
  void append_ids(llvm::SmallVectorImpl<llvm::Value*>& arguments) const;
  void open_loop(int dim);
  void close_loops(bool parallel);
  llvm::MDNode* loop_metadata(bool parallel);

  llvm::Function& kernel_;
  int dimensions_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> b_;
  llvm::Function* entry_;
  llvm::BasicBlock* exit_ = nullptr;
  Loop loops_[3];
  int depth_ = 0;
  llvm::Value* begin_[3];
  llvm::Value* end_[3];
  ItemIds sources_;
  llvm::SmallVector<ItemGuard, 4> guards_;
  ItemStrip strip_;
  llvm::SmallVector<llvm::Value*, 16> arguments_;
  llvm::SmallVector<llvm::CallInst*, 4> guard_calls_;
  llvm::CallInst* call_ = nullptr;
  llvm::CallInst* strip_call_ = nullptr;
  llvm::MDNode* access_group_;
};

/// Inlines the kernel, or another function, into the finished entry and removes it.
void inline_kernel(llvm::Function& kernel, llvm::CallInst& call);

}  // namespace hither::compiler
