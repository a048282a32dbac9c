#include "array/submit_rows.h"

#include "array/emit_rows.h"
#include "array/emit_rows_team.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/row_cluster.h"

namespace hither::array {

namespace {

void pack(const RowCluster& r, KernelCall& call) {
  call.producers(r.nodes);
  call.integer(r.rows);
  call.integer(r.plan.length);
  for (int d = 1; d < r.outer.size(); ++d) call.integer(r.outer[d]);
  for (int i = 0; i < r.nodes.leaf_count; ++i) {
    for (int64_t v : r.outer_strides[i]) call.integer(v);
    if (r.lane_strides[i] < 0 || r.lane_strides[i] > 1) call.integer(r.lane_strides[i]);
  }
}

NdRange range_of(const RowCluster& r) {
  if (r.plan.team == 0) return Range(r.rows);
  const int64_t items = items_of_group(r.plan), teams = items / r.plan.team;
  return {Range((r.rows + teams - 1) / teams * items), Range(items)};
}

}  // namespace

bool submit_rows(Value& root) {
  if (!root.reduces || root.layout->size == 0) return false;
  RowCluster rows;
  if (!collect_rows(rows, root)) return false;
  find_words(rows);
  Cluster& c = rows.nodes;
  KeyText key("w2");
  append_key(rows, key);
  const ReadyKernel kernel =
      find_kernel(root.queue, key.str(), [&] { return emit(rows); }, [&] { return name_of(rows); });
  KernelCall call;
  llvm::SmallVector<ValueRef, 4> stored;
  for (int i = 0; i < c.output_count; ++i) {
    Value& v = *c.nodes[c.outputs[i]];
    allocate(v);
    call.writes(v.memory);
    if (&v != &root) stored.emplace_back(Shared{}, &v);
  }
  pack(rows, call);
  root.written = call.submit(root.queue, kernel, range_of(rows), bytes_moved(rows));
  for (const ValueRef& v : stored) become_ready(*v, root.written);
  return true;
}

}  // namespace hither::array
