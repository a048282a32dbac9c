// Everything that the code of an element-wise kernel depends on: no sizes, strides, addresses or
// numbers. Emitters see only forms, so a kernel's key cannot omit anything.
#pragma once

#include <cstdint>
#include <string>

#include <hither/dims.h>
#include <hither/ops.h>
#include <llvm/ADT/SmallString.h>

#include "array/form/reduction.h"
#include "array/form/slot.h"

namespace hither::array {

struct UserFunction;

/// How a buffer is addressed in the collapsed iteration space.
enum class Access : uint8_t {
  kLinear,   ///< C order over the whole space: element = linear index
  kUnit,     ///< strided, the last dimension contiguous
  kRepeat,   ///< strided, the last dimension repeats one element
  kReverse,  ///< strided, the last dimension runs backwards
  kSecond,   ///< strided, every second element of the last dimension: reads whole vectors
  kThird,    ///< strided, every third element of the last dimension (RGB channels): reads whole
             ///< vectors
  kFourth,
  kStrided,  ///< strided
  kAcross,   ///< strided, contiguous in the dimension KernelForm::tile
};

/// Side, in elements, of the square tiles in which transposed leaves are read.
inline constexpr int64_t kTileSide = 64;

/// Identifies a kernel's code in this process and on disk. It is built at every launch and uses no
/// heap.
using KeyText = llvm::SmallString<256>;

enum class NodeKind : uint8_t {
  kApply,   ///< `op`, or `user`, of operands that are cast to its dtypes
  kCast,    ///< operand 0 in another dtype; also a number as a value for every element
  kIota,    ///< operand 0 + position * operand 1
  kReduce,  ///< only in row kernels: `reduction`, or `user`, of operand 0, accumulated in `compute`
};

struct FormNode {
  NodeKind kind;
  Op op;
  DType dtype, compute;  ///< of the result; operands are cast to `compute` before `op`
  Reduction reduction;
  uint8_t operand_count;
  Slot operands[kMaxInputs];
  const UserFunction* user;  ///< used instead of op, or of reduction, for user-defined operations

  Accumulation accumulation() const noexcept { return {reduction, compute, user}; }
};

/// The dtype that operand `index` of a kApply node is cast to.
DType operand_dtype(const FormNode& node, int index) noexcept;
/// The node's operation: "add", "copy".
std::string name_of(const FormNode& node);

struct FormLeaf {
  DType dtype;
  Access access;
  /// For elements near those of another leaf of the same array: one more than that leaf's number,
  /// and how many elements they are after its elements. 0 otherwise.
  uint8_t base;
  int8_t shift;
  /// On GPUs: repeated_dimensions() of its strides, so that items load once what they share.
  uint8_t repeats;
};

/// Bit d is set for a stride of 0 in dimension d, of the first eight.
uint8_t repeated_dimensions(const Dims& strides) noexcept;
constexpr bool is_repeated(uint8_t dimensions, int d) noexcept {
  return d < 8 && (dimensions >> d & 1) != 0;
}

/// Nodes in evaluation order. The constructor leaves the tables uninitialised, because they are
/// large and a form is made at every launch. Element-wise kernels use the whole form. Other kernels
/// use it for their producers and ignore `rank` and the members after it.
struct KernelForm {
  KernelForm() noexcept {}
  int node_count = 0, leaf_count = 0, number_count = 0, output_count = 0;
  FormNode nodes[kMaxNodes];
  FormLeaf leaves[kMaxLeaves];
  DType numbers[kMaxNumbers];
  Slot outputs[kMaxOutputs];  ///< nodes that are stored; the last one is the root
  /// Dimensions of the iteration space after collapsing.
  int rank = 1;
  /// The dimension in which transposed leaves are contiguous, or -1. The kernel then works on
  /// square tiles of that dimension and the last one: one tile per work-item, of side kTileSide, or
  /// one per work-group (tiles_in_groups) on GPUs.
  int tile = -1;
  bool tiles_in_groups = false;
  /// Maximum number of dimensions of the kernel's range. The first one also holds the remaining
  /// dimensions.
  int ranges = 3;
  /// Whether several dimensions share the range's first one, and it has 2^31 items or more.
  bool long_range = false;
  /// Whether the root is stored through a layout of existing memory, and its access.
  bool root_strided = false;
  Access root_access = Access::kLinear;
  /// Whether the root is complex and has a whole allocation, so that each element is
  /// aligned to its size.
  bool root_aligned = false;

  DType dtype_of(Slot slot) const noexcept {
    if (slot >= kNumberSlot) return numbers[slot - kNumberSlot];
    return slot >= kLeafSlot ? leaves[slot - kLeafSlot].dtype : nodes[slot].dtype;
  }
  Slot root() const noexcept { return outputs[output_count - 1]; }
  /// Appends every field that is in use.
  void append_key(KeyText& key) const;
};

/// Side, in elements, of a work-group's tile, for a form with tiles_in_groups.
int64_t group_tile_side(const KernelForm& form);
inline constexpr int64_t kGroupTileItems = 256;

/// The operations in order, shortened when there are many: "multiply_add_sqrt".
std::string name_of(const KernelForm& form);

}  // namespace hither::array
