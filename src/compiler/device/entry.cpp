#include "compiler/device/entry.h"

#include <algorithm>
#include <cstddef>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/module/address_space.h"
#include "compiler/module/convergent_operation.h"
#include "compiler/module/group_function.h"
#include "compiler/module/intrinsics.h"
#include "target/code_image.h"

namespace hither::compiler {
namespace {

using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

/// Answers words in a kernel whose dimensions are the device's in reverse.
class WordReplacement {
 public:
  WordReplacement(DeviceEntry& entry, DeviceWords& words, bool in_groups)
      : entry_(entry), words_(words), in_groups_(in_groups) {}

  void replace(llvm::Module& module) {
    if (in_groups_ && entry_.reports_errors) stop_groups_that_fail();
    llvm::SmallVector<llvm::CallInst*, 32> calls;
    for (Function& f : module)
      if (auto word = word_of(f); word && *word != Word::kGroupFunction)
        for (llvm::User* user : f.users()) calls.push_back(llvm::cast<llvm::CallInst>(user));
    for (llvm::CallInst* call : calls) replace(*call, *word_of(*call->getCalledFunction()));
    if (next_) {
      llvm::DominatorTree tree(*entry_.function);
      llvm::PromoteMemToReg(next_, tree);
    }
    for (Function& f : llvm::make_early_inc_range(module))
      if (word_of(f) && f.use_empty()) f.eraseFromParent();
  }

 private:
  /// A group in which an item raised goes on to where its items meet, and no further: what the item
  /// should have left there is missing.
  void stop_groups_that_fail() {
    llvm::SmallVector<llvm::Instruction*, 16> meetings;
    for (llvm::Instruction& i : llvm::instructions(entry_.function))
      if (is_meeting(i)) meetings.push_back(&i);
    if (meetings.empty()) return;
    IRBuilder<> b(&entry_.function->getEntryBlock(), entry_.function->getEntryBlock().begin());
    auto* words = llvm::ArrayType::get(b.getInt32Ty(), 2);
    failed_ =
        new llvm::GlobalVariable(*entry_.function->getParent(), words, false,
                                 llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(words),
                                 "failed", nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
    next_ = b.CreateAlloca(b.getInt32Ty());
    b.CreateStore(b.getInt32(0), next_);
    for (unsigned i = 0; i < 2; ++i)
      b.CreateStore(b.getInt32(0), b.CreateConstInBoundsGEP2_32(words, failed_, 0, i));
    words_.wait(b, b.getInt32(1));
    for (llvm::Instruction* meeting : meetings) {
      b.SetInsertPoint(meeting->getNextNode());
      llvm::LoadInst* failed = b.CreateLoad(b.getInt32Ty(), failed_word(b));
      failed->setAtomic(llvm::AtomicOrdering::Monotonic, group_scope());
      failed->setAlignment(llvm::Align(4));
      if (is_of_group(*meeting))
        b.CreateStore(b.CreateXor(b.CreateLoad(b.getInt32Ty(), next_), b.getInt32(1)), next_);
      llvm::Instruction* leave = llvm::SplitBlockAndInsertIfThen(
          b.CreateIsNotNull(failed), &*b.GetInsertPoint(), /*Unreachable=*/true);
      IRBuilder<>(leave).CreateRetVoid();
      leave->eraseFromParent();
    }
  }

  /// Whether a whole group meets. Sub-groups come to meetings of their own at different times.
  static bool is_of_group(const llvm::Instruction& meeting) {
    const Function& f = *llvm::cast<llvm::CallInst>(meeting).getCalledFunction();
    const auto function = group_function(f);
    return function ? !function->sub_group : word_of(f) == Word::kBarrier;
  }

  /// What is asked from one meeting of the group to the next. Two words take turns: an item that
  /// raises after such a meeting writes none that others still read there.
  Value* failed_word(IRBuilder<>& b) {
    return b.CreateInBoundsGEP(failed_->getValueType(), failed_,
                               {b.getInt32(0), b.CreateLoad(b.getInt32Ty(), next_)});
  }

  llvm::SyncScope::ID group_scope() const {
    return entry_.function->getContext().getOrInsertSyncScopeID("workgroup");
  }

  void replace(llvm::CallInst& call, Word word) {
    IRBuilder<> b(&call);
    if (word == Word::kRaise) {
      raise(b, call);
      if (in_groups_) end_item_after(call);
    } else if (word == Word::kBarrier) {
      words_.wait(b, call.getArgOperand(0));
    } else if (word == Word::kSubGroupBarrier) {
      words_.wait_in_sub_group(b, call.getArgOperand(0));
    } else {
      call.replaceAllUsesWith(asks_for_a_place(word) ? place(b, word, call.getArgOperand(0))
                                                     : words_.in_sub_group(b, word));
    }
    call.eraseFromParent();
  }

  Value* place(IRBuilder<>& b, Word word, Value* dim) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dim))
      return at(b, word, static_cast<int>(std::min<uint64_t>(constant->getZExtValue(), 2)));
    Value* rest =
        b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(1)), at(b, word, 1), at(b, word, 2));
    return b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(0)), at(b, word, 0), rest);
  }

  Value* at(IRBuilder<>& b, Word word, int dim) {
    const int theirs = dim < entry_.dimensions ? entry_.dimensions - 1 - dim : dim;
    return words_.place(b, word, dim, theirs);
  }

  /// The first item of all to get here writes the record.
  void raise(IRBuilder<>& b, llvm::CallInst& call) {
    using target::ErrorRecord;
    if (failed_)
      b.CreateAlignedStore(b.getInt32(1), failed_word(b), llvm::Align(4))
          ->setAtomic(llvm::AtomicOrdering::Monotonic, group_scope());
    Value* record = entry_.record;
    const auto scope = call.getContext().getOrInsertSyncScopeID("device");
    Value* exchange = b.CreateAtomicCmpXchg(record, b.getInt32(0), call.getArgOperand(0),
                                            llvm::Align(8), llvm::AtomicOrdering::Monotonic,
                                            llvm::AtomicOrdering::Monotonic, scope);
    Value* won = b.CreateICmpEQ(b.CreateExtractValue(exchange, 0), b.getInt32(0));
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(won, &call, /*Unreachable=*/false);
    b.SetInsertPoint(then);
    auto field = [&](uint64_t offset) {
      return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), record, offset);
    };
    b.CreateAlignedStore(call.getArgOperand(1), field(offsetof(ErrorRecord, line)), llvm::Align(4));
    for (int d = 0; d < 3; ++d)
      b.CreateAlignedStore(at(b, Word::kGlobalId, d),
                           field(offsetof(ErrorRecord, global_id) + 8 * static_cast<uint64_t>(d)),
                           llvm::Align(8));
  }

  static void end_item_after(llvm::CallInst& call) {
    llvm::BasicBlock* block = call.getParent();
    llvm::changeToUnreachable(call.getNextNode());
    block->getTerminator()->eraseFromParent();
    IRBuilder<>(block).CreateRetVoid();
  }

  DeviceEntry& entry_;
  DeviceWords& words_;
  const bool in_groups_;
  llvm::GlobalVariable* failed_ = nullptr;  ///< in local memory: two words
  llvm::AllocaInst* next_ = nullptr;        ///< the word that is asked next
};

}  // namespace

DeviceEntry describe_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups) {
  DeviceEntry entry;
  entry.function = module.getFunction(source.entry);
  entry.dimensions = dimensions_asked(module);
  // Where the order of items is of no account, one that knows its first dimension serves all.
  if (source.dimensions > 0 && (in_groups || entry.dimensions > 1))
    entry.dimensions = source.dimensions;
  const Function* raise = module.getFunction("hither.raise");
  entry.reports_errors = raise && !raise->use_empty();
  return entry;
}

void replace_parameters(DeviceEntry& entry, llvm::ArrayRef<llvm::Type*> types, Unpack unpack) {
  Function& old = *entry.function;
  auto* type = llvm::FunctionType::get(old.getReturnType(), types, false);
  Function* f = Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", old.getParent());
  f->takeName(&old);
  f->splice(f->begin(), &old);
  IRBuilder<> b(&f->getEntryBlock(), f->getEntryBlock().begin());
  for (llvm::Argument& a : old.args()) {
    llvm::Argument& passed = *f->getArg(a.getArgNo());
    passed.takeName(&a);
    if (passed.getType() == a.getType())  // what is known of an array is still true
      f->addParamAttrs(
          a.getArgNo(),
          llvm::AttrBuilder(f->getContext(), old.getAttributes().getParamAttrs(a.getArgNo())));
    a.replaceAllUsesWith(unpack(b, passed, a));
  }
  old.eraseFromParent();
  entry.function = f;
}

void replace_words(DeviceEntry& entry, DeviceWords& words, bool in_groups) {
  WordReplacement(entry, words, in_groups).replace(*entry.function->getParent());
  llvm::removeUnreachableBlocks(*entry.function);
}

}  // namespace hither::compiler
