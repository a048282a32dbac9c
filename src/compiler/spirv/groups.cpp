#include "compiler/spirv/groups.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include "compiler/device/group_shuffles.h"
#include "compiler/spirv/builtins.h"
#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {
namespace {

using llvm::Value;

class SpirvGroupCall final : public GroupCall {
 public:
  using GroupCall::GroupCall;

 private:
  Value* combination() override {
    if (f_.operation == GroupFunction::kAdd) return sum();
    if (f_.operation == GroupFunction::kMin || f_.operation == GroupFunction::kMax)
      return extreme();
    return by_shuffles();
  }

  const char* prefix() const { return f_.sub_group ? "sub" : "work"; }
  bool is_float() const { return f_.number == GroupFunction::kFloat; }
  bool is_signed() const { return f_.number == GroupFunction::kSigned; }
  unsigned bits() const { return type_->getScalarSizeInBits(); }

  Value* collective(const char* operation, Value* v, bool as_signed) {
    const char* kind = f_.kind == GroupFunction::kReduce          ? "reduce"
                       : f_.kind == GroupFunction::kInclusiveScan ? "scan_inclusive"
                                                                  : "scan_exclusive";
    return call_builtin(b_, fmt::format("{}_group_{}_{}", prefix(), kind, operation), v->getType(),
                        {v}, Effect::kConvergent, as_signed);
  }

  Value* sum() {
    if (type_->isHalfTy())
      return b_.CreateFPTrunc(collective("add", b_.CreateFPExt(x(), b_.getFloatTy()), true), type_);
    if (is_float()) return collective("add", x(), true);
    Value* v = bits() < 32 ? b_.CreateZExt(x(), b_.getInt32Ty()) : x();
    return b_.CreateTrunc(collective("add", v, true), type_);
  }

  Value* extreme() {
    const bool least = f_.operation == GroupFunction::kMin;
    const char* name = least ? "min" : "max";
    llvm::Type* own = b_.getIntNTy(bits());
    llvm::Type* wide = bits() < 32 ? b_.getInt32Ty() : own;
    if (!is_float()) {
      Value* v = is_signed() ? b_.CreateSExt(x(), wide) : b_.CreateZExt(x(), wide);
      Value* found = b_.CreateTrunc(collective(name, v, is_signed()), type_);
      // OpenCL's neutral element is that of the wide type.
      return f_.kind == GroupFunction::kExclusiveScan ? or_neutral_in_front(found) : found;
    }
    // Maps floats to integers of the same order, and nan to the end that takes precedence.
    auto ordered = [&](Value* v) {
      Value* mask =
          b_.CreateAnd(b_.CreateAShr(v, bits() - 1),
                       llvm::ConstantInt::get(own, llvm::APInt::getSignedMaxValue(bits())));
      return b_.CreateXor(v, mask);
    };
    Value* winner = llvm::ConstantInt::get(own, least ? llvm::APInt::getSignedMinValue(bits())
                                                      : llvm::APInt::getSignedMaxValue(bits()));
    Value* key = ordered(b_.CreateBitCast(x(), own));
    key = b_.CreateSelect(b_.CreateFCmpUNO(x(), x()), winner, key);
    Value* found = b_.CreateTrunc(collective(name, b_.CreateSExt(key, wide), true), own);
    Value* result = b_.CreateBitCast(ordered(found), type_);
    return f_.kind == GroupFunction::kExclusiveScan ? or_neutral_in_front(result) : result;
  }

  Value* or_neutral_in_front(Value* result) {
    Value* first = b_.CreateIsNull(lane());
    if (!f_.sub_group) first = b_.CreateAnd(first, b_.CreateIsNull(query(Intrinsic::kSubGroupId)));
    return b_.CreateSelect(first, first_of_scan(), result);
  }

  llvm::Constant* first_of_scan() const {
    llvm::Constant* start = neutral(f_, type_);
    return start->isNegativeZeroValue() ? llvm::Constant::getNullValue(type_) : start;
  }

  Value* vote() override {
    Value* truth = b_.CreateZExt(b_.CreateIsNotNull(x()), b_.getInt32Ty());
    const char* name = f_.kind == GroupFunction::kAnyOf ? "any" : "all";
    Value* all = call_builtin(b_, fmt::format("{}_group_{}", prefix(), name), b_.getInt32Ty(),
                              {truth}, Effect::kConvergent, /*is_signed=*/true);
    return b_.CreateZExt(b_.CreateIsNotNull(all), type_);
  }

  Value* local_size(unsigned dim) {
    return call_builtin(b_, "get_local_size", b_.getInt64Ty(), {b_.getInt32(dim)});
  }

  Value* broadcast() override {
    Value *width = local_size(0), *height = local_size(1);
    Value* area = b_.CreateMul(width, height);
    Value* last = b_.CreateSub(b_.CreateMul(area, local_size(2)), b_.getInt64(1));
    Value* from = least(b_.CreateZExt(index(), b_.getInt64Ty()), last);
    Value* column = b_.CreateURem(from, width);
    Value* row = b_.CreateURem(b_.CreateUDiv(from, width), height);
    Value* v = widened(x());
    v = call_builtin(b_, "work_group_broadcast", v->getType(),
                     {v, column, row, b_.CreateUDiv(from, area)}, Effect::kConvergent);
    return narrowed(v, type_);
  }
};

}  // namespace

void lower_group_functions(llvm::Function& kernel) {
  SpirvBuiltins builtins;
  replace_group_functions(kernel, [&](llvm::CallInst& call, const GroupFunction& f) {
    return SpirvGroupCall(call, f, builtins).write();
  });
}

}  // namespace hither::compiler
