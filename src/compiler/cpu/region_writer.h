// Writes one region as a loop over the items of a group.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/cpu/crossing_values.h"
#include "compiler/cpu/group_function_writer.h"
#include "compiler/cpu/item_loops.h"
#include "compiler/module/barrier_regions.h"
#include "compiler/module/error_exits.h"
#include "compiler/module/group_kernel.h"

namespace hither::compiler {

/// Where values stay between regions: a variable of the group, or one for each item.
struct Variable {
  llvm::Value* memory = nullptr;
  llvm::Type* type = nullptr;  ///< of the value
  llvm::Type* kept = nullptr;  ///< in memory: booleans are bytes there
  bool each_item = false;
};

/// What all regions of a kernel share.
struct GroupFrame {
  GroupFrame(const GroupKernel& g, const CrossingValues& c, const ErrorExits& e)
      : group(g),
        crossing(c),
        exits(e),
        access_group(llvm::MDNode::getDistinct(g.function->getContext(), {})) {}
  const GroupKernel& group;
  const CrossingValues& crossing;
  const ErrorExits& exits;
  llvm::MDNode* access_group;
  llvm::Function* recorder = nullptr;  ///< of errors, made when there is one
  llvm::AllocaInst* failed = nullptr;  ///< whether an item of the group has failed
  llvm::BasicBlock* leave = nullptr;   ///< returns
  llvm::DenseMap<const llvm::Instruction*, Variable> values;
  llvm::DenseMap<const llvm::PHINode*, Variable> phis;
  llvm::DenseMap<const llvm::AllocaInst*, Variable> private_arrays;
  /// Where each region begins.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> heads;
};

/// What an instruction comes to: one of its operands, or a constant.
using Outcomes = llvm::DenseMap<const llvm::Instruction*, llvm::Value*>;

/// head: what is the same for all items, once; then the loops, whose body is the region's code for
/// one item; then tail: the way to the next region.
class RegionWriter {
 public:
  /// From `head` on; with `outcomes` known for all items.
  RegionWriter(GroupFrame& frame, const Region& region, llvm::BasicBlock* head,
               const Outcomes& outcomes = Outcomes());
  void write();

 private:
  bool has_nothing_for_items() const;
  llvm::BasicBlock* write_blocks();
  void write_block(llvm::BasicBlock& block);
  void write_instruction(llvm::Instruction& i);
  bool write_in_head(llvm::Instruction& i);
  void write_phi(llvm::PHINode& phi);
  void write_outgoing(llvm::BasicBlock& block);
  void write_terminator(llvm::BasicBlock& block);
  void fill_phis();
  void write_group_function(const llvm::CallInst& operation);
  GroupOperand group_operand(llvm::Value* v);
  void write_error_exits();
  void write_raise(const llvm::CallInst& raise);
  llvm::BasicBlock* target(llvm::BasicBlock* from, llvm::BasicBlock* to);
  void write_tail();
  void keep(const llvm::Instruction& i, llvm::Value* value, llvm::IRBuilder<>& at);

  /// A value in the body, or in the head where `in_head` says that it is known there.
  llvm::Value* value(llvm::Value* v);
  llvm::Value* from_outside(llvm::Instruction& i);
  bool is_known_in_head(const llvm::Value* v) const;
  llvm::Value* load(const Variable& variable, llvm::IRBuilder<>& at);
  void store(llvm::Value* value, const Variable& variable, llvm::IRBuilder<>& at);
  llvm::Value* address(const Variable& variable, llvm::IRBuilder<>& at);
  void mark(llvm::Instruction& access) const;
  void mark_own(llvm::Instruction& access) const;

  GroupFrame& frame_;
  const Region& region_;
  const Outcomes outcomes_;
  llvm::LLVMContext& context_;
  llvm::BasicBlock* head_;
  llvm::BasicBlock* start_ = nullptr;  ///< of an item
  llvm::BasicBlock* end_ = nullptr;    ///< of an item
  llvm::BasicBlock* tail_ = nullptr;
  llvm::IRBuilder<> in_head_;   ///< appends to the head
  llvm::IRBuilder<> at_start_;  ///< appends to what an item begins with
  llvm::IRBuilder<> in_body_;
  ItemLoops loops_;
  llvm::BasicBlock* block_end_ = nullptr;       ///< where a block of items ends its loop
  llvm::BasicBlock* next_iteration_ = nullptr;  ///< where it begins the next turn
  llvm::DenseMap<const llvm::Value*, llvm::Value*> values_;
  llvm::DenseSet<const llvm::Value*> known_in_head_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> blocks_;
  llvm::SmallVector<llvm::BasicBlock*, 4> error_blocks_;  ///< error exits that the region reaches
  /// A uniform phi of another region that gets its value in the tail.
  llvm::SmallVector<std::pair<const llvm::PHINode*, llvm::Value*>, 4> phis_in_tail_;
  bool has_written_ = false;
  bool parallel_;
};

}  // namespace hither::compiler
