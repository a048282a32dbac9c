#include "compiler/cpu/vector_math.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/cpu/math_arithmetic.h"
#include "compiler/cpu/sleef.h"

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

/// Replaces the calls of one math function at one type and number of lanes.
class CallLowering {
 public:
  CallLowering(llvm::Module& module, const MathCall& call, int vector_bits)
      : lanes_(std::max(call.lanes, 1)), scalar_(call.lanes == 0) {
    NativeVariant native = native_variant(*call.function, call.type, vector_bits);
    llvm::Type* element = call.type == 's' ? llvm::Type::getFloatTy(module.getContext())
                                           : llvm::Type::getDoubleTy(module.getContext());
    native_lanes_ = native.lanes;
    llvm::Type* type =
        native_lanes_ == 0 ? element : llvm::FixedVectorType::get(element, native_lanes_);
    callee_ = declare_native(module, native.name, type, call.function->arity);
  }

  void lower(llvm::CallInst* call) const {
    llvm::IRBuilder<> b(call);
    Values arguments(call->args());
    call->replaceAllUsesWith(computed(b, arguments));
    call->eraseFromParent();
  }

 private:
  using Values = llvm::SmallVector<llvm::Value*, 2>;

  llvm::Value* computed(llvm::IRBuilder<>& b, const Values& arguments) const {
    if (native_lanes_ == 0) return lane_by_lane(b, arguments);
    if (scalar_) return splatted(b, arguments);
    return lanes_ == native_lanes_ ? b.CreateCall(callee_, arguments) : in_pieces(b, arguments);
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
  llvm::Function* callee_;
};

/// SLEEF's sinh and cosh of floats are infinite where the result is above a quarter of the largest
/// float, its asinh and acosh where the square of x is.
bool is_computed_in_double(const MathCall& call) {
  const llvm::StringRef name = call.function->name;
  return call.type == 's' &&
         (name == "sinh" || name == "cosh" || name == "asinh" || name == "acosh");
}

enum class Symmetry : uint8_t { kNone, kOdd, kEven };

/// SLEEF's results are infinite beyond `limit`, though the true ones are not. There they become
/// factor * other(|x| - offset) + summand, with the sign of x if the function is odd.
struct Extension {
  const char* name;
  char type;
  Symmetry symmetry;  ///< odd and even functions are extended below -limit, too
  double limit;
  const char* other;
  double offset, factor, summand;
};
constexpr double kHalfExp709 = 0x1.d422d2be5dc9bp+1021;  // exp(709) / 2
constexpr Extension kExtensions[] = {
    {"asinh", 'd', Symmetry::kOdd, 1e150, "log", 0, 1, std::numbers::ln2},
    {"acosh", 'd', Symmetry::kNone, 1e150, "log", 0, 1, std::numbers::ln2},
    {"log1p", 'd', Symmetry::kNone, 1e300, "log", 0, 1, 0},
    {"log1p", 's', Symmetry::kNone, 1e30, "log", 0, 1, 0},
    {"sinh", 'd', Symmetry::kOdd, 709, "exp", 709, kHalfExp709, 0},
    {"cosh", 'd', Symmetry::kEven, 709, "exp", 709, kHalfExp709, 0},
};

const Extension* extension_of(const MathCall& call) {
  const llvm::StringRef name = call.function->name;
  const auto* found = std::ranges::find_if(
      kExtensions, [&](const Extension& e) { return name == e.name && call.type == e.type; });
  return found == std::end(kExtensions) ? nullptr : found;
}

void extend(llvm::Function& f, const MathCall& call, const Extension& e) {
  const MathFunction& other = *std::ranges::find_if(
      math_functions(), [&](const MathFunction& m) { return llvm::StringRef(m.name) == e.other; });
  llvm::Function* callee = declare_math(*f.getParent(), {&other, call.type, call.lanes});
  llvm::Type* type = f.getReturnType();
  const auto constant = [&](double v) { return llvm::ConstantFP::get(type, v); };
  for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
    auto* found = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> b(found->getNextNode());
    llvm::Value* x = found->getArgOperand(0);
    llvm::Value* size =
        e.symmetry != Symmetry::kNone ? b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x) : x;
    llvm::Value* is_far = b.CreateFCmpOGT(size, constant(e.limit));
    llvm::Value* far = b.CreateSelect(is_far, size, constant(e.limit));
    far = b.CreateCall(callee, b.CreateFSub(far, constant(e.offset)));
    far = b.CreateFAdd(b.CreateFMul(far, constant(e.factor)), constant(e.summand));
    if (e.symmetry == Symmetry::kOdd)
      far = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, far, x);
    auto* chosen = llvm::cast<llvm::Instruction>(b.CreateSelect(is_far, far, found));
    found->replaceUsesWithIf(chosen, [&](const llvm::Use& u) { return u.getUser() != chosen; });
  }
}

/// Whether SLEEF's function loses the last bits and the sign of subnormal numbers, whose results
/// are the numbers themselves.
bool loses_subnormals(const MathCall& call) {
  const llvm::StringRef name = call.function->name;
  return name == "log1p" || (call.type == 'd' && (name == "tan" || name == "asinh"));
}

void keep_subnormals(llvm::Function& f) {
  llvm::Type* const type = f.getReturnType();
  const auto least = llvm::APFloat::getSmallestNormalized(type->getScalarType()->getFltSemantics());
  for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
    auto* const found = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> b(found->getNextNode());
    llvm::Value* const x = found->getArgOperand(0);
    llvm::Value* const is_small = b.CreateFCmpOLT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                  llvm::ConstantFP::get(type, least));
    auto* chosen = llvm::cast<llvm::Instruction>(b.CreateSelect(is_small, x, found));
    found->replaceUsesWithIf(chosen, [&](const llvm::Use& u) { return u.getUser() != chosen; });
  }
}

/// SLEEF's exp and pow of doubles are infinite for results above 1.79769e308. If a lane has such a
/// result, it is computed again: exp as twice a result that is half as large, pow as a square.
class NearOverflow {
 public:
  static bool concerns(const MathCall& call) {
    const llvm::StringRef name = call.function->name;
    return call.type == 'd' && (name == "exp" || name == "pow");
  }

  explicit NearOverflow(llvm::CallInst* call)
      : call_(call), type_(call->getType()), is_pow_(call->arg_size() == 2) {}

  void compute_again() {
    llvm::IRBuilder<> b(call_->getNextNode());
    llvm::Value* const lanes = is_pow_ ? infinite_powers(b) : b.CreateFCmpOGT(x(), number(kBound));
    llvm::Value* const any = type_->isVectorTy() ? b.CreateOrReduce(lanes) : lanes;
    llvm::Instruction* const next = &*b.GetInsertPoint();
    llvm::BasicBlock* const before = call_->getParent();
    llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(
        any, next, /*Unreachable=*/false,
        llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
    llvm::PHINode* const result = llvm::PHINode::Create(type_, 2, "", next->getParent()->begin());
    // The block's own uses decide about the branch; a loop's phi takes the value at its end.
    call_->replaceUsesWithIf(result, [&](const llvm::Use& use) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      return user != result && (llvm::isa<llvm::PHINode>(user) || user->getParent() != before);
    });
    b.SetInsertPoint(then);
    llvm::Value* const again = is_pow_ ? square_of_root(b) : twice_the_half(b);
    result->addIncoming(call_, before);
    result->addIncoming(b.CreateSelect(lanes, again, call_), then->getParent());
  }

 private:
  // SLEEF's bound, and the logarithm of 2 as the sum of a number with which sums are exact there
  // and a rest.
  static constexpr double kBound = 709.78271114955742909;
  static constexpr double kLog2 = 0x1.62e42fefa3c00p-1, kLog2Rest = -0x1.08654361c4c68p-44;

  llvm::Value* x() const { return call_->getArgOperand(0); }
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(type_, value); }
  llvm::Value* is_finite(llvm::IRBuilder<>& b, llvm::Value* v) const {
    return b.CreateFCmpOLT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v),
                           llvm::ConstantFP::getInfinity(type_));
  }

  llvm::Value* infinite_powers(llvm::IRBuilder<>& b) const {
    llvm::Value* const is_infinite = b.CreateFCmpOEQ(
        b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, call_), llvm::ConstantFP::getInfinity(type_));
    llvm::Value* const of_numbers =
        b.CreateAnd(is_finite(b, x()), is_finite(b, call_->getArgOperand(1)));
    return b.CreateAnd(b.CreateAnd(is_infinite, of_numbers), b.CreateFCmpONE(x(), number(0)));
  }

  llvm::Value* twice_the_half(llvm::IRBuilder<>& b) const {
    llvm::Value* const half =
        b.CreateCall(call_->getCalledFunction(), {b.CreateFSub(x(), number(kLog2))});
    llvm::Value* const sum = b.CreateFAdd(half, b.CreateFMul(half, number(-kLog2Rest)));
    return b.CreateFMul(sum, number(2));
  }

  llvm::Value* square_of_root(llvm::IRBuilder<>& b) const {
    llvm::Value* const size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x());
    llvm::Value* const y = call_->getArgOperand(1);
    llvm::Value* const root =
        b.CreateCall(call_->getCalledFunction(), {size, b.CreateFMul(y, number(0.5))});
    // The root of the largest number is rounded up.
    llvm::Value* const power =
        b.CreateSelect(b.CreateFCmpOEQ(y, number(1)), size, b.CreateFMul(root, root));
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, power, call_);
  }

  llvm::CallInst* call_;
  llvm::Type* type_;
  bool is_pow_;
};

/// As in SLEEF's variants, so that all of a machine's functions agree.
bool has_fused_multiply_add([[maybe_unused]] int vector_bits) {
#if defined(__x86_64__)
  return vector_bits >= 256;
#else
  return true;
#endif
}

/// Square roots, or quotients, of one type in one block, whose operands are known before the first.
class Pack {
 public:
  bool takes(const llvm::Instruction& i) const {
    if (members_.empty()) return true;
    return llvm::none_of(i.operands(), [&](const llvm::Use& operand) {
      auto* value = llvm::dyn_cast<llvm::Instruction>(operand);
      return value && value->getParent() == i.getParent() && !value->comesBefore(members_[0]);
    });
  }

  void add(llvm::Instruction& i) { members_.push_back(&i); }

  /// In vectors of 16 or 32 bytes.
  void write() {
    const size_t fewest = members_.empty() || members_[0]->getType()->isFloatTy() ? 4 : 2;
    llvm::ArrayRef<llvm::Instruction*> left = members_;
    for (const size_t lanes : {2 * fewest, fewest})
      for (; left.size() >= lanes; left = left.drop_front(lanes)) write(left.take_front(lanes));
    for (llvm::Instruction* member : members_)
      if (member->use_empty()) member->eraseFromParent();
    members_.clear();
  }

 private:
  /// Whether the operands are parts of one vector, or all the same. Two operands of which none is
  /// would take longer to pack than the quotients.
  static bool is_packed(llvm::ArrayRef<llvm::Instruction*> members, unsigned operand) {
    const auto whole = [&](const llvm::Instruction* member) {
      const llvm::Value* value = member->getOperand(operand);
      auto* part = llvm::dyn_cast<llvm::ExtractElementInst>(value);
      return part ? part->getVectorOperand() : value;
    };
    return llvm::all_of(members, [&](auto* member) { return whole(member) == whole(members[0]); });
  }

  void write(llvm::ArrayRef<llvm::Instruction*> members) const {
    const bool are_roots = llvm::isa<llvm::CallInst>(members[0]);
    if (!are_roots && !is_packed(members, 0) && !is_packed(members, 1)) return;
    llvm::IRBuilder<> b(members_[0]);
    auto* type =
        llvm::FixedVectorType::get(members[0]->getType(), static_cast<unsigned>(members.size()));
    const auto gather = [&](unsigned operand) {
      llvm::Value* packed = llvm::PoisonValue::get(type);
      for (size_t k = 0; k < members.size(); ++k)
        packed = b.CreateInsertElement(packed, members[k]->getOperand(operand), k);
      return packed;
    };
    auto* packed = llvm::cast<llvm::Instruction>(
        are_roots ? b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, gather(0))
                  : b.CreateFDiv(gather(0), gather(1)));
    packed->copyIRFlags(members[0]);
    for (llvm::Instruction* member : members) packed->andIRFlags(member);
    for (size_t k = 0; k < members.size(); ++k)
      members[k]->replaceAllUsesWith(b.CreateExtractElement(packed, k));
  }

  llvm::SmallVector<llvm::Instruction*, 8> members_;
};

}  // namespace

void pack_roots(llvm::Function& f) {
  // Quotients by roots follow on the packed roots.
  for (const bool roots : {true, false})
    for (llvm::BasicBlock& block : f) {
      Pack floats, doubles;
      llvm::SmallVector<llvm::Instruction*, 64> all;
      for (llvm::Instruction& i : block) all.push_back(&i);
      for (llvm::Instruction* i : all) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(i);
        const bool is_root = call && call->getIntrinsicID() == llvm::Intrinsic::sqrt;
        if (roots ? !is_root : i->getOpcode() != llvm::Instruction::FDiv) continue;
        if (!i->getType()->isFloatTy() && !i->getType()->isDoubleTy()) continue;
        Pack& pack = i->getType()->isFloatTy() ? floats : doubles;
        if (!pack.takes(*i)) pack.write();
        pack.add(*i);
      }
      floats.write();
      doubles.write();
    }
}

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
  std::string vector = sleef_symbol(function.name, type, vector_bits);
  if (!vector.empty()) return {std::move(vector), vector_bits / (type == 's' ? 32 : 64)};
  return {fmt::format("{}{}", function.name, type == 's' ? "f" : ""), 0};
}

void lower_vector_math(llvm::Module& module, int vector_bits) {
  // The vectoriser keeps the variants alive in this list.
  if (auto* used = module.getNamedGlobal("llvm.compiler.used")) used->eraseFromParent();
  for (llvm::Function& f : module) f.removeDeadConstantUsers();
  for (llvm::Function& f : llvm::make_early_inc_range(module))
    if (auto call = math_call(f); call && is_computed_in_double(*call)) call_through(f, *call, 'd');
  for (llvm::Function& f : module)
    if (auto call = math_call(f); call && loses_subnormals(*call)) keep_subnormals(f);
  for (llvm::Function& f : llvm::make_early_inc_range(module))
    if (auto call = math_call(f))
      if (const Extension* extension = extension_of(*call)) extend(f, *call, *extension);
  llvm::SmallVector<llvm::CallInst*, 8> overflowing;
  for (llvm::Function& f : module)
    if (auto call = math_call(f); call && NearOverflow::concerns(*call))
      for (llvm::User* user : f.users()) overflowing.push_back(llvm::cast<llvm::CallInst>(user));
  for (llvm::CallInst* call : overflowing) NearOverflow(call).compute_again();
  for (llvm::Function& f : module)
    if (auto call = math_call(f)) expand_math(f, *call, has_fused_multiply_add(vector_bits));
  for (llvm::Function& f : llvm::make_early_inc_range(module)) {
    if (!f.getName().starts_with("hither.math.")) continue;
    if (auto call = math_call(f); call && !f.use_empty()) {
      CallLowering lowering(module, *call, vector_bits);
      for (llvm::User* user : llvm::make_early_inc_range(f.users()))
        lowering.lower(llvm::cast<llvm::CallInst>(user));
    }
    f.eraseFromParent();
  }
}

}  // namespace hither::compiler
