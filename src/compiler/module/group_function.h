// Functions that the items of a group, or of a sub-group, compute together.
#pragma once

#include <optional>

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace hither::compiler {

struct GroupFunction {
  enum Kind : uint8_t {
    kReduce,
    kInclusiveScan,
    kExclusiveScan,
    kBroadcast,
    kAnyOf,
    kAllOf,
    kShuffle,
    kShuffleXor,
    kShuffleUp,
    kShuffleDown,
  };
  enum Operation : uint8_t { kAdd, kMul, kMin, kMax, kAnd, kOr, kXor };
  enum Number : uint8_t { kSigned, kUnsigned, kFloat };

  Kind kind;
  bool sub_group;  ///< of each sub-group, else of the group
  Operation operation = kAdd;
  Number number = kSigned;

  /// All items of the group get the same.
  bool is_uniform() const noexcept {
    return !sub_group && kind != kInclusiveScan && kind != kExclusiveScan;
  }
};

/// Which function of a kernel's vocabulary a declaration is, its type being right. Nothing for
/// other names and other types.
std::optional<GroupFunction> group_function(const llvm::Function& declaration);

/// a OP b, for values or vectors of them. NaN wins over numbers.
llvm::Value* combine(llvm::IRBuilder<>& b, const GroupFunction& function, llvm::Value* x,
                     llvm::Value* y);
/// What leaves every value as it is.
llvm::Constant* neutral(const GroupFunction& function, llvm::Type* type);

}  // namespace hither::compiler
