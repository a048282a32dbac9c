#include "array/form/kernel_form.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "array/form/user_function.h"

namespace hither::array {

DType operand_dtype(const FormNode& node, int index) noexcept {
  if (node.user) return node.user->source.operands[static_cast<size_t>(index)];
  return node.op == Op::where && index == 0 ? DType::kBool : node.compute;
}

std::string name_of(const FormNode& node) {
  switch (node.kind) {
    case NodeKind::kCast:
      return node.operands[0] >= kNumberSlot ? "full"
             : node.compute == node.dtype    ? "copy"
                                             : "astype";
    case NodeKind::kIota:
      return "arange";
    case NodeKind::kReduce:
      return name_of(node.accumulation());
    default:
      return std::string(node.user ? std::string_view(node.user->source.name)
                                   : info_of(node.op).name);
  }
}

std::string name_of(const KernelForm& form) {
  constexpr size_t kLongest = 96;
  std::string name;
  for (int i = 0; i < form.node_count && name.size() < kLongest; ++i) {
    if (!name.empty()) name += '_';
    name += name_of(form.nodes[i]);
  }
  return name;
}

int64_t group_tile_side(const KernelForm& form) {
  constexpr int kMostBytes = 8;  // per position, in all leaves; squares of side 64 then need 36 KiB
  int all = 0, largest = 0;
  for (int i = 0; i < form.leaf_count; ++i)
    if (form.leaves[i].access == Access::kAcross) {
      const int bytes = size_of(form.leaves[i].dtype);
      all += bytes;
      largest = std::max(largest, bytes);
    }
  return largest <= 4 && all <= kMostBytes ? 64 : 32;
}

uint8_t repeated_dimensions(const Dims& strides) noexcept {
  unsigned bits = 0;
  for (int d = 0; d < std::min(strides.size(), 8); ++d)
    if (strides[d] == 0) bits |= 1U << d;
  return static_cast<uint8_t>(bits);
}

void KernelForm::append_key(KeyText& key) const {
  char bytes[12 + kMaxNodes * (6 + kMaxInputs) + 5 * kMaxLeaves + kMaxNumbers + kMaxOutputs];
  char* at = bytes;
  const auto put = [&](auto... fields) { ((*at++ = static_cast<char>(fields)), ...); };
  put(rank, tile, tiles_in_groups, ranges, long_range, root_strided,
      root_strided ? root_access : Access(), root_aligned);
  put(node_count, leaf_count, number_count, output_count);
  for (int i = 0; i < node_count; ++i) {
    // All members before `user` are bytes. The operands that are not in use are copied too, because
    // a copy of known size is faster, and are then overwritten.
    static_assert(offsetof(FormNode, operands) == 6);
    std::memcpy(at, &nodes[i], 6 + kMaxInputs);
    at += 6 + nodes[i].operand_count;
  }
  constexpr int kHasBase = 0x80;  // above all accesses
  for (int i = 0; i < leaf_count; ++i) {
    const FormLeaf& leaf = leaves[i];
    put(leaf.dtype, static_cast<int>(leaf.access) | (leaf.base > 0 ? kHasBase : 0));
    if (leaf.base > 0) put(leaf.base, leaf.shift);
    if (leaf.access != Access::kLinear) put(leaf.repeats);
  }
  for (int i = 0; i < number_count; ++i) put(numbers[i]);
  for (int i = 0; i < output_count; ++i) put(outputs[i]);
  key.append(bytes, at);
  for (int i = 0; i < node_count; ++i)
    if (nodes[i].user) key += nodes[i].user->key;
}

}  // namespace hither::array
