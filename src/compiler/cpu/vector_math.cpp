#include "compiler/cpu/vector_math.h"

#include <optional>

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/cpu/host_symbols.h"

namespace hither::compiler {
namespace {

constexpr int kWidths[] = {2, 4, 8, 16, 32, 64};

llvm::Function* declare_native(llvm::Module& module, const std::string& name, llvm::Type* type,
                               int arity) {
  llvm::SmallVector<llvm::Type*, 2> parameters(arity, type);
  auto* f = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(name, llvm::FunctionType::get(type, parameters, false))
          .getCallee());
  f->setDoesNotThrow();
  f->setDoesNotAccessMemory();
  f->setWillReturn();
  return f;
}

/// Beyond this argument, in both directions, the function is 0 or infinite. For such lanes, which
/// are common in sigmoids and masked softmaxes, libmvec calls libm one by one and takes twenty
/// times as long.
std::optional<double> saturation(const MathCall& call) {
  if (llvm::StringRef(call.function->name) != "exp") return std::nullopt;
  return call.type == 's' ? 104 : 746;
}

/// Replaces the calls of one math function at one type and number of lanes.
class CallLowering {
 public:
  CallLowering(llvm::Module& module, const MathCall& call, int vector_bits)
      : lanes_(std::max(call.lanes, 1)), scalar_(call.lanes == 0) {
    NativeVariant native = native_variant(*call.function, call.type, vector_bits);
    llvm::Type* element = call.type == 's' ? llvm::Type::getFloatTy(module.getContext())
                                           : llvm::Type::getDoubleTy(module.getContext());
    native_lanes_ = native.lanes;
    if (native_lanes_ > 0) saturation_ = saturation(call);
    llvm::Type* type =
        native_lanes_ == 0 ? element : llvm::FixedVectorType::get(element, native_lanes_);
    callee_ = declare_native(module, native.name, type, call.function->arity);
  }

  void lower(llvm::CallInst* call) const {
    llvm::IRBuilder<> b(call);
    Values arguments(call->args());
    call->replaceAllUsesWith(saturation_ ? saturated(call, arguments[0]) : computed(b, arguments));
    call->eraseFromParent();
  }

 private:
  using Values = llvm::SmallVector<llvm::Value*, 2>;

  llvm::Value* computed(llvm::IRBuilder<>& b, const Values& arguments) const {
    if (native_lanes_ == 0) return lane_by_lane(b, arguments);
    if (scalar_) return splatted(b, arguments);
    return lanes_ == native_lanes_ ? b.CreateCall(callee_, arguments) : in_pieces(b, arguments);
  }

  /// If there are saturated lanes, they compute exp(0) and then take the limit instead.
  llvm::Value* saturated(llvm::CallInst* call, llvm::Value* x) const {
    llvm::IRBuilder<> b(call);
    llvm::Type* type = x->getType();
    llvm::Constant* zero = llvm::ConstantFP::getZero(type);
    llvm::Value* far = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                       llvm::ConstantFP::get(type, *saturation_));
    llvm::Value* any = scalar_ ? far : b.CreateOrReduce(far);
    llvm::Instruction *then = nullptr, *otherwise = nullptr;
    llvm::MDNode* rarely = llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights();
    llvm::SplitBlockAndInsertIfThenElse(any, call->getIterator(), &then, &otherwise, rarely);
    b.SetInsertPoint(then);
    llvm::Value* limit =
        b.CreateSelect(b.CreateFCmpOLT(x, zero), zero, llvm::ConstantFP::getInfinity(type));
    llvm::Value* near = computed(b, {b.CreateSelect(far, zero, x)});
    llvm::Value* mixed = b.CreateSelect(far, limit, near);
    b.SetInsertPoint(otherwise);
    llvm::Value* plain = computed(b, {x});
    b.SetInsertPoint(call);
    llvm::PHINode* result = b.CreatePHI(type, 2);
    result->addIncoming(mixed, then->getParent());
    result->addIncoming(plain, otherwise->getParent());
    return result;
  }

  llvm::Value* lane_by_lane(llvm::IRBuilder<>& b, const Values& arguments) const {
    if (scalar_) return b.CreateCall(callee_, arguments);
    llvm::Value* result = llvm::PoisonValue::get(arguments[0]->getType());
    for (int lane = 0; lane < lanes_; ++lane) {
      Values one;
      for (llvm::Value* a : arguments) one.push_back(b.CreateExtractElement(a, lane));
      result = b.CreateInsertElement(result, b.CreateCall(callee_, one), lane);
    }
    return result;
  }

  llvm::Value* splatted(llvm::IRBuilder<>& b, const Values& arguments) const {
    Values wide;
    for (llvm::Value* a : arguments) wide.push_back(b.CreateVectorSplat(native_lanes_, a));
    return b.CreateExtractElement(b.CreateCall(callee_, wide), uint64_t{0});
  }

  /// Splits a call into pieces of the native width. The last piece is padded with its first lane.
  llvm::Value* in_pieces(llvm::IRBuilder<>& b, const Values& arguments) const {
    llvm::SmallVector<llvm::Value*, 8> pieces;
    for (int first = 0; first < lanes_; first += native_lanes_) {
      llvm::SmallVector<int, 16> mask;
      for (int i = 0; i < native_lanes_; ++i)
        mask.push_back(first + i < lanes_ ? first + i : first);
      Values narrow;
      for (llvm::Value* a : arguments) narrow.push_back(b.CreateShuffleVector(a, mask));
      pieces.push_back(b.CreateCall(callee_, narrow));
    }
    return joined(b, pieces);
  }

  llvm::Value* joined(llvm::IRBuilder<>& b, llvm::SmallVector<llvm::Value*, 8>& pieces) const {
    int width = native_lanes_;
    while (pieces.size() > 1) {
      if (pieces.size() % 2 == 1) pieces.push_back(llvm::PoisonValue::get(pieces[0]->getType()));
      llvm::SmallVector<int, 64> both(2 * width);
      for (int i = 0; i < 2 * width; ++i) both[i] = i;
      for (size_t i = 0; i < pieces.size() / 2; ++i)
        pieces[i] = b.CreateShuffleVector(pieces[2 * i], pieces[2 * i + 1], both);
      pieces.resize(pieces.size() / 2);
      width *= 2;
    }
    if (width == lanes_) return pieces[0];
    llvm::SmallVector<int, 64> leading(lanes_);
    for (int i = 0; i < lanes_; ++i) leading[i] = i;
    return b.CreateShuffleVector(pieces[0], leading);
  }

  int lanes_;
  bool scalar_;
  int native_lanes_;
  std::optional<double> saturation_;
  llvm::Function* callee_;
};

}  // namespace

VectorVariants::VectorVariants(const llvm::Module& module) {
  for (const llvm::Function& f : module) {
    auto call = math_call(f);
    if (!call || call->lanes != 0 || f.use_empty()) continue;
    for (int width : kWidths) {
      size_t dot = f.getName().rfind('.');
      const std::string& vector = names_.emplace_back(fmt::format(
          "{}.v{}{}", f.getName().substr(0, dot).str(), width, f.getName().substr(dot + 1).str()));
      const std::string& prefix = names_.emplace_back(
          fmt::format("_ZGV_LLVM_N{}{}", width, call->function->arity == 1 ? "v" : "vv"));
      const std::string& scalar = names_.emplace_back(f.getName().str());
      descriptions_.emplace_back(scalar, vector, llvm::ElementCount::getFixed(width), false,
                                 prefix);
    }
  }
}

NativeVariant native_variant(const MathFunction& function, char type, int vector_bits) {
  std::string scalar = fmt::format("{}{}", function.name, type == 's' ? "f" : "");
  int lanes = vector_bits / (type == 's' ? 32 : 64);
  char isa = vector_bits == 512 ? 'e' : vector_bits == 256 ? 'd' : 'b';
  std::string vector =
      fmt::format("_ZGV{}N{}{}_{}", isa, lanes, function.arity == 1 ? "v" : "vv", scalar);
  if (find_host_symbol(vector)) return {vector, lanes};
  return {scalar, 0};
}

void lower_vector_math(llvm::Module& module, int vector_bits) {
  // The vectoriser keeps the variants alive in this list.
  if (auto* used = module.getNamedGlobal("llvm.compiler.used")) used->eraseFromParent();
  for (llvm::Function& f : llvm::make_early_inc_range(module)) {
    if (!f.getName().starts_with("hither.math.")) continue;
    f.removeDeadConstantUsers();
    if (auto call = math_call(f); call && !f.use_empty()) {
      CallLowering lowering(module, *call, vector_bits);
      for (llvm::User* user : llvm::make_early_inc_range(f.users()))
        lowering.lower(llvm::cast<llvm::CallInst>(user));
    }
    f.eraseFromParent();
  }
}

}  // namespace hither::compiler
