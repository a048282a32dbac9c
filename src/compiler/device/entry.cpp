#include "compiler/device/entry.h"

#include <algorithm>
#include <cstddef>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
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

/// Replaces intrinsics in a kernel whose dimensions are those of the device in reverse order.
class IntrinsicReplacement {
 public:
  IntrinsicReplacement(DeviceEntry& entry, DeviceBuiltins& builtins, bool in_groups)
      : entry_(entry), builtins_(builtins), in_groups_(in_groups) {}

  void replace(llvm::Module& module) {
    if (in_groups_ && entry_.reports_errors) stop_failed_groups();
    llvm::SmallVector<llvm::WeakVH, 32> calls;  // null after a raise that makes them unreachable
    for (Function& f : module)
      if (auto intrinsic = intrinsic_of(f); intrinsic && *intrinsic != Intrinsic::kGroupFunction)
        for (llvm::User* user : f.users()) calls.emplace_back(user);
    for (const llvm::WeakVH& handle : calls)
      if (auto* call = llvm::cast_or_null<llvm::CallInst>(static_cast<Value*>(handle)))
        replace(*call, *intrinsic_of(*call->getCalledFunction()));
    if (next_) {
      llvm::DominatorTree tree(*entry_.function);
      llvm::PromoteMemToReg(next_, tree);
    }
    for (Function& f : llvm::make_early_inc_range(module))
      if (intrinsic_of(f) && f.use_empty()) f.eraseFromParent();
  }

 private:
  /// After an item has raised, its group stops at the next convergent operation, because the
  /// results of that item are missing.
  void stop_failed_groups() {
    llvm::SmallVector<llvm::Instruction*, 16> operations;
    for (llvm::Instruction& i : llvm::instructions(entry_.function))
      if (is_convergent(i)) operations.push_back(&i);
    if (operations.empty()) return;
    IRBuilder<> b(&entry_.function->getEntryBlock(), entry_.function->getEntryBlock().begin());
    auto* flags = llvm::ArrayType::get(b.getInt32Ty(), 2);
    failed_ =
        new llvm::GlobalVariable(*entry_.function->getParent(), flags, false,
                                 llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(flags),
                                 "failed", nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
    next_ = b.CreateAlloca(b.getInt32Ty());
    b.CreateStore(b.getInt32(0), next_);
    for (unsigned i = 0; i < 2; ++i)
      b.CreateStore(b.getInt32(0), b.CreateConstInBoundsGEP2_32(flags, failed_, 0, i));
    builtins_.barrier(b, b.getInt32(1));
    for (llvm::Instruction* operation : operations) {
      b.SetInsertPoint(operation->getNextNode());
      llvm::LoadInst* failed = b.CreateLoad(b.getInt32Ty(), failed_flag(b));
      failed->setAtomic(llvm::AtomicOrdering::Monotonic, group_scope());
      failed->setAlignment(llvm::Align(4));
      if (is_group_wide(*operation))
        b.CreateStore(b.CreateXor(b.CreateLoad(b.getInt32Ty(), next_), b.getInt32(1)), next_);
      llvm::Instruction* leave = llvm::SplitBlockAndInsertIfThen(
          b.CreateIsNotNull(failed), &*b.GetInsertPoint(), /*Unreachable=*/true);
      IRBuilder<>(leave).CreateRetVoid();
      leave->eraseFromParent();
    }
  }

  /// Whether the whole group executes the operation. The sub-groups of a group execute a sub-group
  /// operation at different times.
  static bool is_group_wide(const llvm::Instruction& operation) {
    const Function& f = *llvm::cast<llvm::CallInst>(operation).getCalledFunction();
    const auto function = group_function(f);
    return function ? !function->sub_group : intrinsic_of(f) == Intrinsic::kBarrier;
  }

  /// The flag that is read between two convergent operations of the group. Two flags alternate, so
  /// that an item that raises after such an operation does not write the flag that other items are
  /// still reading.
  Value* failed_flag(IRBuilder<>& b) {
    return b.CreateInBoundsGEP(failed_->getValueType(), failed_,
                               {b.getInt32(0), b.CreateLoad(b.getInt32Ty(), next_)});
  }

  llvm::SyncScope::ID group_scope() const {
    return entry_.function->getContext().getOrInsertSyncScopeID("workgroup");
  }

  void replace(llvm::CallInst& call, Intrinsic intrinsic) {
    IRBuilder<> b(&call);
    if (intrinsic == Intrinsic::kRaise) {
      raise(b, call);
      if (in_groups_) return_after(call);
    } else if (intrinsic == Intrinsic::kBarrier) {
      builtins_.barrier(b, call.getArgOperand(0));
    } else if (intrinsic == Intrinsic::kSubGroupBarrier) {
      builtins_.sub_group_barrier(b, call.getArgOperand(0));
    } else {
      call.replaceAllUsesWith(is_index_query(intrinsic)
                                  ? index_query(b, intrinsic, call.getArgOperand(0))
                                  : builtins_.sub_group_query(b, intrinsic));
    }
    call.eraseFromParent();
  }

  Value* index_query(IRBuilder<>& b, Intrinsic intrinsic, Value* dim) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dim))
      return at(b, intrinsic, static_cast<int>(std::min<uint64_t>(constant->getZExtValue(), 2)));
    Value* rest = b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(1)), at(b, intrinsic, 1),
                                 at(b, intrinsic, 2));
    return b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(0)), at(b, intrinsic, 0), rest);
  }

  Value* at(IRBuilder<>& b, Intrinsic intrinsic, int dim) {
    const int device_dim = dim < entry_.dimensions ? entry_.dimensions - 1 - dim : dim;
    return builtins_.index_query(b, intrinsic, dim, device_dim);
  }

  /// The first item of all that raises writes the record.
  void raise(IRBuilder<>& b, llvm::CallInst& call) {
    using target::ErrorRecord;
    if (failed_)
      b.CreateAlignedStore(b.getInt32(1), failed_flag(b), llvm::Align(4))
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
      b.CreateAlignedStore(at(b, Intrinsic::kGlobalId, d),
                           field(offsetof(ErrorRecord, global_id) + 8 * static_cast<uint64_t>(d)),
                           llvm::Align(8));
  }

  static void return_after(llvm::CallInst& call) {
    llvm::BasicBlock* block = call.getParent();
    llvm::changeToUnreachable(call.getNextNode());
    block->getTerminator()->eraseFromParent();
    IRBuilder<>(block).CreateRetVoid();
  }

  DeviceEntry& entry_;
  DeviceBuiltins& builtins_;
  const bool in_groups_;
  llvm::GlobalVariable* failed_ = nullptr;  ///< in local memory: two flags
  llvm::AllocaInst* next_ = nullptr;        ///< the index of the current flag
};

}  // namespace

DeviceEntry describe_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups) {
  DeviceEntry entry;
  entry.function = module.getFunction(source.entry);
  entry.dimensions = dimensions_queried(module);
  // If the order of items does not matter, a kernel that queries only the first dimension serves
  // all.
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
    if (passed.getType() == a.getType())  // the attributes of an array remain valid
      f->addParamAttrs(
          a.getArgNo(),
          llvm::AttrBuilder(f->getContext(), old.getAttributes().getParamAttrs(a.getArgNo())));
    a.replaceAllUsesWith(unpack(b, passed, a));
  }
  old.eraseFromParent();
  entry.function = f;
}

void replace_intrinsics(DeviceEntry& entry, DeviceBuiltins& builtins, bool in_groups) {
  IntrinsicReplacement(entry, builtins, in_groups).replace(*entry.function->getParent());
  llvm::removeUnreachableBlocks(*entry.function);
}

}  // namespace hither::compiler
