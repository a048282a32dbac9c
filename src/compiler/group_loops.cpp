#include "compiler/group_loops.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/barrier_regions.h"
#include "compiler/crossing_values.h"
#include "compiler/entry_loops.h"
#include "compiler/local_memory.h"
#include "compiler/meeting.h"
#include "compiler/region_writer.h"
#include "compiler/uniformity.h"
#include "compiler/vocabulary.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Function;

/// Makes the variables, the private arrays and the head of each region, in a new entry block.
class FrameMaker {
 public:
  FrameMaker(GroupFrame& frame) : frame_(frame), f_(*frame.group.function), b_(f_.getContext()) {}

  void make(const std::vector<std::unique_ptr<Region>>& regions) {
    BasicBlock* old_entry = &f_.getEntryBlock();
    BasicBlock* entry = BasicBlock::Create(f_.getContext(), "group", &f_, old_entry);
    b_.SetInsertPoint(entry);
    for (const llvm::Instruction* i : frame_.crossing.kept()) frame_.values[i] = make_variable(*i);
    for (const llvm::PHINode* phi : frame_.crossing.phis()) frame_.phis[phi] = make_variable(*phi);
    for (llvm::Instruction& i : llvm::instructions(f_))
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&i))
        if (i.getParent() != entry) frame_.private_arrays[array] = make_private_arrays(*array);
    for (const auto& region : regions)
      frame_.heads[region->entry] = BasicBlock::Create(f_.getContext(), "region", &f_);
    b_.CreateBr(frame_.heads[old_entry]);
  }

 private:
  llvm::AllocaInst* each_item(llvm::Type* type) {
    auto* memory =
        b_.CreateAlloca(llvm::ArrayType::get(type, static_cast<uint64_t>(frame_.group.items())));
    constexpr uint64_t kVectorAlign = 64;
    memory->setAlignment(std::max(memory->getAlign(), llvm::Align(kVectorAlign)));
    return memory;
  }

  Variable make_variable(const llvm::Instruction& i) {
    Variable variable;
    variable.type = i.getType();
    variable.each_item = !frame_.crossing.is_uniform(i);
    llvm::Type* kept = variable.type->isIntegerTy(1) ? b_.getInt8Ty() : variable.type;
    variable.memory = variable.each_item ? each_item(kept) : b_.CreateAlloca(kept);
    return variable;
  }

  llvm::AllocaInst* make_private_arrays(const llvm::AllocaInst& array) {
    const auto count = llvm::cast<llvm::ConstantInt>(array.getArraySize())->getZExtValue();
    llvm::Type* type = array.getAllocatedType();
    if (count != 1) type = llvm::ArrayType::get(type, count);
    llvm::AllocaInst* all = each_item(type);
    all->setAlignment(std::max(all->getAlign(), array.getAlign()));
    return all;
  }

  GroupFrame& frame_;
  Function& f_;
  llvm::IRBuilder<> b_;
};

void write_regions(const GroupKernel& group, const target::KernelModule& source) {
  Function& f = *group.function;
  split_at_meetings(f);
  const Uniformity uniformity = analyse_uniformity(f);
  const auto regions = find_regions(f, uniformity, source.source_file);
  const CrossingValues crossing(f, uniformity, regions);
  GroupFrame frame(group, crossing);
  llvm::SmallVector<BasicBlock*, 32> old;
  for (BasicBlock& block : f) old.push_back(&block);
  FrameMaker(frame).make(regions);
  for (const auto& region : regions) RegionWriter(frame, *region).write();
  llvm::DeleteDeadBlocks(old);
}

void remove_words(llvm::Module& module) {
  for (Function& f : llvm::make_early_inc_range(module))
    if (word_of(f) && f.use_empty()) f.eraseFromParent();
}

}  // namespace

LoopedKernel group_loops(llvm::Module& module, const GroupKernel& group,
                         const target::KernelModule& source) {
  LoopedKernel result;
  result.dimensions = 3;
  expand_local_memory(module, *group.function);
  write_regions(group, source);
  result.local_bytes = place_local_memory(module, *group.function);
  EntryLoops nest(*group.function, 3);
  result.entry = nest.build(source.signature, /*parallel=*/false, /*pass_ids=*/true);
  inline_kernel(*group.function, *nest.call());
  remove_words(module);
  return result;
}

}  // namespace hither::compiler
