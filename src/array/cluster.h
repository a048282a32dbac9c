// Which nodes become one kernel.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <llvm/ADT/SmallString.h>

#include "array/value.h"

namespace hither::array {

inline constexpr int kMaxNodes = 64;
inline constexpr int kMaxNumbers = 128;
inline constexpr int kMaxLeaves = 16;
inline constexpr int kMaxOutputs = 32;

/// Operands inside a cluster are named by one byte: nodes, then leaves, then numbers.
using Slot = uint8_t;
inline constexpr Slot kLeafSlot = kMaxNodes;
inline constexpr Slot kNumberSlot = kMaxNodes + kMaxLeaves;

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
  kAcross,   ///< strided, contiguous in Cluster::tile
};

/// Uninitialised until it is filled in: a cluster has room for many, and is made at every launch.
struct Leaf {
  Leaf() noexcept {}
  Value* value;
  const Layout* layout;  ///< null: whole
  DType dtype;
  Access access;
  union {
    Dims strides;  ///< collapsed, in elements; made unless kLinear
  };
};

struct Number {
  const unsigned char* bytes;
  DType dtype;
};

/// Lines of memory that are crossed are read in squares of so many elements a side.
inline constexpr int64_t kTileSide = 64;

/// GPUs take no more than 65535 groups in the dimensions of a range but the last: so many items,
/// when groups are to have some in the last one too.
inline constexpr int64_t kLongestOuterOnGpus = 65535 * 4, kLongestMiddleOnGpus = 65535 * 16;

/// Names a kernel's code in this process and on disk. Made at every launch, so without a heap.
using KeyText = llvm::SmallString<256>;

/// One element-wise kernel to be: nodes in the order of evaluation over one iteration space, which
/// has been collapsed to as few dimensions as the buffers allow (at least one).
struct Cluster {
  int node_count = 0, leaf_count = 0, number_count = 0, output_count = 0;
  Value* nodes[kMaxNodes];
  Slot operands[kMaxNodes][kMaxInputs];
  Leaf leaves[kMaxLeaves];
  Number numbers[kMaxNumbers];
  Slot outputs[kMaxOutputs];  ///< nodes that are stored; the last one is the root
  Dims extents;
  /// The dimension in which leaves that are read across the last one are contiguous, or -1. Then
  /// the kernel goes over squares of the two: of an item each, kTileSide elements a side, or of a
  /// group each, as GPUs need it.
  int tile = -1;
  bool tiles_in_groups = false;
  /// Dimensions of the kernel's range at most; the first one holds what is beyond them.
  int ranges = 3;
  /// Of a root that is stored through a layout of existing memory.
  bool root_strided = false;
  Access root_access = Access::kLinear;
  Dims root_strides;

  /// Appends what the kernel's code depends on, and nothing else (no sizes, strides or numbers).
  void append_key(KeyText& key) const;
  /// Bytes that one run reads and writes, each buffer counted once.
  int64_t bytes_moved() const noexcept;
};

/// May `input` be computed inside the kernel of the node that reads it?
bool fuses(const Input& input) noexcept;

/// What a fusable value does, in one word: "add", "copy".
std::string_view name_of(const Value& value) noexcept;

/// Collects the cluster below `root`, submitting first whatever it reads and cannot fuse. Under the
/// graph lock. `destination`: layout the root is stored through, or null for new C-order memory.
/// Values other than the root become outputs when a storage names them and `extra_outputs` allows.
/// The pending values `beside`, of root's shape and named by storages, are collected too; they have
/// no unfusable inputs, do not read root, and together keep within the bounds of a cluster. Throws
/// the error of a failed input.
void collect(Cluster& cluster, Value& root, const Layout* destination, bool extra_outputs,
             std::span<Value* const> beside = {});

/// Whether something is pending below `value` that cannot be fused into its kernel.
bool has_unfusable_inputs(Value& value);

/// Submits what is pending below `value` and cannot be fused into its kernel.
void submit_unfusable_inputs(Value& value);

/// References that fusable pending nodes at and below `value` hold to `target`: those that see it
/// through `layout`'s strides and offset, and others.
struct ReadCount {
  int same = 0, other = 0;
};
ReadCount count_reads(Value& value, const Value& target, const Layout& layout);

/// Collects nodes below a value that a recipe consumes: `root` may be a leaf itself, then the
/// cluster has no nodes. Outputs are what storages name, root among them, if the recipe can store
/// them. Returns the slot of root. The iteration space stays uncollapsed (cluster.extents = the
/// shape) and leaves keep their layouts.
Slot collect_producers(Cluster& cluster, const Input& root, const Dims& shape, bool extra_outputs);

}  // namespace hither::array
