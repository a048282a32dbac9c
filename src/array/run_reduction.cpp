// Runs the kernels of a reduction's plan.
#include "array/emit/reduce.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/run_plan.h"

namespace hither::array {

namespace {

NdRange range_of(const ReduceStage& stage) {
  const int64_t outer = stage.outer.product();
  switch (stage.pattern) {
    case ReducePattern::kGathered:
      return {Range(outer * stage.chunks * stage.items), Range(stage.items)};
    case ReducePattern::kRows:
    case ReducePattern::kSpreadRows:
      return Range(outer, stage.chunks, 1);
    case ReducePattern::kGatheredColumns:
      return {Range(outer * stage.chunks * stage.blocks * stage.items), Range(stage.items)};
    case ReducePattern::kColumns:
    case ReducePattern::kOneColumn:
      if (stage.in_line) return Range(outer * stage.chunks * stage.blocks);
      return Range(outer * stage.chunks, stage.blocks, 1);
    default:
      break;
  }
  if (stage.in_line) return Range(outer);
  if (stage.outer.size() == 2) return Range(stage.outer[0], stage.outer[1]);
  if (stage.outer.size() == 3) return Range(stage.outer[0], stage.outer[1], stage.outer[2]);
  return Range(outer);
}

int64_t bytes_read(const ReductionPlan& p) {
  const ReduceStage& stage = p.stage;
  int64_t bytes = 0;
  for (int i = 0; i < p.producers.form.leaf_count; ++i) {
    int64_t n = stage.lane_strides[i] == 0 ? 1 : stage.lanes;
    for (int d = 0; d < stage.outer.size(); ++d)
      if (stage.outer_strides[i][d] != 0) n *= stage.outer[d];
    for (int d = 0; d < stage.rows.size(); ++d)
      if (stage.row_strides[i][d] != 0) n *= stage.rows[d];
    bytes += n * size_of(p.producers.form.leaves[i].dtype);
  }
  return bytes;
}

/// Runs the stages of one reduction.
class ReductionRun {
 public:
  explicit ReductionRun(ReductionPlan& plan) : p_(plan), queue_(plan.reduction->queue) {}

  void all() {
    if (p_.copy) make_dense();
    for (;;) {
      find_pairs(p_);
      launch();
      if (p_.stage.last) break;
      // The partial results become the operand.
      const ReduceStage& stage = p_.stage;
      partial_[0] = partial(values_, p_.accumulation.dtype, stage.output_size);
      if (p_.accumulation.with_index())
        partial_[1] = partial(indices_, DType::kInt64, stage.output_size);
      next_stage(p_);
      for (int i = 0; i < p_.producers.form.leaf_count; ++i)
        p_.producers.binding.leaves[i] = {partial_[i].get(), nullptr};
    }
    finish();
    // Inputs are dropped only now, because they keep the leaves alive.
    for (const ValueRef& v : stored_) become_ready(*v, v->written);
    become_ready(*p_.result, p_.result->written);
  }

 private:
  /// Memory that a stage wrote.
  struct Written {
    Memory memory;
    Event event;
  };

  ValueRef partial(const Written& from, DType dtype, int64_t size) const {
    ValueRef v = memory_value(from.memory, 0, contiguous_layout(queue_, Dims{size}), dtype);
    v->written = from.event;
    return v;
  }

  void make_dense() {
    const Input& in = p_.reduction->inputs[0];
    copy_ = run_copy(*p_.copy, queue_, contiguous_layout(queue_, Dims{in.layout->size}), in.dtype,
                     in.value->usm_type);
    p_.producers.binding.leaves[0].value = copy_.get();
  }

  std::string name() const {
    std::string name = name_of(p_.accumulation);
    if (p_.producers.form.node_count > 0) name += "_of_" + name_of(p_.producers.form);
    if (then()) name += "_then_" + name_of(*then());
    return name;
  }

  const KernelForm* then() const {
    return p_.stage.last && p_.epilogue.reduction ? &p_.epilogue.form : nullptr;
  }

  void launch() {
    const DType stored = p_.stage.last ? p_.result->dtype : p_.accumulation.dtype;
    const ReduceForm form =
        form_of(p_.stage, p_.producers.form, p_.root, p_.accumulation, stored, p_.pairs, then());
    KeyText key("r3");
    form.append_key(key);
    const ReadyKernel kernel =
        find_kernel(queue_, key.str(), [&] { return emit(form); }, [&] { return name(); });
    KernelCall call;
    values_ = indices_ = {};
    if (form.stores_value) values_.memory = room_for(call, stored);
    if (form.stores_index()) indices_.memory = room_for(call, DType::kInt64);
    const int outputs = p_.producers.form.output_count;
    int64_t bytes = bytes_read(p_) + p_.stage.output_size * size_of(stored);
    for (int i = 0; i < outputs; ++i) {
      Value& v = p_.producers.output(i);
      allocate(v);
      bytes += v.layout->size * size_of(v.dtype);
      call.writes(v.memory);
      stored_.emplace_back(Shared{}, &v);
    }
    pack(call, form);
    call.walks(p_.stage.lanes * p_.stage.outer.product() * p_.stage.rows.product());
    const Event event = call.submit(queue_, kernel, range_of(p_.stage), bytes);
    for (int i = 0; i < outputs; ++i) p_.producers.output(i).written = event;
    values_.event = indices_.event = event;
  }

  Memory room_for(KernelCall& call, DType dtype) const {
    Memory memory =
        Memory::for_work(queue_, static_cast<size_t>(p_.stage.output_size * size_of(dtype)),
                         p_.stage.last ? p_.result->usm_type : UsmType::kDevice);
    call.writes(memory);
    return memory;
  }

  // Packs the arguments that follow the results, in the order that emit() documents.
  void pack(KernelCall& call, const ReduceForm& form) const {
    const ReduceStage& s = p_.stage;
    call.producers(p_.producers.form, p_.producers.binding);
    if (form.then) call.producers(p_.epilogue.form, p_.epilogue.binding);
    int64_t counts[kCounts];
    counts[kRowTotal] = s.row_total;
    counts[kRowsPerChunk] = s.rows_per_chunk;
    counts[kLanes] = s.lanes;
    counts[kLanesPerChunk] = s.lanes_per_chunk;
    counts[kChunksPerRow] = s.chunks_per_row;
    counts[kChunks] = s.chunks;
    counts[kBlock] = s.block;
    counts[kChunkStride] = s.chunk_stride;
    for (int64_t v : counts) call.integer(v);
    for (int d = 1; d < s.outer.size(); ++d) call.integer(s.outer[d]);
    for (int d = 1; d < s.rows.size(); ++d) call.integer(s.rows[d]);
    for (int w : form.walks()) {
      for (int64_t v : s.outer_strides[w]) call.integer(v);
      for (int64_t v : s.row_strides[w]) call.integer(v);
      if (form.access[w] == LaneAccess::kStrided) call.integer(s.lane_strides[w]);
    }
  }

  // The result's axes are in the order in which the operand's axes were walked. If that is not C
  // order, the result is copied.
  void finish() {
    const Written& out = p_.accumulation.with_index() ? indices_ : values_;
    Value& result = *p_.result;
    const Dims walked = result_order(p_);
    if (walked.empty()) {
      result.memory = out.memory;
      result.written = out.event;
      return;
    }
    const Dims& all = p_.reduction->reduce->shape;
    Dims shape, strides, dense(walked.size(), 0);
    int64_t step = 1;
    for (int i = walked.size() - 1; i >= 0; --i) {
      dense[i] = step;
      step *= all[static_cast<int>(walked[i])];
    }
    for (int d = 0; d < all.size(); ++d)
      for (int i = 0; i < walked.size(); ++i)
        if (walked[i] == d) {
          shape.push_back(all[d]);
          strides.push_back(dense[i]);
        }
    const ValueRef source = partial(out, result.dtype, step);
    const LayoutRef seen = make_layout(queue_, shape, strides, 0);
    Cluster copy;
    plan_copy(copy, {source.get(), seen.get()}, result.dtype, result.dtype, shape, nullptr, queue_);
    const ValueRef sorted =
        run_copy(copy, queue_, contiguous_layout(queue_, shape), result.dtype, result.usm_type);
    result.memory = sorted->memory;
    result.written = sorted->written;
  }

  ReductionPlan& p_;
  const Queue& queue_;
  ValueRef copy_;        ///< copy of an operand whose axes do not collapse
  ValueRef partial_[2];  ///< partial results of the last stage, and their indices
  Written values_, indices_;
  llvm::SmallVector<ValueRef, 2> stored_;  ///< nodes that the first stage stores
};

}  // namespace

void run_reduction(ReductionPlan& plan) { ReductionRun(plan).all(); }

}  // namespace hither::array
