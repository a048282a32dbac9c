// Group functions: functions that the items of a group or sub-group compute together.
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
    kMatch,  ///< bit i: whether item i of the sub-group has the same number, which is below 2^index
  };
  enum Operation : uint8_t { kAdd, kMul, kMin, kMax, kAnd, kOr, kXor };
  enum Number : uint8_t { kSigned, kUnsigned, kFloat };

  Kind kind;
  bool sub_group;  ///< computed in each sub-group, otherwise in the group
  Operation operation = kAdd;
  Number number = kSigned;

  /// Whether all items of the group get the same result.
  bool is_uniform() const noexcept {
    return !sub_group && kind != kInclusiveScan && kind != kExclusiveScan;
  }
};

/// The group function that a declaration with the right type names. Empty for other names and
/// types.
std::optional<GroupFunction> group_function(const llvm::Function& declaration);

/// x OP y for scalars or vectors. NaN takes precedence over numbers.
llvm::Value* combine(llvm::IRBuilder<>& b, const GroupFunction& function, llvm::Value* x,
                     llvm::Value* y);
/// The neutral element of the operation.
llvm::Constant* neutral(const GroupFunction& function, llvm::Type* type);

}  // namespace hither::compiler
