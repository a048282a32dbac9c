#include "compiler/ptx_strips.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/math_functions.h"
#include "compiler/ptx_math.h"
#include "compiler/vocabulary.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr int64_t kTogether = 4;
constexpr size_t kShortWork = 64;  // instructions
constexpr int kFewFunctions = 2;   // each has some fifty; one long one counts as many

/// How many short functions take as long; 0 for what is no function of mathematics.
int functions(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call || !call->getCalledFunction()) return 0;
  const auto math = math_call(*call->getCalledFunction());
  if (!math) return 0;
  return is_short(*math) ? 1 : kFewFunctions;
}

bool is_simple(const Instruction& i) {
  if (i.isAtomic() || i.isVolatile() || llvm::isa<llvm::AllocaInst>(i)) return false;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call) return true;
  const llvm::Function* callee = call->getCalledFunction();
  if (!callee) return false;
  if (math_call(*callee)) return true;
  if (const auto word = word_of(*callee)) return asks_for_a_place(*word);
  return callee->isIntrinsic() && callee->doesNotAccessMemory();
}

}  // namespace

int64_t items_of_thread(const llvm::Function& kernel, const target::KernelModule& source) {
  if (!source.independent_items || kernel.size() != 1) return 1;
  const BasicBlock& work = kernel.front();
  if (work.size() > kShortWork || !llvm::all_of(work, is_simple)) return 1;
  int called = 0;
  for (const Instruction& i : work) called += functions(i);
  if (called > kFewFunctions) return 1;
  return llvm::any_of(work, [](const Instruction& i) { return llvm::isa<llvm::LoadInst>(i); })
             ? kTogether
             : 1;
}

void load_first(llvm::Function& kernel, const target::KernelModule& source) {
  if (!source.independent_items || kernel.size() != 1) return;
  BasicBlock& work = kernel.front();
  if (!llvm::all_of(work, is_simple)) return;
  llvm::SmallVector<Instruction*, 32> early;
  for (Instruction& i : work) {
    if (i.mayWriteToMemory()) break;
    if (llvm::isa<llvm::LoadInst>(i)) early.push_back(&i);
  }
  llvm::SmallPtrSet<Instruction*, 32> wanted(early.begin(), early.end());
  while (!early.empty())
    for (Value* operand : early.pop_back_val()->operands())
      if (auto* before = llvm::dyn_cast<Instruction>(operand);
          before && wanted.insert(before).second)
        early.push_back(before);
  auto place = work.begin();
  for (Instruction& i : llvm::make_early_inc_range(work))
    if (wanted.contains(&i)) {
      if (&i == &*place)
        ++place;
      else
        i.moveBefore(work, place);
    }
}

void take_items_together(llvm::Function& kernel, Instruction& item, Value& step, Value& size,
                         int64_t count) {
  BasicBlock* work = kernel.front().splitBasicBlock(item.getNextNode(), "one");
  BasicBlock* start = &kernel.front();
  llvm::LLVMContext& context = kernel.getContext();
  BasicBlock* together = BasicBlock::Create(context, "together", &kernel, work);
  BasicBlock* head = BasicBlock::Create(context, "next", &kernel, work);
  BasicBlock* done = BasicBlock::Create(context, "done", &kernel);
  IRBuilder<>(done).CreateRetVoid();

  IRBuilder<> b(start->getTerminator());
  llvm::SmallVector<Value*, kTogether> items{&item};
  for (int64_t k = 1; k < count; ++k) items.push_back(b.CreateNUWAdd(items.back(), &step));
  b.CreateCondBr(b.CreateICmpULT(items.back(), &size), together, head);
  start->getTerminator()->eraseFromParent();

  b.SetInsertPoint(together);
  std::vector<llvm::ValueToValueMapTy> maps(static_cast<size_t>(count));
  for (size_t k = 0; k < maps.size(); ++k) maps[k][&item] = items[k];
  for (Instruction& i : *work) {
    if (i.isTerminator()) break;
    for (auto& map : maps) {
      Instruction* copy = b.Insert(i.clone());
      llvm::RemapInstruction(copy, map,
                             llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      map[&i] = copy;
    }
  }
  b.CreateRetVoid();

  b.SetInsertPoint(head);
  llvm::PHINode* next = b.CreatePHI(item.getType(), 2);
  next->addIncoming(&item, start);
  b.CreateCondBr(b.CreateICmpULT(next, &size), work, done);
  item.replaceUsesWithIf(next, [&](const llvm::Use& use) {
    return llvm::cast<Instruction>(use.getUser())->getParent() == work;
  });
  work->getTerminator()->eraseFromParent();
  b.SetInsertPoint(work);
  next->addIncoming(b.CreateNUWAdd(next, &step), work);
  b.CreateBr(head);
}

}  // namespace hither::compiler
