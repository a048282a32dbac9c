#include "compiler/items/private_arrays.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/module/uniformity.h"

namespace hither::compiler {
namespace {

using llvm::AllocaInst;
using llvm::GetElementPtrInst;
using llvm::Instruction;
using llvm::MemSetInst;
using llvm::Value;

constexpr const char* kSpread = "hither.spread";

/// The bytes from a pointer to the result of pointer arithmetic on it.
struct Distance {
  explicit Distance(const GetElementPtrInst& address)
      : constant(address.getModule()->getDataLayout().getIndexTypeSizeInBits(address.getType()),
                 0) {
    known = llvm::cast<llvm::GEPOperator>(address).collectOffset(
        address.getModule()->getDataLayout(), constant.getBitWidth(), scaled, constant);
  }
  bool known;
  llvm::MapVector<Value*, llvm::APInt> scaled;
  llvm::APInt constant;
};

/// The accesses to one private array.
class ArrayAccesses {
 public:
  explicit ArrayAccesses(AllocaInst& array)
      : array_(array), layout_(array.getModule()->getDataLayout()) {}

  bool can_be_spread(llvm::function_ref<bool(Value*)> is_common) {
    if (!array_.isStaticAlloca() || spread_element(array_) || !collect(array_) || element_ == 0)
      return false;
    return bytes() % element_ == 0 && llvm::all_of(addresses_, [&](GetElementPtrInst* address) {
             const Distance distance(*address);
             return distance.known && distance.constant.srem(element_) == 0 &&
                    llvm::all_of(distance.scaled, [&](auto& part) {
                      return part.second.srem(element_) == 0 && is_common(part.first);
                    });
           });
  }

  void spread(int64_t items) {
    items_ = static_cast<uint64_t>(items);
    llvm::IRBuilder<> b(&array_);
    llvm::Type* element = b.getIntNTy(static_cast<unsigned>(8 * element_));
    spread_ = b.CreateAlloca(llvm::ArrayType::get(element, bytes() / element_ * items_));
    spread_->takeName(&array_);
    spread_->setAlignment(array_.getAlign());
    spread_->setMetadata(kSpread, llvm::MDNode::get(b.getContext(), {}));
    rewrite(array_, b.getInt64(0));
    for (Instruction* address : llvm::reverse(addresses_)) address->eraseFromParent();
    array_.eraseFromParent();
  }

 private:
  uint64_t bytes() const {
    return layout_.getTypeAllocSize(array_.getAllocatedType()).getFixedValue() *
           llvm::cast<llvm::ConstantInt>(array_.getArraySize())->getZExtValue();
  }

  bool collect(Instruction& pointer) {
    return llvm::all_of(pointer.users(), [&](llvm::User* user) {
      auto& i = *llvm::cast<Instruction>(user);
      if (auto* address = llvm::dyn_cast<GetElementPtrInst>(&i)) {
        addresses_.push_back(address);
        return collect(*address);
      }
      if (llvm::getLoadStorePointerOperand(&i) == &pointer)
        return !i.isAtomic() && !i.isVolatile() &&
               (!llvm::isa<llvm::StoreInst>(i) || i.getOperand(0) != &pointer) &&
               accesses(*llvm::getLoadStoreType(&i));
      if (auto* set = llvm::dyn_cast<MemSetInst>(&i)) return &pointer == &array_ && is_whole(*set);
      auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      return intrinsic && intrinsic->isLifetimeStartOrEnd();
    });
  }

  bool accesses(const llvm::Type& type) {
    if (!type.isIntegerTy() && !type.isFloatTy() && !type.isDoubleTy() && !type.isPointerTy())
      return false;
    const auto size = static_cast<int64_t>(
        layout_.getTypeStoreSize(const_cast<llvm::Type*>(&type)).getFixedValue());
    if (element_ == 0) element_ = size;
    return size == element_ && (size == 4 || size == 8);
  }

  /// Whether all bytes of the array are set to a constant.
  bool is_whole(const MemSetInst& set) const {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(set.getLength());
    return length && length->getZExtValue() == bytes() && !set.isVolatile() &&
           llvm::isa<llvm::ConstantInt>(set.getValue());
  }

  void rewrite(Instruction& pointer, Value* offset) {
    for (llvm::User* user : llvm::make_early_inc_range(pointer.users())) {
      auto& i = *llvm::cast<Instruction>(user);
      llvm::IRBuilder<> b(&i);
      if (auto* address = llvm::dyn_cast<GetElementPtrInst>(&i))
        rewrite(*address, b.CreateAdd(offset, offset_of(*address, b)));
      else if (auto* set = llvm::dyn_cast<MemSetInst>(&i))
        write_loop(*set);
      else if (llvm::isa<llvm::IntrinsicInst>(i))
        i.eraseFromParent();
      else
        redirect(i, place(offset, b));
    }
  }

  /// Without overflow that would be undefined, because the address is computed even if no item
  /// uses it.
  static Value* offset_of(const GetElementPtrInst& address, llvm::IRBuilder<>& b) {
    const Distance distance(address);
    Value* offset = b.getInt(distance.constant);
    for (const auto& [index, scale] : distance.scaled)
      offset = b.CreateAdd(
          offset, b.CreateMul(b.CreateSExtOrTrunc(b.CreateFreeze(index), offset->getType()),
                              b.getInt(scale)));
    return offset;
  }

  Value* place(Value* offset, llvm::IRBuilder<>& b) const {
    Value* last = b.getInt64(bytes() - element_);
    Value* inside = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, offset, last);
    return b.CreateInBoundsGEP(b.getInt8Ty(), spread_,
                               b.CreateMul(inside, b.getInt64(items_), "", true, true));
  }

  void redirect(Instruction& access, Value* place) const {
    const llvm::Align align(static_cast<uint64_t>(element_));
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) {
      load->setOperand(llvm::LoadInst::getPointerOperandIndex(), place);
      load->setAlignment(align);
    } else {
      auto* store = llvm::cast<llvm::StoreInst>(&access);
      store->setOperand(llvm::StoreInst::getPointerOperandIndex(), place);
      store->setAlignment(align);
    }
  }

  void write_loop(MemSetInst& set) const {
    const auto byte = llvm::cast<llvm::ConstantInt>(set.getValue())->getValue();
    llvm::IRBuilder<> b(&set);
    auto [at, index] = llvm::SplitBlockAndInsertSimpleForLoop(b.getInt64(bytes() / element_), &set);
    b.SetInsertPoint(at);
    b.CreateAlignedStore(b.getInt(llvm::APInt::getSplat(static_cast<unsigned>(8 * element_), byte)),
                         place(b.CreateMul(index, b.getInt64(static_cast<uint64_t>(element_))), b),
                         llvm::Align(static_cast<uint64_t>(element_)));
    set.eraseFromParent();
  }

  AllocaInst& array_;
  const llvm::DataLayout& layout_;
  int64_t element_ = 0;  ///< bytes
  uint64_t items_ = 1;
  AllocaInst* spread_ = nullptr;
  llvm::SmallVector<GetElementPtrInst*, 8> addresses_;
};

}  // namespace

bool can_be_spread(AllocaInst& array, llvm::function_ref<bool(Value*)> is_common) {
  return ArrayAccesses(array).can_be_spread(is_common);
}

void spread_private_arrays(llvm::Function& f, int64_t items) {
  const Uniformity uniformity = analyse_uniformity(f);
  const auto is_common = [&](Value* v) {
    return uniformity.is_uniform(v) && !uniformity.divergent_outside.contains(v);
  };
  llvm::SmallVector<AllocaInst*, 4> arrays;
  for (Instruction& i : llvm::instructions(f))
    if (auto* array = llvm::dyn_cast<AllocaInst>(&i)) arrays.push_back(array);
  for (AllocaInst* array : arrays) {
    ArrayAccesses accesses(*array);
    if (accesses.can_be_spread(is_common)) accesses.spread(items);
  }
}

llvm::Type* spread_element(const AllocaInst& array) {
  return array.hasMetadata(kSpread) ? array.getAllocatedType()->getArrayElementType() : nullptr;
}

const AllocaInst* spread_array_of(const Value* pointer) {
  auto* array = llvm::dyn_cast<AllocaInst>(llvm::getUnderlyingObject(pointer));
  return array && spread_element(*array) ? array : nullptr;
}

}  // namespace hither::compiler
