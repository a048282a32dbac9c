#include "compiler/ptx/strips.h"

#include <bit>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/module/intrinsics.h"
#include "compiler/module/math_functions.h"
#include "compiler/ptx/libdevice.h"
#include "compiler/ptx/math.h"
#include "compiler/ptx/together.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr int64_t kTogether = 4;
constexpr int64_t kInLoop = 8;
constexpr uint64_t kNarrow = 4;     // bytes; narrower loads do not use the full bandwidth
constexpr uint64_t kMostBytes = 4;  // LLVM's largest vector of one-byte elements
constexpr uint64_t kVector = 16;
constexpr size_t kMostCopied = 512;         // instructions
constexpr size_t kShortWork = 64;           // instructions
constexpr size_t kShortWithBranches = 256;  // instructions
constexpr size_t kShortTogether = 96;       // instructions
constexpr size_t kLongWork = 128;           // instructions
constexpr int kFewFunctions = 2;  // of fifty instructions each; one long function counts as two

/// The cost of a call in short functions; 0 if it is not a mathematical function.
int functions(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call || !call->getCalledFunction()) return 0;
  if (is_libdevice(*call->getCalledFunction())) return 1;
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
  if (math_call(*callee) || is_libdevice(*callee)) return true;
  // The items of a thread belong to other groups than the launch's, so other index queries would be
  // wrong.
  if (const auto intrinsic = intrinsic_of(*callee))
    return intrinsic == Intrinsic::kGlobalId || intrinsic == Intrinsic::kGlobalSize;
  return callee->isIntrinsic() && callee->doesNotAccessMemory();
}

/// The arrays of which each item accesses only the element with its own index, and elements at
/// constant distances from it.
struct Rows {
  llvm::SmallVector<std::pair<Value*, uint64_t>, 8> arrays;    ///< and bytes of an element
  llvm::SmallDenseMap<const Instruction*, int64_t> distances;  ///< in bytes, of each access
  uint64_t narrowest = kVector, widest = 1;
  bool overlap = false;  ///< neighbours load the same elements

  bool gain_from_vectors() const {
    return !arrays.empty() && (narrowest < kNarrow || (overlap && widest < kVector));
  }
};

/// An address in an array of a kernel's arguments: that of the item's element, and bytes after it.
struct Place {
  Value* array = nullptr;
  int64_t distance = 0;
};

/// No array if the address is another one.
Place place_of(const Value* address, uint64_t bytes, const llvm::DataLayout& layout,
               llvm::function_ref<bool(const Value&)> is_item) {
  llvm::APInt after(layout.getIndexTypeSizeInBits(address->getType()), 0);
  address = address->stripAndAccumulateConstantOffsets(layout, after, /*AllowNonInbounds=*/true);
  Place place{nullptr, after.getSExtValue()};
  const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
  if (!element || element->getNumIndices() != 1 ||
      layout.getTypeAllocSize(element->getSourceElementType()) != bytes)
    return {};
  const Value* index = element->idx_begin()->get();
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
  if (sum && sum->getOpcode() == Instruction::Add)
    if (const auto* more = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1))) {
      place.distance += more->getSExtValue() * static_cast<int64_t>(bytes);
      index = sum->getOperand(0);
    }
  Value* array = const_cast<Value*>(element->getPointerOperand()->stripPointerCasts());
  if (is_item(*index) && llvm::isa<llvm::Argument>(array)) place.array = array;
  return place;
}

/// Empty if an item has other accesses than to its rows, or to addresses that are arguments.
Rows rows_of(const BasicBlock& work, llvm::function_ref<bool(const Value&)> is_item) {
  const llvm::DataLayout& layout = work.getModule()->getDataLayout();
  Rows rows;
  for (const Instruction& i : work) {
    const Value* address = llvm::getLoadStorePointerOperand(&i);
    if (!address || llvm::isa<llvm::Argument>(address->stripPointerCasts())) continue;
    const uint64_t bytes =
        layout.getTypeStoreSize(llvm::getLoadStoreType(const_cast<Instruction*>(&i)));
    if (bytes > kVector || !std::has_single_bit(bytes)) return Rows();
    const Place place = place_of(address, bytes, layout, is_item);
    if (!place.array || place.distance % static_cast<int64_t>(bytes) != 0) return Rows();
    rows.overlap = rows.overlap || (place.distance != 0 && llvm::isa<llvm::LoadInst>(i));
    rows.distances[&i] = place.distance;
    rows.arrays.emplace_back(place.array, bytes);
    rows.narrowest = std::min(rows.narrowest, bytes);
    rows.widest = std::max(rows.widest, bytes);
  }
  return rows;
}

bool is_number_of_item(const Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto intrinsic =
      call && call->getCalledFunction() ? intrinsic_of(*call->getCalledFunction()) : std::nullopt;
  return intrinsic == Intrinsic::kGlobalId;
}

/// Whether the items of a thread can run one after another: the kernel has branches but no loops,
/// and its loads, but for those of constants, are where load_first() can move them.
bool can_run_one_by_one(const llvm::Function& kernel) {
  llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 4> loops;
  llvm::FindFunctionBackedges(kernel, loops);
  if (!loops.empty() || kernel.getInstructionCount() > kShortWithBranches) return false;
  int called = 0;
  bool writes = false;
  for (const BasicBlock& block : kernel)
    for (const Instruction& i : block) {
      if (!is_simple(i)) return false;
      called += functions(i);
      writes = writes || i.mayWriteToMemory();
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
      if (load && (writes || &block != &kernel.front()) &&
          !llvm::isa<llvm::GlobalVariable>(llvm::getUnderlyingObject(load->getPointerOperand())))
        return false;
    }
  return called <= kFewFunctions;
}

/// Whether a branch that depends on the item may be taken by all items of a thread together, and
/// they begin again one by one if they take different ways: nothing is written before it.
bool is_guard(const Instruction& terminator, const llvm::LoopInfo& loops) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator);
  if (!branch || loops.getLoopFor(branch->getParent())) return false;
  return llvm::none_of(*branch->getFunction(), [&](const BasicBlock& b) {
    return llvm::any_of(b, [](const Instruction& i) { return i.mayWriteToMemory(); }) &&
           llvm::isPotentiallyReachable(&b, branch->getParent());
  });
}

/// Whether the items of a thread can run together, and gain from it: the kernel is short, they take
/// the same branches in loops, and share a load in one, or there is none. `dimension`: that in
/// which they differ.
bool can_run_together(const llvm::Function& kernel, int dimension) {
  if (kernel.getInstructionCount() > kShortTogether) return false;
  llvm::SmallVector<const Instruction*, 32> items, loads;
  int called = 0;
  for (const Instruction& i : llvm::instructions(kernel)) {
    if (!is_simple(i)) return false;
    called += functions(i);
    if (llvm::isa<llvm::LoadInst>(i)) loads.push_back(&i);
    if (!is_number_of_item(i)) continue;
    const auto* of = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(0));
    if (!of) return false;
    if (of->equalsInt(static_cast<uint64_t>(dimension))) items.push_back(&i);
  }
  const Varying varying = depending_on(std::move(items));
  llvm::DominatorTree tree(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(tree);
  // Items often differ in branches that depend on elements.
  llvm::erase_if(loads, [&](const Instruction* i) { return !varying.contains(i); });
  const Varying by_elements = depending_on(std::move(loads));
  for (const BasicBlock& b : kernel) {
    const Instruction* end = b.getTerminator();
    if (varying.contains(end) && (by_elements.contains(end) || !is_guard(*end, loops)))
      return false;
  }
  if (loops.empty()) return called <= kFewFunctions;
  return llvm::any_of(llvm::instructions(kernel), [&](const Instruction& i) {
    return llvm::isa<llvm::LoadInst>(i) && loops.getLoopFor(i.getParent()) && !varying.contains(&i);
  });
}

/// Splits a block with branches after the last load that load_first() has moved. Returns the blocks
/// that follow then, the first of them first; none if the block has no branches.
Blocks split_after_loads(BasicBlock& work) {
  if (work.getTerminator()->getNumSuccessors() == 0) return {};
  BasicBlock::iterator after = work.begin();
  for (auto i = work.begin(); i != work.end() && !i->mayWriteToMemory(); ++i)
    if (llvm::isa<llvm::LoadInst>(*i)) after = std::next(i);
  Blocks rest{work.splitBasicBlock(after, "rest")};
  for (BasicBlock& block : *work.getParent())
    if (&block != &work && &block != rest.front() && &block != &work.getParent()->front())
      rest.push_back(&block);
  return rest;
}

bool loads(const BasicBlock& work) {
  return llvm::any_of(work, [](const Instruction& i) { return llvm::isa<llvm::LoadInst>(i); });
}

const auto kRemap = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
using Maps = std::vector<llvm::ValueToValueMapTy>;
using Made = llvm::function_ref<void(const Instruction& original, Instruction& copy)>;

/// Appends copies of the instructions of `work` for all `items` to a block, interleaved. Returns
/// what the values of one item stand for in each copy.
Maps copy_interleaved(llvm::ArrayRef<Value*> items, const Instruction& item, const BasicBlock& work,
                      IRBuilder<>& b, Made made) {
  Maps maps(items.size());
  for (size_t k = 0; k < maps.size(); ++k) maps[k][&item] = items[k];
  for (const Instruction& i : work) {
    if (i.isTerminator()) break;
    for (auto& map : maps) {
      Instruction* copy = b.Insert(i.clone());
      llvm::RemapInstruction(copy, map, kRemap);
      map[&i] = copy;
      made(i, *copy);
    }
  }
  return maps;
}

/// Appends copies of one item's instructions for all `items` to a block: those that load, in
/// `work`, interleaved, and then the blocks `rest`, of which the first begins, for one item after
/// another.
void copy_one_by_one(llvm::ArrayRef<Value*> items, const Instruction& item, const BasicBlock& work,
                     const Blocks& rest, BasicBlock* to) {
  IRBuilder<> b(to);
  Maps maps = copy_interleaved(items, item, work, b, [](auto&, auto&) {});
  // LLVM would move loads past branches, to where their items begin.
  b.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(b.getVoidTy(), false), "", "~{memory}",
                                    /*hasSideEffects=*/true));
  llvm::SmallVector<Instruction*, 4> ends;  // of the item before
  for (auto& map : maps) {
    Blocks copies;
    for (BasicBlock* block : rest)
      map[block] = copies.emplace_back(CloneBasicBlock(block, map, ".copy", to->getParent()));
    if (&map == &maps.front()) b.CreateBr(copies.front());
    for (Instruction* end : ends)
      llvm::ReplaceInstWithInst(end, llvm::BranchInst::Create(copies.front()));
    ends.clear();
    for (BasicBlock* copy : copies) {
      for (Instruction& i : *copy) llvm::RemapInstruction(&i, map, kRemap);
      if (llvm::isa<llvm::ReturnInst>(copy->getTerminator())) ends.push_back(copy->getTerminator());
    }
  }
}

/// Appends copies of one item's instructions for all `items` to a block, interleaved.
void copy_for(llvm::ArrayRef<Value*> items, const Instruction& item, const BasicBlock& work,
              BasicBlock* to, Made made) {
  IRBuilder<> b(to);
  copy_interleaved(items, item, work, b, made);
  b.CreateRetVoid();
}

/// Emits the code for whole groups whose arrays begin at vector boundaries: the items of a thread
/// are neighbours, as many as fit into LLVM's vectors. `from`, which has no terminator, branches to
/// `otherwise` for other groups.
void vectorise_neighbours(BasicBlock* from, BasicBlock* otherwise, const ThreadOfItems& thread,
                          Value& size, const Rows& rows, const BasicBlock& work) {
  llvm::Function& kernel = *from->getParent();
  const auto count = static_cast<uint64_t>(thread.items.count);
  const uint64_t width = rows.narrowest == 1 ? std::min(count, kMostBytes) : count;
  const auto aligned_to = [&](uint64_t bytes) { return std::min(kVector, bytes * width); };
  auto* together = BasicBlock::Create(kernel.getContext(), "neighbours", &kernel, otherwise);
  IRBuilder<> b(from);
  Value* astray = b.getInt64(0);
  for (const auto& [array, bytes] : rows.arrays)
    astray = b.CreateOr(astray, b.CreateAnd(b.CreatePtrToInt(array, b.getInt64Ty()),
                                            b.getInt64(aligned_to(bytes) - 1)));
  Value* end = b.CreateNUWAdd(thread.group, b.CreateNUWMul(thread.step, b.getInt64(count)));
  Value* whole = b.CreateAnd(b.CreateICmpEQ(astray, b.getInt64(0)), b.CreateICmpULE(end, &size));
  b.CreateCondBr(whole, together, otherwise);

  b.SetInsertPoint(together);
  Value* first = b.CreateNUWAdd(thread.group, b.CreateNUWMul(thread.place, b.getInt64(width)));
  Value* stride = b.CreateNUWMul(thread.step, b.getInt64(width));
  llvm::SmallVector<Value*, 16> items;
  for (uint64_t k = 0; k < count; ++k) {
    if (k > 0 && k % width == 0) first = b.CreateNUWAdd(first, stride);
    items.push_back(k % width == 0 ? first : b.CreateNUWAdd(first, b.getInt64(k % width)));
  }
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  uint64_t copies = 0;
  copy_for(items, *thread.item, work, together, [&](const Instruction& original, auto& copy) {
    const auto distance = rows.distances.find(&original);
    if (distance == rows.distances.end()) return;
    const uint64_t bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&copy));
    const uint64_t before =  // from the beginning of a vector
        copies++ % width * bytes + static_cast<uint64_t>(distance->second);
    const auto at = llvm::commonAlignment(llvm::Align(aligned_to(bytes)), before);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&copy))
      load->setAlignment(at);
    else
      llvm::cast<llvm::StoreInst>(copy).setAlignment(at);
  });
}

/// Emits copies of an item's code for all items of a thread, after `start`, which has no
/// terminator. Returns the blocks that go to `head`, where a thread has fewer items or these run
/// one by one.
Blocks copy_items(BasicBlock* start, BasicBlock* head, BasicBlock& work, const Blocks& rest,
                  const ThreadOfItems& thread, Value& size) {
  llvm::Function& kernel = *start->getParent();
  BasicBlock* spaced = BasicBlock::Create(kernel.getContext(), "spaced", &kernel, head);
  BasicBlock* together = BasicBlock::Create(kernel.getContext(), "together", &kernel, head);
  Instruction& item = *thread.item;
  const Rows rows = thread.in_row && rest.empty()
                        ? rows_of(work, [&](const Value& v) { return &v == &item; })
                        : Rows();
  if (rows.gain_from_vectors())
    vectorise_neighbours(start, spaced, thread, size, rows, work);
  else
    IRBuilder<>(start).CreateBr(spaced);

  IRBuilder<> b(spaced);
  llvm::SmallVector<Value*, 16> items{&item};
  for (int64_t k = 1; k < thread.items.count; ++k)
    items.push_back(b.CreateNUWAdd(items.back(), thread.step));
  b.CreateCondBr(b.CreateICmpULT(items.back(), &size), together, head);
  Blocks before{spaced};
  if (thread.items.together) {
    Blocks all{&work};
    all.append(rest.begin(), rest.end());
    before.append(copy_together(items, item, all, together, head));
  } else if (rest.empty()) {
    copy_for(items, item, work, together, [](auto&, auto&) {});
  } else {
    copy_one_by_one(items, item, work, rest, together);
  }
  return before;
}

}  // namespace

bool runs_in_loop(const llvm::Function& kernel) {
  return kernel.size() == 1 && kernel.front().size() >= kLongWork;
}

ItemsOfThread items_of_thread(const llvm::Function& kernel, const target::KernelModule& source,
                              int dimensions) {
  if (!source.independent_items) return {};
  if (kernel.size() > 1) {
    // A range of one dimension is the device's dimension 0, others have the last but one as 1.
    if (can_run_one_by_one(kernel)) return {kTogether};
    const bool together = can_run_together(kernel, std::max(dimensions - 2, 0));
    return {together ? kTogether : 1, together};
  }
  const BasicBlock& work = kernel.front();
  if (!llvm::all_of(work, is_simple)) return {};
  int called = 0;
  for (const Instruction& i : work) called += functions(i);
  const Rows rows = dimensions == 1 ? rows_of(work, is_number_of_item) : Rows();
  const size_t most = rows.overlap && called == 0 ? kMostCopied / kTogether : kShortWork;
  if (work.size() > most) return {runs_in_loop(kernel) && !loads(work) ? kInLoop : 1};
  if (called > kFewFunctions) return {};
  int64_t count = kTogether;
  if (rows.narrowest < kNarrow && called == 0)
    while (2 * static_cast<uint64_t>(count) * rows.widest <= kVector &&
           2 * static_cast<size_t>(count) * work.size() <= kMostCopied)
      count *= 2;
  return {count};
}

void load_first(llvm::Function& kernel, const target::KernelModule& source) {
  if (!source.independent_items) return;
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

void run_items_in_thread(llvm::Function& kernel, const ThreadOfItems& thread, Value& size) {
  Instruction& item = *thread.item;
  BasicBlock* work = kernel.front().splitBasicBlock(item.getNextNode(), "one");
  BasicBlock* start = &kernel.front();
  const Blocks rest = split_after_loads(*work);
  llvm::LLVMContext& context = kernel.getContext();
  BasicBlock* head = BasicBlock::Create(context, "next", &kernel, work);
  BasicBlock* done = BasicBlock::Create(context, "done", &kernel);
  IRBuilder<>(done).CreateRetVoid();
  start->getTerminator()->eraseFromParent();
  IRBuilder<> b(head);
  Blocks before{start};
  Value* end = &size;
  if (thread.in_loop || thread.items.together) {
    b.SetInsertPoint(start);
    end = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, end,
        b.CreateNUWAdd(thread.group, b.CreateNUWMul(thread.step, thread.count)));
  }
  if (thread.in_loop)
    b.CreateBr(head);
  else  // the loop runs the last items
    before = copy_items(start, head, *work, rest, thread, *end);
  b.SetInsertPoint(head);
  llvm::PHINode* next = b.CreatePHI(item.getType(), 2);
  for (BasicBlock* block : before) next->addIncoming(&item, block);
  b.CreateCondBr(b.CreateICmpULT(next, end), work, done);
  BasicBlock* after = BasicBlock::Create(context, "after", &kernel, done);
  Blocks blocks = rest;
  blocks.push_back(work);
  item.replaceUsesWithIf(next, [&](const llvm::Use& use) {
    return llvm::is_contained(blocks, llvm::cast<Instruction>(use.getUser())->getParent());
  });
  for (BasicBlock* block : blocks)
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      llvm::ReplaceInstWithInst(block->getTerminator(), llvm::BranchInst::Create(after));
  b.SetInsertPoint(after);
  next->addIncoming(b.CreateNUWAdd(next, thread.step), after);
  b.CreateBr(head);
}

}  // namespace hither::compiler
