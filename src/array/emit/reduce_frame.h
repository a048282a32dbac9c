// Code that all forms of reduction kernels share: parameters, addresses, operands, results.
#pragma once

#include <optional>

#include "array/emit/producers.h"
#include "array/emit/reduce.h"
#include "array/form/user_function.h"

namespace hither::array {

/// Emits one stage. A derived class emits the work of an item.
class StageFrame {
 public:
  explicit StageFrame(const ReduceForm& k)
      : k_(k),
        combiner_(k.accumulation),
        m_("hither_reduce"),
        producers_(k.producers),
        walks_(k.walks()) {
    if (k.then) then_.emplace(*k.then);
  }
  virtual ~StageFrame() = default;

  target::KernelModule run() {
    declare();
    m_.begin();
    take();
    emit_item();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, {&k_.producers, k_.then}, k_.accumulation.user);
    module.independent_items = !k_.in_groups();
    if (!module.independent_items) {
      module.local_size[0] = k_.items;
      module.local_size[1] = module.local_size[2] = 1;
    }
    return module;
  }

 protected:
  using Value = llvm::Value;
  using Values = std::vector<Value*>;

  virtual void emit_item() = 0;

  /// The position of an item: the offset of every walk, in the order of walks_.
  struct Place {
    Values offsets;
    Value* of(int walk_index) const { return offsets[static_cast<size_t>(walk_index)]; }
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Value* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }

  void declare() {
    if (k_.stores_value) m_.parameter(target::Parameter::kPointer);
    if (k_.stores_index()) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < k_.producers.output_count; ++i) m_.parameter(target::Parameter::kPointer);
    producers_.declare(m_);
    if (then_) then_->declare(m_);
    int integers = kCounts + std::max(k_.outer_rank - 1, 0) + std::max(k_.row_rank - 1, 0);
    for (int w : walks_) {
      integers += k_.outer_rank + k_.row_rank;
      if (k_.access[w] == LaneAccess::kStrided) ++integers;
    }
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take() {
    if (k_.stores_value) values_out_ = m_.next_parameter();
    if (k_.stores_index()) index_out_ = m_.next_parameter();
    for (int i = 0; i < k_.producers.output_count; ++i) named_[i] = m_.next_parameter();
    producers_.take(m_);
    if (then_) then_->take(m_);
    for (Value*& v : counts_) v = m_.next_parameter();
    auto extents = [&](int rank, Values& out) {
      for (int d = 0; d < rank; ++d) out.push_back(d == 0 ? nullptr : m_.next_parameter());
    };
    extents(k_.outer_rank, outer_extents_);
    extents(k_.row_rank, row_extents_);
    for (int w : walks_) {
      Values outer, rows;
      for (int d = 0; d < k_.outer_rank; ++d) {
        outer.push_back(m_.next_parameter());
        if (is_repeated(k_.repeats[w], d)) outer.back() = i64(0);
      }
      if (k_.item_strides[w] >= 0) outer.back() = i64(k_.item_strides[w]);
      for (int d = 0; d < k_.row_rank; ++d) rows.push_back(m_.next_parameter());
      outer_strides_.push_back(outer);
      row_strides_.push_back(rows);
      lane_strides_.push_back(k_.access[w] == LaneAccess::kStrided ? m_.next_parameter() : nullptr);
    }
  }

  Place outer_place(Value* item) {
    return {emit_offsets(b(), item, outer_extents_, outer_strides_)};
  }

  Place row_place(const Place& outer, Value* row) {
    Place place{emit_offsets(b(), row, row_extents_, row_strides_)};
    for (size_t w = 0; w < place.offsets.size(); ++w)
      place.offsets[w] = b().CreateNSWAdd(place.offsets[w], outer.offsets[w]);
    return place;
  }

  // The offset of lane `lane` of a walk; for a vector, of its first lane.
  Value* offset(const Place& place, int walk_index, Value* lane) {
    const int walk = walks_[static_cast<size_t>(walk_index)];
    Value* base = place.of(walk_index);
    switch (k_.access[walk]) {
      case LaneAccess::kUnit:
        return b().CreateNSWAdd(base, lane);
      case LaneAccess::kRepeat:
        return base;
      default:
        return b().CreateNSWAdd(
            base, b().CreateNSWMul(lane, lane_strides_[static_cast<size_t>(walk_index)]));
    }
  }

  Element load(ElementEmitter& e, const Place& place, int leaf, Value* lane, Value* mask) {
    const DType t = k_.producers.leaves[leaf].dtype;
    Value* at = offset(place, leaf, lane);
    if (e.lanes() == 1) return e.load(t, producers_.address(leaf), at);
    switch (k_.access[leaf]) {
      case LaneAccess::kUnit:
        return e.load(t, producers_.address(leaf), at, nullptr, mask);
      case LaneAccess::kStrided:
        return e.load(t, producers_.address(leaf), at, lane_strides_[static_cast<size_t>(leaf)],
                      mask);
      default:
        break;
    }
    ElementEmitter one(b(), 1);
    Element x = one.load(t, producers_.address(leaf), at);
    x.re = b().CreateVectorSplat(static_cast<unsigned>(e.lanes()), x.re);
    if (x.im) x.im = b().CreateVectorSplat(static_cast<unsigned>(e.lanes()), x.im);
    return x;
  }

  Value* spread(ElementEmitter& e, Value* scalar) {
    return e.lanes() == 1 ? scalar
                          : b().CreateVectorSplat(static_cast<unsigned>(e.lanes()), scalar);
  }

  // Consecutive integers from `first`, one per lane.
  Value* count_from(ElementEmitter& e, Value* first, Value* step = nullptr) {
    if (e.lanes() == 1) return first;
    Value* steps = b().CreateStepVector(e.widen(first->getType()));
    if (step) steps = b().CreateMul(steps, spread(e, step));
    return b().CreateAdd(spread(e, first), steps);
  }

  Value* first_position(const Place& place, Value* lane) {
    return offset(place, k_.producers.leaf_count, lane);
  }

  Value* position(ElementEmitter& e, const Place& place, Value* lane) {
    Value* first = first_position(place, lane);
    switch (k_.access[kPositionWalk]) {
      case LaneAccess::kUnit:
        return count_from(e, first);
      case LaneAccess::kRepeat:
        return spread(e, first);
      default:
        return count_from(e, first, lane_strides_[static_cast<size_t>(k_.producers.leaf_count)]);
    }
  }

  // The operand at `lane`, prepared for combining. `index` is its index among the reduced elements.
  Running operand(ElementEmitter& e, const Place& place, Value* lane, Value* mask, Value* index) {
    DType from;
    Element nodes[kMaxNodes];
    Element x = producers_.evaluate(
        e, k_.root, from, [&](int leaf) { return load(e, place, leaf, lane, mask); },
        [&] { return position(e, place, lane); }, nodes);
    for (int i = 0; i < k_.producers.output_count; ++i) {
      const Slot slot = k_.producers.outputs[i];
      e.store(k_.producers.nodes[slot].dtype, nodes[slot], named_[i], first_position(place, lane),
              mask);
    }
    x = combiner_.prepare(e, x, from);
    if (k_.pairs) index = load(e, place, 1, lane, mask).re;
    if (mask) {
      const Running nothing = combiner_.identity(e, index);
      x.re = b().CreateSelect(mask, x.re, nothing.value.re);
      if (x.im) x.im = b().CreateSelect(mask, x.im, nothing.value.im);
      if (k_.pairs) index = b().CreateSelect(mask, index, spread(e, i64(INT64_MAX)));
    }
    return {x, combiner_.with_index() ? index : nullptr};
  }

  Running combine(ElementEmitter& e, const Running& x, const Running& y) {
    return k_.pairs ? combiner_.any_order(b(), e, x, y) : combiner_.in_order(b(), e, x, y);
  }

  Running start(ElementEmitter& e, Value* first_index) {
    Value* index = k_.pairs ? i64(INT64_MAX) : first_index;
    return combiner_.identity(e, spread(e, index));
  }

  static Values values_of(const Running& r) {
    Values v{r.value.re};
    if (r.value.im) v.push_back(r.value.im);
    if (r.index) v.push_back(r.index);
    return v;
  }
  Running running_of(const Values& v) const {
    const bool pair = is_complex(combiner_.dtype());
    return {{v[0], pair ? v[1] : nullptr}, combiner_.with_index() ? v.back() : nullptr};
  }

  Element result(ElementEmitter& e, const Running& r) {
    if (!then_) return e.cast(r.value, combiner_.dtype(), k_.stored);
    const Element reduced = e.cast(r.value, combiner_.dtype(), k_.then->leaves[0].dtype);
    DType stored;
    return then_->evaluate(e, static_cast<Slot>(k_.then->node_count - 1), stored,
                           [&](int) { return reduced; }, {});
  }

  void store(ElementEmitter& e, const Running& r, Value* at, Value* mask = nullptr) {
    if (k_.stores_value) e.store(k_.stored, result(e, r), values_out_, at, mask);
    if (k_.stores_index()) e.store(DType::kInt64, {r.index}, index_out_, at, mask);
  }

  Value* smaller(Value* x, Value* y) {
    return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
  }

  Value* chunk_output(const Place& outer, Value* chunk) {
    return b().CreateNSWAdd(outer.offsets.back(), b().CreateNSWMul(chunk, counts_[kChunkStride]));
  }

  const ReduceForm& k_;
  const Combiner combiner_;
  ModuleBuilder m_;
  ProducerEmitter producers_;
  std::optional<ProducerEmitter> then_;
  llvm::SmallVector<int, kWalks> walks_;
  Value* values_out_ = nullptr;
  Value* index_out_ = nullptr;
  Value* named_[kMaxOutputs];
  Value* counts_[kCounts];
  Values outer_extents_, row_extents_;
  std::vector<Values> outer_strides_, row_strides_;
  Values lane_strides_;
};

}  // namespace hither::array
