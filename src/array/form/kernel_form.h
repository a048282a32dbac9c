// What the code of an element-wise kernel depends on, and nothing else: no sizes, strides,
// addresses or numbers. Emitters see forms alone, so a kernel's key cannot miss anything.
#pragma once

#include <cstdint>
#include <string>

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
  kSecond,   ///< strided, every second element of the last dimension: whole vectors are read
  kThird,    ///< strided, and sifted, as for the channels of a picture
  kFourth,
  kStrided,  ///< strided
  kAcross,   ///< strided, contiguous in KernelForm::tile
};

/// Lines of memory that are crossed are read in squares of so many elements a side.
inline constexpr int64_t kTileSide = 64;

/// Names a kernel's code in this process and on disk. Made at every launch, so without a heap.
using KeyText = llvm::SmallString<256>;

enum class NodeKind : uint8_t {
  kApply,   ///< `op`, or `user`, of operands cast to what it takes
  kCast,    ///< operand 0 in another dtype; a number for every element too
  kIota,    ///< operand 0 + position * operand 1
  kReduce,  ///< of row kernels alone: `reduction` of operand 0, accumulated in `compute`
};

struct FormNode {
  NodeKind kind;
  Op op;
  DType dtype, compute;  ///< of the result; operands are cast to `compute` before `op`
  Reduction reduction;
  uint8_t operand_count;
  Slot operands[kMaxInputs];
  const UserFunction* user;  ///< instead of op, for the program's own operations

  Accumulation accumulation() const noexcept { return {reduction, compute}; }
};

/// The dtype that operand `index` of a kApply node is cast to.
DType operand_dtype(const FormNode& node, int index) noexcept;
/// What a node does, in one word: "add", "copy".
std::string name_of(const FormNode& node);

struct FormLeaf {
  DType dtype;
  Access access;
};

/// Nodes in the order of evaluation. Uninitialised until it is filled in, since a form has room for
/// many nodes and is made at every launch. Used by element-wise kernels as it is, and by other
/// kernels for what feeds them (`rank` and what follows it is then unused).
struct KernelForm {
  KernelForm() noexcept {}
  int node_count = 0, leaf_count = 0, number_count = 0, output_count = 0;
  FormNode nodes[kMaxNodes];
  FormLeaf leaves[kMaxLeaves];
  DType numbers[kMaxNumbers];
  Slot outputs[kMaxOutputs];  ///< nodes that are stored; the last one is the root
  /// Dimensions of the iteration space, which has been collapsed to as few as the buffers allow.
  int rank = 1;
  /// The dimension in which leaves that are read across the last one are contiguous, or -1. Then
  /// the kernel goes over squares of the two: of an item each, kTileSide elements a side, or of a
  /// group each, as GPUs need it.
  int tile = -1;
  bool tiles_in_groups = false;
  /// Dimensions of the kernel's range at most; the first one holds what is beyond them.
  int ranges = 3;
  /// Whether the root is stored through a layout of existing memory, and how.
  bool root_strided = false;
  Access root_access = Access::kLinear;

  DType dtype_of(Slot slot) const noexcept {
    if (slot >= kNumberSlot) return numbers[slot - kNumberSlot];
    return slot >= kLeafSlot ? leaves[slot - kLeafSlot].dtype : nodes[slot].dtype;
  }
  Slot root() const noexcept { return outputs[output_count - 1]; }
  /// Appends every field that is in use.
  void append_key(KeyText& key) const;
};

/// Elements on a side of a square that a group has, of a form with tiles_in_groups.
int64_t group_tile_side(const KernelForm& form);
inline constexpr int64_t kGroupTileItems = 256;

/// "multiply_add_sqrt": the operations in order, shortened when there are many.
std::string name_of(const KernelForm& form);

}  // namespace hither::array
