#include "array/form/reduce_form.h"

#include <algorithm>

#include "array/form/user_function.h"

namespace hither::array {

std::string name_of(const Accumulation& accumulation) {
  return accumulation.user ? accumulation.user->source.name
                           : std::string(name_of(accumulation.reduction));
}

int accumulator_width(const Accumulation& accumulation) noexcept {
  constexpr int kWidthOfCalls = 8;  // a user's function is called for each lane
  if (accumulation.user) return kWidthOfCalls;
  if (accumulation.with_index()) return 32;
  switch (size_of(accumulation.dtype)) {
    case 16:
      return 16;
    case 8:
      return 32;
    default:
      return 64;
  }
}

bool uses_position(const KernelForm& form) noexcept {
  return form.output_count > 0 ||
         std::any_of(form.nodes, form.nodes + form.node_count,
                     [](const FormNode& node) { return node.kind == NodeKind::kIota; });
}

llvm::SmallVector<int, kWalks> ReduceForm::walks() const {
  llvm::SmallVector<int, kWalks> walks;
  for (int i = 0; i < producers.leaf_count; ++i) walks.push_back(i);
  if (uses_position(producers)) walks.push_back(kPositionWalk);
  walks.push_back(kOutputWalk);
  return walks;
}

void ReduceForm::append_key(KeyText& key) const {
  const auto put = [&](auto... fields) { (key.push_back(static_cast<char>(fields)), ...); };
  const auto put_wide = [&](int64_t v) {
    key.append(reinterpret_cast<const char*>(&v), reinterpret_cast<const char*>(&v + 1));
  };
  put(root, accumulation.reduction, accumulation.dtype, stored, stores_value, pairs, pattern, width,
      period, short_extent, outer_rank, row_rank, in_line, then != nullptr);
  put_wide(block);
  put_wide(items);
  for (int w : walks()) put(access[w], item_strides[w], repeats[w]);
  if (then) {
    put(then->leaves[0].dtype);
    then->append_key(key);
  }
  producers.append_key(key);
  if (accumulation.user) key += accumulation.user->key;
}

}  // namespace hither::array
