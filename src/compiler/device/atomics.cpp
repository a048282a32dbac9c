#include "compiler/device/atomics.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/device/memory.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

using llvm::AtomicRMWInst;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kWord = 32;

unsigned bits_of(const llvm::Type* type) { return type->getScalarSizeInBits(); }

/// A value of up to 32 bits and the aligned word that contains it.
struct Place {
  Value* word;   ///< the address of the word
  Value* shift;  ///< the value's offset in bits, or null if it fills the word
  llvm::IntegerType* type;
};

Place place_of(IRBuilder<>& b, Value* pointer, unsigned bits) {
  if (bits >= kWord) return {pointer, nullptr, b.getIntNTy(bits)};
  const llvm::DataLayout& layout = b.GetInsertBlock()->getModule()->getDataLayout();
  Value* address = b.CreatePtrToInt(pointer, layout.getIntPtrType(pointer->getType()));
  Value* within = b.CreateAnd(address, 3);
  Value* word = b.CreateGEP(b.getInt8Ty(), pointer, b.CreateNeg(within));
  return {word, b.CreateShl(b.CreateTrunc(within, b.getInt32Ty()), 3), b.getInt32Ty()};
}

Value* take(IRBuilder<>& b, const Place& place, Value* word, llvm::Type* type) {
  if (place.shift)
    word = b.CreateTrunc(b.CreateLShr(word, place.shift), b.getIntNTy(bits_of(type)));
  return b.CreateBitCast(word, type);
}

Value* put(IRBuilder<>& b, const Place& place, Value* word, Value* value) {
  const unsigned bits = bits_of(value->getType());
  value = b.CreateBitCast(value, b.getIntNTy(bits));
  if (!place.shift) return value;
  Value* mask = b.CreateShl(b.getInt32((1u << bits) - 1), place.shift);
  value = b.CreateShl(b.CreateZExt(value, place.type), place.shift);
  return b.CreateOr(b.CreateAnd(word, b.CreateNot(mask)), value);
}

/// Emits old = *place; while (!compare-exchange(place, old, next(old))) .... Returns the old value
/// as `type`.
template <class Next>
Value* exchange_loop(llvm::Instruction& at, Value* pointer, llvm::Type* type,
                     llvm::AtomicOrdering ordering, llvm::SyncScope::ID scope, const Next& next) {
  llvm::BasicBlock* before = at.getParent();
  llvm::BasicBlock* done = before->splitBasicBlock(&at, "exchanged");
  before->getTerminator()->eraseFromParent();
  llvm::BasicBlock* head =
      llvm::BasicBlock::Create(at.getContext(), "exchange", before->getParent(), done);
  IRBuilder<> b(before);
  const Place place = place_of(b, pointer, bits_of(type));
  const llvm::Align align(bits_of(place.type) / 8);
  llvm::LoadInst* first = b.CreateAlignedLoad(place.type, place.word, align);
  first->setAtomic(llvm::AtomicOrdering::Monotonic, scope);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* old = b.CreatePHI(place.type, 2);
  old->addIncoming(first, before);
  Value* value = take(b, place, old, type);
  Value* result =
      b.CreateAtomicCmpXchg(place.word, old, put(b, place, old, next(b, value)), align, ordering,
                            llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  old->addIncoming(b.CreateExtractValue(result, 0), head);
  b.CreateCondBr(b.CreateExtractValue(result, 1), done, head);
  b.SetInsertPoint(&at);
  return value;
}

bool is_native(const AtomicRMWInst& update, Atomics native) {
  if (native == Atomics::kIntegersAndSums && update.getOperation() == AtomicRMWInst::FAdd)
    return update.getType()->isFloatTy() || update.getType()->isDoubleTy();
  if (!update.getType()->isIntegerTy() || bits_of(update.getType()) < kWord) return false;
  switch (update.getOperation()) {
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
      return true;
    default:
      return false;
  }
}

void expand(AtomicRMWInst& update) {
  Value* old = exchange_loop(
      update, update.getPointerOperand(), update.getType(), update.getOrdering(),
      update.getSyncScopeID(), [&](IRBuilder<>& b, Value* value) {
        return llvm::buildAtomicRMWValue(update.getOperation(), b, value, update.getValOperand());
      });
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
}

/// Stores the old value again if it differs from the expected one.
void expand_narrow(llvm::AtomicCmpXchgInst& exchange) {
  llvm::Type* type = exchange.getCompareOperand()->getType();
  Value* old =
      exchange_loop(exchange, exchange.getPointerOperand(), type, exchange.getMergedOrdering(),
                    exchange.getSyncScopeID(), [&](IRBuilder<>& b, Value* value) {
                      Value* same = b.CreateICmpEQ(value, exchange.getCompareOperand());
                      return b.CreateSelect(same, exchange.getNewValOperand(), value);
                    });
  IRBuilder<> b(&exchange);
  Value* pair = b.CreateInsertValue(llvm::PoisonValue::get(exchange.getType()), old, 0);
  pair = b.CreateInsertValue(pair, b.CreateICmpEQ(old, exchange.getCompareOperand()), 1);
  exchange.replaceAllUsesWith(pair);
  exchange.eraseFromParent();
}

void expand(llvm::LoadInst& load) {
  llvm::Type* type = load.getType();
  IRBuilder<> b(&load);
  const Place place = place_of(b, load.getPointerOperand(), bits_of(type));
  llvm::LoadInst* word =
      b.CreateAlignedLoad(place.type, place.word, llvm::Align(bits_of(place.type) / 8));
  word->setAtomic(load.getOrdering(), load.getSyncScopeID());
  load.replaceAllUsesWith(take(b, place, word, type));
  load.eraseFromParent();
}

void expand(llvm::StoreInst& store) {
  Value* value = store.getValueOperand();
  if (bits_of(value->getType()) < kWord) {
    exchange_loop(store, store.getPointerOperand(), value->getType(), store.getOrdering(),
                  store.getSyncScopeID(), [&](IRBuilder<>&, Value*) { return value; });
  } else {
    IRBuilder<> b(&store);
    llvm::StoreInst* bits =
        b.CreateAlignedStore(b.CreateBitCast(value, b.getIntNTy(bits_of(value->getType()))),
                             store.getPointerOperand(), store.getAlign());
    bits->setAtomic(store.getOrdering(), store.getSyncScopeID());
  }
  store.eraseFromParent();
}

bool is_plain(const llvm::Type* type) { return type->isIntegerTy() && bits_of(type) >= kWord; }

void expand(llvm::Instruction& i, const std::string& kernel, Atomics native) {
  const llvm::Type* type =
      llvm::isa<llvm::StoreInst>(i) ? llvm::cast<llvm::StoreInst>(i).getValueOperand()->getType()
      : llvm::isa<llvm::AtomicCmpXchgInst>(i)
          ? llvm::cast<llvm::AtomicCmpXchgInst>(i).getCompareOperand()->getType()
          : i.getType();
  if (type->isPointerTy() || type->isVectorTy() || bits_of(type) > 64)
    refuse_unsupported(kernel, "atomics support integers and floats of up to 64 bits");
  if (auto* update = llvm::dyn_cast<AtomicRMWInst>(&i)) {
    if (!is_native(*update, native)) expand(*update);
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) {
    if (!is_plain(type)) expand_narrow(*exchange);
  } else if (!is_plain(type)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
      expand(*load);
    else
      expand(llvm::cast<llvm::StoreInst>(i));
  }
}

/// Private memory needs no atomics.
void relax_private_atomics(llvm::Function& f) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    const Value* address = accessed_address(i);
    if (!i.isAtomic() || !address || !is_private(*address)) continue;
    if (auto* update = llvm::dyn_cast<AtomicRMWInst>(&i))
      llvm::lowerAtomicRMWInst(update);
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
      llvm::lowerAtomicCmpXchgInst(exchange);
    else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
      load->setOrdering(llvm::AtomicOrdering::NotAtomic);
    else
      llvm::cast<llvm::StoreInst>(i).setOrdering(llvm::AtomicOrdering::NotAtomic);
  }
}

}  // namespace

void expand_atomics(llvm::Function& f, const std::string& kernel, Atomics native) {
  relax_private_atomics(f);
  llvm::SmallVector<llvm::Instruction*, 8> found;
  for (llvm::Instruction& i : llvm::instructions(f))
    if (i.isAtomic() && !llvm::isa<llvm::FenceInst>(i)) found.push_back(&i);
  for (llvm::Instruction* i : found) expand(*i, kernel, native);
}

}  // namespace hither::compiler
