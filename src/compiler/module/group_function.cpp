#include "compiler/module/group_function.h"

#include <iterator>

#include <llvm/IR/Constants.h>

namespace hither::compiler {
namespace {

constexpr llvm::StringRef kKinds[] = {
    "reduce",  "inclusive_scan", "exclusive_scan", "broadcast",    "any_of", "all_of",
    "shuffle", "shuffle_xor",    "shuffle_up",     "shuffle_down", "match"};
constexpr llvm::StringRef kOperations[] = {"add", "mul", "min", "max", "and", "or", "xor"};

template <size_t N>
std::optional<int> index_of(llvm::StringRef name, const llvm::StringRef (&names)[N]) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<int>(i);
  return std::nullopt;
}

struct NamedType {
  llvm::Type* type;
  GroupFunction::Number number;
};

std::optional<NamedType> type_of(llvm::StringRef name, llvm::LLVMContext& context) {
  if (name.empty()) return std::nullopt;
  const char letter = name[0];
  unsigned bits = 0;
  if (name.drop_front().getAsInteger(10, bits)) return std::nullopt;
  if (letter == 'f') {
    if (bits == 16) return NamedType{llvm::Type::getHalfTy(context), GroupFunction::kFloat};
    if (bits == 32) return NamedType{llvm::Type::getFloatTy(context), GroupFunction::kFloat};
    if (bits == 64) return NamedType{llvm::Type::getDoubleTy(context), GroupFunction::kFloat};
    return std::nullopt;
  }
  const bool known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (!known || (letter != 'i' && letter != 'u')) return std::nullopt;
  return NamedType{llvm::Type::getIntNTy(context, bits),
                   letter == 'i' ? GroupFunction::kSigned : GroupFunction::kUnsigned};
}

bool takes_an_index(GroupFunction::Kind kind) {
  return kind == GroupFunction::kBroadcast || kind >= GroupFunction::kShuffle;
}

bool has_operation(GroupFunction::Kind kind) { return kind <= GroupFunction::kExclusiveScan; }

bool has_the_type(const llvm::FunctionType& type, llvm::Type* value, bool index) {
  return !type.isVarArg() && type.getReturnType() == value &&
         type.getNumParams() == (index ? 2 : 1) && type.getParamType(0) == value &&
         (!index || type.getParamType(1)->isIntegerTy(32));
}

}  // namespace

std::optional<GroupFunction> group_function(const llvm::Function& f) {
  llvm::StringRef name = f.getName();
  if (!f.isDeclaration() || !name.consume_front("hither.")) return std::nullopt;
  GroupFunction result{};
  result.sub_group = name.consume_front("sub_");
  if (!name.consume_front("group_")) return std::nullopt;
  auto [kind, rest] = name.split('.');
  const auto found = index_of(kind, kKinds);
  if (!found) return std::nullopt;
  result.kind = static_cast<GroupFunction::Kind>(*found);
  if (result.kind >= GroupFunction::kShuffle && !result.sub_group) return std::nullopt;
  NamedType type{llvm::Type::getInt8Ty(f.getContext()), GroupFunction::kUnsigned};
  if (result.kind != GroupFunction::kAnyOf && result.kind != GroupFunction::kAllOf) {
    llvm::StringRef operation;
    if (has_operation(result.kind)) {
      std::tie(operation, rest) = rest.split('.');
      const auto op = index_of(operation, kOperations);
      if (!op) return std::nullopt;
      result.operation = static_cast<GroupFunction::Operation>(*op);
    }
    const auto named = type_of(rest, f.getContext());
    if (!named) return std::nullopt;
    type = *named;
    if (type.number == GroupFunction::kFloat && result.operation >= GroupFunction::kAnd)
      return std::nullopt;
    if (result.kind == GroupFunction::kMatch && rest != "u32") return std::nullopt;
  } else {
    result.operation =
        result.kind == GroupFunction::kAnyOf ? GroupFunction::kOr : GroupFunction::kAnd;
  }
  result.number = type.number;
  if (!has_the_type(*f.getFunctionType(), type.type, takes_an_index(result.kind)))
    return std::nullopt;
  return result;
}

llvm::Value* combine(llvm::IRBuilder<>& b, const GroupFunction& function, llvm::Value* x,
                     llvm::Value* y) {
  const bool is_float = function.number == GroupFunction::kFloat;
  const bool is_signed = function.number == GroupFunction::kSigned;
  namespace id = llvm::Intrinsic;
  switch (function.operation) {
    case GroupFunction::kAdd:
      return is_float ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
    case GroupFunction::kMul:
      return is_float ? b.CreateFMul(x, y) : b.CreateMul(x, y);
    case GroupFunction::kMin:
      return b.CreateBinaryIntrinsic(is_float    ? id::minimum
                                     : is_signed ? id::smin
                                                 : id::umin,
                                     x, y);
    case GroupFunction::kMax:
      return b.CreateBinaryIntrinsic(is_float    ? id::maximum
                                     : is_signed ? id::smax
                                                 : id::umax,
                                     x, y);
    case GroupFunction::kAnd:
      return b.CreateAnd(x, y);
    case GroupFunction::kOr:
      return b.CreateOr(x, y);
    case GroupFunction::kXor:
      return b.CreateXor(x, y);
  }
  return nullptr;
}

llvm::Constant* neutral(const GroupFunction& function, llvm::Type* type) {
  const bool is_float = function.number == GroupFunction::kFloat;
  const bool is_signed = function.number == GroupFunction::kSigned;
  const unsigned bits = type->getScalarSizeInBits();
  switch (function.operation) {
    case GroupFunction::kAdd:
      return is_float ? llvm::ConstantFP::getNegativeZero(type) : llvm::ConstantInt::get(type, 0);
    case GroupFunction::kMul:
      return is_float ? llvm::ConstantFP::get(type, 1.0) : llvm::ConstantInt::get(type, 1);
    case GroupFunction::kMin:
      if (is_float) return llvm::ConstantFP::getInfinity(type);
      return llvm::ConstantInt::get(
          type, is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits));
    case GroupFunction::kMax:
      if (is_float) return llvm::ConstantFP::getInfinity(type, /*Negative=*/true);
      return llvm::ConstantInt::get(
          type, is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits));
    case GroupFunction::kAnd:
      return llvm::Constant::getAllOnesValue(type);
    case GroupFunction::kOr:
    case GroupFunction::kXor:
      return llvm::Constant::getNullValue(type);
  }
  return nullptr;
}

}  // namespace hither::compiler
