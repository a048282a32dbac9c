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

/// The variable of a value that other regions use: one for the group, or one for each item.
struct Variable {
  llvm::Value* memory = nullptr;
  llvm::Type* type = nullptr;  ///< of the value
  llvm::Type* kept = nullptr;  ///< in memory; booleans are stored as bytes
  bool each_item = false;
};

/// The data that all regions of a kernel share.
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
  llvm::Function* recorder = nullptr;  ///< records errors; created for the first raise
  llvm::AllocaInst* failed = nullptr;  ///< whether an item of the group has failed
  llvm::BasicBlock* leave = nullptr;   ///< the block that returns
  llvm::DenseMap<const llvm::Instruction*, Variable> values;
  llvm::DenseMap<const llvm::PHINode*, Variable> phis;
  llvm::DenseMap<const llvm::AllocaInst*, Variable> private_arrays;
  /// The first block of each region.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> heads;
};

/// Known results of instructions: an operand or a constant.
using Outcomes = llvm::DenseMap<const llvm::Instruction*, llvm::Value*>;

/// A region becomes a head, which computes uniform values once, the loops over items with the
/// region's code as their body, and a tail, which branches to the next region.
class RegionWriter {
 public:
  /// Writes at the end of `head`. `outcomes` hold for all items.
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

  /// A value in the body, or in the head if `in_head` contains it.
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
  llvm::BasicBlock* start_ = nullptr;  ///< first block of an item
  llvm::BasicBlock* end_ = nullptr;    ///< last block of an item
  llvm::BasicBlock* tail_ = nullptr;
  llvm::IRBuilder<> in_head_;   ///< appends to the head
  llvm::IRBuilder<> at_start_;  ///< appends to the first block of an item
  llvm::IRBuilder<> in_body_;
  ItemLoops loops_;
  llvm::BasicBlock* block_end_ = nullptr;       ///< the last block of a block of items
  llvm::BasicBlock* next_iteration_ = nullptr;  ///< the first block of its next iteration
  llvm::DenseMap<const llvm::Value*, llvm::Value*> values_;
  llvm::DenseSet<const llvm::Value*> known_in_head_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> blocks_;
  llvm::SmallVector<llvm::BasicBlock*, 4> error_blocks_;  ///< error exits of the region
  /// Uniform phis of other regions that get their values in the tail.
  llvm::SmallVector<std::pair<const llvm::PHINode*, llvm::Value*>, 4> phis_in_tail_;
  bool has_written_ = false;
  bool parallel_;
};

}  // namespace hither::compiler
