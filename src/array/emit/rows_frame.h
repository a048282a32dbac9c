// Code that both forms of row kernels share: parameters, operands, values of a row.
#pragma once

#include <algorithm>

#include "array/emit/combine.h"
#include "array/emit/producers.h"
#include "array/emit/rows.h"
#include "array/form/user_function.h"

namespace hither::array {

/// Emits a row kernel. Reductions that do not depend on each other walk over the row together, and
/// a last walk stores. A derived class emits how items walk.
class RowFrame {
 public:
  explicit RowFrame(const RowForm& rows)
      : r_(rows), c_(rows.nodes), producers_(rows.nodes), m_("hither_rows"), one_(m_.b(), 1) {}
  virtual ~RowFrame() = default;

  target::KernelModule run() {
    declare();
    m_.begin();
    take();
    for (Ir* row : find_rows())
      all_.push_back(
          {row, b().CreateNSWMul(row, length_), emit_offsets(b(), row, extents_, strides_)});
    at_ = &all_.front();
    find_walks();
    prepare();
    for (int i = 0; i < c_.node_count; ++i) {
      if (!r_.per_row[i]) continue;
      if (!is_reduction(i)) {
        for_rows([&] { at_->values[i] = row_node(i); });
      } else if (const std::vector<int>& nodes = walks_[i]; !nodes.empty()) {
        const std::vector<Element> totals = reduce(nodes);
        auto total = totals.begin();
        for_rows([&] {
          for (int node : nodes) at_->values[node] = result(node, *total++);
        });
      }
    }
    store_rows();
    if (stores_elements()) store_elements();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, {&c_});
    return module;
  }

 protected:
  using Ir = llvm::Value;
  using Values = std::vector<Ir*>;

  /// The rows of this item.
  virtual Values find_rows() = 0;
  /// Emitted before the first walk.
  virtual void prepare() = 0;
  /// Whether two reductions that do not depend on each other may share a walk.
  virtual bool share_a_walk(int /*a*/, int /*b*/) const { return true; }
  /// The results of reductions that share a walk, row by row.
  virtual std::vector<Element> reduce(const std::vector<int>& nodes) = 0;
  virtual void store_rows() = 0;
  virtual void store_elements() = 0;

  /// The values that are known so far of one element of a row, or of the elements of a word.
  struct Place {
    ElementEmitter* e;
    Ir* lane;
    Ir* mask;
    Element nodes[kMaxNodes], leaves[kMaxLeaves];
    Place* word =
        nullptr;  ///< teams: the first of the elements that are loaded and stored together
    Place(ElementEmitter* emitter, Ir* at, Ir* which) : e(emitter), lane(at), mask(which) {}
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Ir* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  void for_rows(const std::function<void()>& body) {
    for (Row& row : all_) {
      at_ = &row;
      body();
    }
    at_ = &all_.front();
  }
  bool is_reduction(int node) const { return c_.nodes[node].kind == NodeKind::kReduce; }
  Combiner combiner(int node) const { return Combiner(c_.nodes[node].accumulation()); }
  bool is_strided(int leaf) const { return r_.access[leaf] == RowAccess::kStrided; }

  // Gives each reduction to the first walk before which everything is known that it depends on.
  void find_walks() {
    bool known[kMaxNodes] = {};
    for (int i = 0; i < c_.node_count; ++i) {
      if (!r_.per_row[i] || known[i]) continue;
      if (!is_reduction(i)) {
        known[i] = true;
        continue;
      }
      for (int j = i; j < c_.node_count; ++j)
        if (is_reduction(j) && !known[j] && is_known(c_.nodes[j].operands[0], known) &&
            (j == i || share_a_walk(i, j)))
          walks_[i].push_back(j);
      for (int j : walks_[i]) known[j] = true;
    }
  }

  // Whether all values per row are known that an element depends on.
  bool is_known(Slot slot, const bool (&known)[kMaxNodes]) const {
    bool seen[kMaxNodes] = {};
    return is_known(slot, known, seen);
  }
  bool is_known(Slot slot, const bool (&known)[kMaxNodes], bool (&seen)[kMaxNodes]) const {
    if (slot >= kLeafSlot || seen[slot]) return true;
    if (r_.per_row[slot]) return known[slot];
    seen[slot] = true;
    const FormNode& node = c_.nodes[slot];
    return std::all_of(node.operands, node.operands + node.operand_count,
                       [&](Slot operand) { return is_known(operand, known, seen); });
  }

  void declare() {
    for (int i = 0; i < c_.output_count; ++i) m_.parameter(target::Parameter::kPointer);
    producers_.declare(m_);
    int integers = 2 + std::max(r_.outer_rank - 1, 0) + c_.leaf_count * r_.outer_rank;
    for (int i = 0; i < c_.leaf_count; ++i) integers += is_strided(i);
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take() {
    for (int i = 0; i < c_.output_count; ++i) outputs_[i] = m_.next_parameter();
    producers_.take(m_);
    rows_ = m_.next_parameter();
    length_ = m_.next_parameter();
    for (int d = 0; d < r_.outer_rank; ++d)
      extents_.push_back(d == 0 ? nullptr : m_.next_parameter());
    for (int i = 0; i < c_.leaf_count; ++i) {
      Values strides;
      for (int d = 0; d < r_.outer_rank; ++d) {
        Ir* stride = m_.next_parameter();
        strides.push_back(r_.shared[i] ? i64(0) : stride);
      }
      strides_.push_back(strides);
      lane_strides_.push_back(is_strided(i) ? m_.next_parameter()
                                            : i64(r_.access[i] != RowAccess::kRepeat));
    }
  }

  Element spread(ElementEmitter& e, const Element& x) {
    if (e.lanes() == 1) return x;
    auto part = [&](Ir* v) -> Ir* {
      return v ? b().CreateVectorSplat(static_cast<unsigned>(e.lanes()), v) : nullptr;
    };
    return {part(x.re), part(x.im)};
  }

  DType dtype_of(Slot slot) const { return c_.dtype_of(slot); }

  Element number(ElementEmitter& e, Slot slot) {
    return e.from_parameter(dtype_of(slot), producers_.number(slot - kNumberSlot));
  }

  // The value of an operand that has one value per row.
  Element row_value(Slot slot) {
    if (slot >= kNumberSlot) return number(one_, slot);
    if (slot < kLeafSlot) return at_->values[slot];
    const int leaf = slot - kLeafSlot;
    return one_.load(c_.leaves[leaf].dtype, producers_.address(leaf),
                     at_->bases[static_cast<size_t>(leaf)]);
  }

  Element row_node(int node) {
    const FormNode& v = c_.nodes[node];
    Element x[kMaxInputs];
    DType from[kMaxInputs];
    for (int k = 0; k < v.operand_count; ++k) {
      x[k] = row_value(v.operands[k]);
      from[k] = dtype_of(v.operands[k]);
    }
    return emit_node(one_, v, x, from, [&] { return at_->row; });
  }

  virtual Element load(Place& p, int leaf) {
    const DType t = c_.leaves[leaf].dtype;
    Ir* base = at_->bases[static_cast<size_t>(leaf)];
    if (r_.access[leaf] == RowAccess::kRepeat)
      return spread(*p.e, one_.load(t, producers_.address(leaf), base));
    Ir* stride = lane_strides_[static_cast<size_t>(leaf)];
    Ir* at = b().CreateNSWAdd(base, b().CreateNSWMul(p.lane, stride));
    if (p.e->lanes() == 1) return one_.load(t, producers_.address(leaf), at);
    return p.e->load(t, producers_.address(leaf), at, is_strided(leaf) ? stride : nullptr, p.mask);
  }

  Ir* position(Place& p) {
    Ir* first = b().CreateNSWAdd(at_->start, p.lane);
    if (p.e->lanes() == 1) return first;
    return b().CreateAdd(spread(*p.e, {first}).re,
                         b().CreateStepVector(p.e->widen(b().getInt64Ty())));
  }

  /// A node's value that an earlier walk kept; empty if it was not kept.
  virtual Element kept(Place& /*p*/, Slot /*slot*/) { return {}; }

  Element value(Place& p, Slot slot) {
    if (slot >= kNumberSlot) return number(*p.e, slot);
    if (slot >= kLeafSlot) {
      Element& known = p.leaves[slot - kLeafSlot];
      if (!known.re) known = load(p, slot - kLeafSlot);
      return known;
    }
    if (r_.per_row[slot]) return spread(*p.e, at_->values[slot]);
    Element& known = p.nodes[slot];
    if (known.re) return known;
    const FormNode& v = c_.nodes[slot];
    known = kept(p, slot);
    if (known.re) return known;
    Element x[kMaxInputs];
    DType from[kMaxInputs];
    for (int k = 0; k < v.operand_count; ++k) {
      x[k] = value(p, c_.nodes[slot].operands[k]);
      from[k] = dtype_of(c_.nodes[slot].operands[k]);
    }
    return known = emit_node(*p.e, v, x, from, [&] { return position(p); });
  }

  Element operand(Place& p, int node) {
    const Slot slot = c_.nodes[node].operands[0];
    return Combiner(c_.nodes[node].accumulation()).prepare(*p.e, value(p, slot), dtype_of(slot));
  }

  Element chosen(Ir* which, const Element& x, const Element& y) {
    return {b().CreateSelect(which, x.re, y.re),
            x.im ? b().CreateSelect(which, x.im, y.im) : nullptr};
  }

  Element result(int node, const Element& x) {
    const Combiner combiner(c_.nodes[node].accumulation());
    return combiner.with_index() ? x : one_.cast(x, combiner.dtype(), c_.nodes[node].dtype);
  }

  void store_row_values() {
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      if (r_.per_row[slot])
        one_.store(c_.nodes[slot].dtype, at_->values[slot], outputs_[i], at_->row);
    }
  }

  static Values values_of(const Element& x) { return x.im ? Values{x.re, x.im} : Values{x.re}; }
  static Element element_of(const Values& v) { return {v[0], v.size() > 1 ? v[1] : nullptr}; }
  static void append(Values& all, const Values& more) {
    all.insert(all.end(), more.begin(), more.end());
  }
  /// The next `count` values, which `at` passes over.
  static Values next(const Values& all, size_t& at, int count) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
    at += static_cast<size_t>(count);
    return {first, first + count};
  }

  bool stores_elements() const {
    return std::any_of(c_.outputs, c_.outputs + c_.output_count,
                       [&](Slot slot) { return !r_.per_row[slot]; });
  }

  const RowForm& r_;
  const KernelForm& c_;
  ProducerEmitter producers_;
  ModuleBuilder m_;
  ElementEmitter one_;
  Ir* outputs_[kMaxOutputs];
  Ir *rows_ = nullptr, *length_ = nullptr;
  Values extents_, lane_strides_;
  std::vector<Values> strides_;
  /// A row of this item, its first element, where it begins in each leaf, and its values.
  struct Row {
    Ir *row, *start;
    Values bases;
    Element values[kMaxNodes] = {};
  };
  std::vector<Row> all_;
  Row* at_ = nullptr;                  ///< the row for which code is emitted
  std::vector<int> walks_[kMaxNodes];  ///< the reductions of the walk that begins with this one
};

}  // namespace hither::array
