#include "compiler/cpu/group_loops.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/cpu/crossing_values.h"
#include "compiler/cpu/entry_loops.h"
#include "compiler/cpu/group_scratch.h"
#include "compiler/cpu/inner_groups.h"
#include "compiler/cpu/local_memory.h"
#include "compiler/cpu/region_writer.h"
#include "compiler/items/private_arrays.h"
#include "compiler/items/unmasked_accesses.h"
#include "compiler/module/barrier_regions.h"
#include "compiler/module/convergent_operation.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/uniformity.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Function;

/// Creates the variables, the private arrays and the head of each region in a new entry block.
class FrameMaker {
 public:
  FrameMaker(GroupFrame& frame) : frame_(frame), f_(*frame.group.function), b_(f_.getContext()) {}

  void make(const std::vector<std::unique_ptr<Region>>& regions) {
    BasicBlock* old_entry = &f_.getEntryBlock();
    BasicBlock* entry = BasicBlock::Create(f_.getContext(), "group", &f_, old_entry);
    b_.SetInsertPoint(entry);
    for (const llvm::Instruction* i : frame_.crossing.kept())
      frame_.values[i] = variable_of({i, false});
    for (const llvm::PHINode* phi : frame_.crossing.phis())
      frame_.phis[phi] = variable_of({phi, true});
    for (llvm::Instruction& i : llvm::instructions(f_))
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&i))
        if (i.getParent() != entry) frame_.private_arrays[array] = make_private_arrays(*array);
    for (const auto& region : regions)
      frame_.heads[region->entry] = BasicBlock::Create(f_.getContext(), "region", &f_);
    if (in_scratch_ > kMostScratch)
      refuse(
          f_.getName().str(),
          fmt::format("a work-group of {} items needs {} bytes for private memory and for values "
                      "that live across barriers, but at most {} are available; reduce the local "
                      "size or the private arrays",
                      frame_.group.items(), in_scratch_, kMostScratch));
    if (scratch_) scratch_->setArgOperand(0, b_.getInt64(in_scratch_));
    if (frame_.exits.any()) make_exit();
    b_.CreateBr(frame_.heads[old_entry]);
  }

 private:
  void make_exit() {
    frame_.failed = b_.CreateAlloca(b_.getInt1Ty(), nullptr, "failed");
    b_.CreateStore(b_.getFalse(), frame_.failed);
    frame_.leave = BasicBlock::Create(f_.getContext(), "leave", &f_);
    llvm::IRBuilder<>(frame_.leave).CreateRetVoid();
  }

  /// Allocates an array with one element for each item.
  void make_room(Variable& variable, llvm::Align align) {
    make_room(variable, align, static_cast<uint64_t>(frame_.group.items()));
  }

  /// The same for elements that only vectors of neighbouring items and single items access.
  void make_room_for_vectors(Variable& variable, llvm::Align align, uint64_t elements = 1) {
    const auto items = static_cast<uint64_t>(frame_.group.items());
    make_room(variable, align, elements * items + kMostLanes - 1);
    if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(variable.memory))
      allow_unmasked_accesses(*memory);
  }

  void make_room(Variable& variable, llvm::Align align, uint64_t count) {
    const llvm::DataLayout& layout = f_.getParent()->getDataLayout();
    constexpr uint64_t kVectorAlign = 64;
    align = std::max(align, llvm::Align(kVectorAlign));
    const uint64_t bytes = llvm::alignTo(layout.getTypeAllocSize(variable.kept) * count, align);
    if (on_stack_ + bytes > kMostStack) {
      variable.memory = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), scratch(), in_scratch_);
      in_scratch_ += bytes;
      return;
    }
    on_stack_ += bytes;
    llvm::AllocaInst* memory = b_.CreateAlloca(llvm::ArrayType::get(variable.kept, count));
    memory->setAlignment(align);
    variable.memory = memory;
  }

  /// The size of the call is set when all arrays are known.
  llvm::CallInst* scratch() {
    if (scratch_) return scratch_;
    llvm::FunctionCallee callee =
        f_.getParent()->getOrInsertFunction(kGroupScratchName, b_.getPtrTy(), b_.getInt64Ty());
    auto* function = llvm::cast<Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setReturnDoesNotAlias();
    function->setOnlyAccessesInaccessibleMemory();
    return scratch_ = b_.CreateCall(callee, {b_.getInt64(0)});
  }

  /// Slots that share memory have one variable.
  Variable variable_of(Slot slot) {
    const Slot first = frame_.crossing.first_of(slot);
    const auto [made, is_new] = made_.try_emplace(first);
    if (is_new) made->second = make_variable(*first.getPointer());
    return made->second;
  }

  Variable make_variable(const llvm::Instruction& i) {
    Variable variable;
    variable.type = i.getType();
    variable.kept = variable.type->isIntegerTy(1) ? b_.getInt8Ty() : variable.type;
    variable.each_item = !frame_.crossing.is_uniform(i);
    if (variable.each_item)
      make_room_for_vectors(variable, llvm::Align(1));
    else
      variable.memory = b_.CreateAlloca(variable.kept);
    return variable;
  }

  Variable make_private_arrays(const llvm::AllocaInst& array) {
    const auto count = llvm::cast<llvm::ConstantInt>(array.getArraySize())->getZExtValue();
    Variable variable;
    variable.each_item = true;
    if (llvm::Type* element = spread_element(array)) {
      variable.type = variable.kept = element;
      const uint64_t elements = array.getAllocatedType()->getArrayNumElements();
      make_room_for_vectors(variable, array.getAlign(),
                            elements / static_cast<uint64_t>(frame_.group.items()));
      return variable;
    }
    variable.type = array.getAllocatedType();
    if (count != 1) variable.type = llvm::ArrayType::get(variable.type, count);
    variable.kept = padded(variable.type, array.getAlign());
    make_room(variable, array.getAlign());
    return variable;
  }

  /// Pads the type so that each item's array has the kernel's alignment.
  llvm::Type* padded(llvm::Type* type, llvm::Align align) {
    const uint64_t bytes = f_.getParent()->getDataLayout().getTypeAllocSize(type);
    const uint64_t rest = llvm::offsetToAlignment(bytes, align);
    if (rest == 0) return type;
    return llvm::StructType::get(f_.getContext(),
                                 {type, llvm::ArrayType::get(b_.getInt8Ty(), rest)},
                                 /*isPacked=*/false);
  }

  static constexpr uint64_t kMostStack = 128 * 1024, kMostScratch = 128 * 1024 * 1024;

  llvm::DenseMap<Slot, Variable> made_;
  uint64_t on_stack_ = 0, in_scratch_ = 0;
  llvm::CallInst* scratch_ = nullptr;
  GroupFrame& frame_;
  Function& f_;
  llvm::IRBuilder<> b_;
};

void write_region(GroupFrame& frame, const Region& region) {
  BasicBlock* head = frame.heads[region.entry];
  InnerGroups groups(frame, region);
  llvm::Value* is_inner = groups.write_test(head);
  if (!is_inner) return RegionWriter(frame, region, head).write();
  auto block = [&](const char* name) {
    return BasicBlock::Create(head->getContext(), name, frame.group.function);
  };
  BasicBlock *inner = block("inner"), *edge = block("edge");
  llvm::IRBuilder<>(head).CreateCondBr(is_inner, inner, edge);
  RegionWriter(frame, region, inner, groups.outcomes()).write();
  RegionWriter(frame, region, edge).write();
}

void remove_words(llvm::Module& module) {
  for (Function& f : llvm::make_early_inc_range(module))
    if (intrinsic_of(f) && f.use_empty()) f.eraseFromParent();
}

}  // namespace

void refuse_divergent_operations(const GroupKernel& group, const std::string& source_file) {
  split_at_convergent_operations(*group.function);
  const ErrorExits exits(*group.function);
  find_regions(*group.function, analyse_uniformity(*group.function), source_file);
}

void run_all_items(const GroupKernel& group, const std::string& source_file) {
  Function& f = *group.function;
  spread_private_arrays(f, group.items());
  split_at_convergent_operations(f);
  ErrorExits exits(f);
  const Uniformity uniformity = analyse_uniformity(f);
  const auto regions = find_regions(f, uniformity, source_file);
  const CrossingValues crossing(f, uniformity, regions, exits);
  GroupFrame frame(group, crossing, exits);
  llvm::SmallVector<BasicBlock*, 32> old;
  for (BasicBlock& block : f) old.push_back(&block);
  FrameMaker(frame).make(regions);
  for (const auto& region : regions) write_region(frame, *region);
  exits.clear();
  llvm::DeleteDeadBlocks(old);
}

LoopedKernel group_loops(llvm::Module& module, const GroupKernel& group,
                         const target::KernelModule& source) {
  LoopedKernel result;
  result.dimensions = 3;
  const Function* raise = module.getFunction("hither.raise");
  result.reports_errors = raise && !raise->use_empty();
  expand_local_memory(module, *group.function);
  run_all_items(group, source.source_file);
  relax_local_atomics(*group.function);
  result.local_bytes = place_local_memory(module, *group.function);
  EntryLoops nest(*group.function, 3);
  result.entry = nest.build(source.signature, /*parallel=*/false, /*pass_ids=*/true);
  inline_kernel(*group.function, *nest.call());
  remove_words(module);
  return result;
}

}  // namespace hither::compiler
