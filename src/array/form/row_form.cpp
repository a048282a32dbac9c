#include "array/form/row_form.h"

#include <algorithm>

namespace hither::array {

int items_of_group(int team) noexcept {
  constexpr int kFewest = 128;
  return std::max(team, kFewest);
}

uint64_t bytes_of_word(int word, DType t) noexcept {
  constexpr uint64_t kMost = 16;
  return std::min(static_cast<uint64_t>(word) * static_cast<uint64_t>(size_of(t)), kMost);
}

void RowForm::append_key(KeyText& key) const {
  const auto put = [&](auto... fields) { (key.push_back(static_cast<char>(fields)), ...); };
  put(team, team / 256, word, kept, all_kept, together, side_by_side, outer_rank);
  for (int i = 0; i < nodes.leaf_count; ++i) put(access[i], shared[i]);
  for (int i = 0; i < nodes.node_count; ++i) put(per_row[i]);
  nodes.append_key(key);
}

}  // namespace hither::array
