#include "array/emit_rows.h"

#include <algorithm>

#include "array/emit_group.h"
#include "array/emit_producers.h"
#include "array/reduce_plan.h"
#include "array/user_function.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

constexpr int kSubGroup = 32;
constexpr int kFewestItems = 128;

/// Operations that take less time than reading their result again.
bool is_cheap(const Value& v) {
  if (v.user) return false;
  if (v.kind != ValueKind::kElementwise) return true;
  if (Op::sqrt <= v.op && v.op <= Op::logaddexp) return false;
  return v.op != Op::floor_divide && v.op != Op::remainder && v.op != Op::power;
}

/// Emits the kernel: reductions in order, each with a walk over the row, then a walk that stores.
/// An item either has a row for itself, which it walks in vectors, or shares one with its team and
/// keeps its elements in registers.
class RowEmitter {
 public:
  explicit RowEmitter(const RowCluster& rows)
      : r_(rows),
        c_(rows.nodes),
        producers_(rows.nodes),
        m_("hither_rows"),
        g_(m_),
        one_(m_.b(), 1) {}

  target::KernelModule run() {
    declare();
    m_.begin();
    take();
    find_row();
    if (team())
      start_elements();
    else
      keep_what_is_dear();
    for (int i = 0; i < c_.node_count; ++i) {
      if (!r_.per_row[i]) continue;
      row_values_[i] =
          is_reduction(i) ? (team() ? reduce_in_team(i) : reduce_in_vectors(i)) : row_node(i);
    }
    store_rows();
    store_elements();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, c_);
    module.independent_items = !team();
    if (team()) module.local_size[0] = items_of_group(r_.plan);
    return module;
  }

 private:
  /// One element of a row, or neighbours: what is known of them so far.
  struct Place {
    ElementEmitter* e;
    Ir* lane;
    Ir* mask;
    Element nodes[kMaxNodes], leaves[kMaxLeaves];
    Place(ElementEmitter* emitter, Ir* at, Ir* which) : e(emitter), lane(at), mask(which) {}
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Ir* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  bool team() const { return r_.plan.team > 0; }
  bool is_reduction(int node) const { return c_.nodes[node]->kind == ValueKind::kRecipe; }
  bool is_strided(int leaf) const { return r_.lane_strides[leaf] < 0 || r_.lane_strides[leaf] > 1; }

  void declare() {
    for (int i = 0; i < c_.output_count; ++i) m_.parameter(target::Parameter::kPointer);
    producers_.declare(m_);
    int integers = 2 + std::max(r_.outer.size() - 1, 0) + c_.leaf_count * r_.outer.size();
    for (int i = 0; i < c_.leaf_count; ++i) integers += is_strided(i);
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take() {
    for (int i = 0; i < c_.output_count; ++i) outputs_[i] = m_.next_parameter();
    producers_.take(m_);
    rows_ = m_.next_parameter();
    length_ = m_.next_parameter();
    for (int d = 0; d < r_.outer.size(); ++d)
      extents_.push_back(d == 0 ? nullptr : m_.next_parameter());
    for (int i = 0; i < c_.leaf_count; ++i) {
      Values strides;
      for (int d = 0; d < r_.outer.size(); ++d) strides.push_back(m_.next_parameter());
      strides_.push_back(strides);
      lane_strides_.push_back(is_strided(i) ? m_.next_parameter() : i64(r_.lane_strides[i]));
    }
  }

  void find_row() {
    row_ = team() ? nullptr : m_.global_id(0);
    if (team()) {
      Ir* item = g_.item();
      item_ = b().CreateURem(item, i64(r_.plan.team));
      Ir* teams = i64(items_of_group(r_.plan) / r_.plan.team);
      Ir* row = b().CreateNSWAdd(b().CreateNSWMul(g_.group(), teams),
                                 b().CreateUDiv(item, i64(r_.plan.team)));
      exists_ = b().CreateICmpSLT(row, rows_);
      row_ = smaller(row, b().CreateNSWSub(rows_, i64(1)));
    }
    bases_ = emit_offsets(b(), row_, extents_, strides_);
    start_ = b().CreateNSWMul(row_, length_);
  }

  Ir* smaller(Ir* x, Ir* y) { return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y); }

  // ---- values

  Element spread(ElementEmitter& e, const Element& x) {
    if (e.lanes() == 1) return x;
    auto part = [&](Ir* v) -> Ir* {
      return v ? b().CreateVectorSplat(static_cast<unsigned>(e.lanes()), v) : nullptr;
    };
    return {part(x.re), part(x.im)};
  }

  DType dtype_of(Slot slot) const {
    if (slot >= kNumberSlot) return c_.numbers[slot - kNumberSlot].dtype;
    return slot >= kLeafSlot ? c_.leaves[slot - kLeafSlot].dtype : c_.nodes[slot]->dtype;
  }

  Element number(ElementEmitter& e, Slot slot) {
    return e.from_parameter(dtype_of(slot), producers_.number(slot - kNumberSlot));
  }

  // Of an operand that has one value a row.
  Element row_value(Slot slot) {
    if (slot >= kNumberSlot) return number(one_, slot);
    if (slot < kLeafSlot) return row_values_[slot];
    const int leaf = slot - kLeafSlot;
    return one_.load(c_.leaves[leaf].dtype, producers_.address(leaf),
                     bases_[static_cast<size_t>(leaf)]);
  }

  Element row_node(int node) {
    const Value& v = *c_.nodes[node];
    Element x[kMaxInputs];
    DType from[kMaxInputs];
    for (int k = 0; k < v.input_count; ++k) {
      x[k] = row_value(c_.operands[node][k]);
      from[k] = dtype_of(c_.operands[node][k]);
    }
    return emit_node(one_, v, x, from, [&] { return row_; });
  }

  Element load(Place& p, int leaf) {
    const DType t = c_.leaves[leaf].dtype;
    Ir* base = bases_[static_cast<size_t>(leaf)];
    if (r_.lane_strides[leaf] == 0)
      return spread(*p.e, one_.load(t, producers_.address(leaf), base));
    Ir* stride = lane_strides_[static_cast<size_t>(leaf)];
    Ir* at = b().CreateNSWAdd(base, b().CreateNSWMul(p.lane, stride));
    if (p.e->lanes() == 1) return one_.load(t, producers_.address(leaf), at);
    return p.e->load(t, producers_.address(leaf), at, is_strided(leaf) ? stride : nullptr, p.mask);
  }

  Ir* position(Place& p) {
    Ir* first = b().CreateNSWAdd(start_, p.lane);
    if (p.e->lanes() == 1) return first;
    return b().CreateAdd(spread(*p.e, {first}).re,
                         b().CreateStepVector(p.e->widen(b().getInt64Ty())));
  }

  Element value(Place& p, Slot slot) {
    if (slot >= kNumberSlot) return number(*p.e, slot);
    if (slot >= kLeafSlot) {
      Element& known = p.leaves[slot - kLeafSlot];
      if (!known.re) known = load(p, slot - kLeafSlot);
      return known;
    }
    if (r_.per_row[slot]) return spread(*p.e, row_values_[slot]);
    Element& known = p.nodes[slot];
    if (known.re) return known;
    const Value& v = *c_.nodes[slot];
    if (is_kept_[slot] && kept_[slot])
      return known = p.e->load(v.dtype, kept_[slot], p.lane, nullptr, p.mask);
    Element x[kMaxInputs];
    DType from[kMaxInputs];
    for (int k = 0; k < v.input_count; ++k) {
      x[k] = value(p, c_.operands[slot][k]);
      from[k] = dtype_of(c_.operands[slot][k]);
    }
    return known = emit_node(*p.e, v, x, from, [&] { return position(p); });
  }

  Element operand(Place& p, int node) {
    const Slot slot = c_.operands[node][0];
    return reduction_of(*c_.nodes[node]).prepare(*p.e, value(p, slot), dtype_of(slot));
  }

  Element only_inside(Place& p, const Combiner& combiner, const Element& x, Ir* inside) {
    const Element nothing = combiner.identity(*p.e, nullptr).value;
    return {b().CreateSelect(inside, x.re, nothing.re),
            x.im ? b().CreateSelect(inside, x.im, nothing.im) : nullptr};
  }

  Element result(int node, const Element& x) {
    return one_.cast(x, reduction_of(*c_.nodes[node]).dtype(), c_.nodes[node]->dtype);
  }

  // ---- teams

  void start_elements() {
    for (int k = 0; k < r_.plan.rounds; ++k) {
      Ir* lane = b().CreateNSWAdd(item_, i64(int64_t{k} * r_.plan.team));
      // All rounds but the last are full.
      if (k + 1 == r_.plan.rounds) {
        in_last_ = b().CreateICmpSLT(lane, length_);
        lane = smaller(lane, b().CreateNSWSub(length_, i64(1)));
      }
      places_.emplace_back(&one_, lane, nullptr);
    }
  }

  Element reduce_in_team(int node) {
    const Combiner& combiner = reduction_of(*c_.nodes[node]);
    auto combined = [&](const Element& x, const Element& y) {
      return combiner.in_order(b(), one_, {x}, {y}).value;
    };
    Element sum;
    for (Place& p : places_) {
      Element x = operand(p, node);
      if (&p == &places_.back()) x = only_inside(p, combiner, x, in_last_);
      sum = sum.re ? combined(sum, x) : x;
    }
    for (int mask = std::min(r_.plan.team, kSubGroup) / 2; mask > 0; mask /= 2)
      sum = both_ways(combiner, sum, mask);
    if (r_.plan.team > kSubGroup) sum = between_sub_groups(combiner, sum);
    return result(node, sum);
  }

  // The lower item's value comes first on both sides, so that all items get the same bits.
  Element both_ways(const Combiner& combiner, const Element& own, int mask) {
    const Element other = g_.exchanged(own, mask);
    Ir* is_upper = b().CreateICmpNE(b().CreateAnd(item_, i64(mask)), i64(0));
    auto chosen = [&](const Element& x, const Element& y) -> Element {
      return {b().CreateSelect(is_upper, x.re, y.re),
              x.im ? b().CreateSelect(is_upper, x.im, y.im) : nullptr};
    };
    return combiner.in_order(b(), one_, {chosen(other, own)}, {chosen(own, other)}).value;
  }

  // The order is that of the items.
  Element between_sub_groups(const Combiner& combiner, const Element& sum) {
    const DType t = combiner.dtype();
    const int count = items_of_group(r_.plan) / kSubGroup, own = r_.plan.team / kSubGroup;
    Ir* table = g_.local_array(one_.memory_type(t), count * (is_complex(t) ? 2 : 1));
    Ir* item = g_.item();
    emit_if(b(), b().CreateICmpEQ(b().CreateURem(item, i64(kSubGroup)), i64(0)), {},
            [&](const Values&) {
              one_.store(t, sum, table, b().CreateUDiv(item, i64(kSubGroup)));
              return Values{};
            });
    g_.barrier();
    Ir* first = b().CreateNSWMul(b().CreateUDiv(item, i64(r_.plan.team)), i64(own));
    Element all = one_.load(t, table, first);
    for (int n = 1; n < own; ++n) {
      const Element next = one_.load(t, table, b().CreateNSWAdd(first, i64(n)));
      all = combiner.in_order(b(), one_, {all}, {next}).value;
    }
    return all;
  }

  // ---- vectors

  // Calls body(place, carried) for every vector of the row, a masked one at the end.
  Values for_vectors(int width, const Values& start,
                     const std::function<Values(Place&, const Values&)>& body) {
    ElementEmitter e(b(), width);
    Ir* rest = b().CreateURem(length_, i64(width));
    Ir* full = b().CreateNSWSub(length_, rest);
    const Values now =
        emit_loop(b(), i64(0), full, i64(width), start, [&](Ir* lane, const Values& carried) {
          Place p(&e, lane, nullptr);
          return body(p, carried);
        });
    return emit_if(b(), b().CreateICmpNE(rest, i64(0)), now, [&](const Values& carried) {
      Ir* ids = b().CreateStepVector(e.widen(b().getInt64Ty()));
      Place p(&e, full, b().CreateICmpULT(ids, spread(e, {rest}).re));
      return body(p, carried);
    });
  }

  Element reduce_in_vectors(int node) {
    const Combiner& combiner = reduction_of(*c_.nodes[node]);
    const int width = accumulator_width(combiner.dtype(), false);
    ElementEmitter e(b(), width);
    const Element start = combiner.identity(e, nullptr).value;
    std::vector<int> fresh;
    const Values total = for_vectors(width, values_of(start), [&](Place& p, const Values& carried) {
      Element x = operand(p, node);
      for (int i = 0; i < c_.node_count; ++i) {
        if (!is_kept_[i] || kept_[i] || !p.nodes[i].re) continue;
        p.e->store(c_.nodes[i]->dtype, p.nodes[i], scratch_[i], p.lane, p.mask);
        fresh.push_back(i);
      }
      if (p.mask) x = only_inside(p, combiner, x, p.mask);
      return values_of(combiner.in_order(b(), *p.e, {element_of(carried)}, {x}).value);
    });
    for (int i : fresh) kept_[i] = scratch_[i];
    return result(node, combiner.fold(b(), {element_of(total)}, width, 1).value);
  }

  static Values values_of(const Element& x) { return x.im ? Values{x.re, x.im} : Values{x.re}; }
  static Element element_of(const Values& v) { return {v[0], v.size() > 1 ? v[1] : nullptr}; }

  // Marks the nodes that a walk for `slot` computes.
  void mark(Slot slot, bool (&seen)[kMaxNodes]) const {
    if (slot >= kLeafSlot || r_.per_row[slot] || seen[slot]) return;
    seen[slot] = true;
    for (int k = 0; k < c_.nodes[slot]->input_count; ++k) mark(c_.operands[slot][k], seen);
  }

  // What takes long to compute and is asked for in several walks is kept in private memory.
  void keep_what_is_dear() {
    constexpr int kMostKept = 2;
    int walks[kMaxNodes] = {};
    auto count = [&](const bool(&seen)[kMaxNodes]) {
      for (int i = 0; i < c_.node_count; ++i) walks[i] += seen[i];
    };
    bool stored[kMaxNodes] = {};
    for (int i = 0; i < c_.node_count; ++i) {
      bool seen[kMaxNodes] = {};
      if (is_reduction(i)) mark(c_.operands[i][0], seen);
      count(seen);
    }
    for (int i = 0; i < c_.output_count; ++i) mark(c_.outputs[i], stored);
    count(stored);
    int kept = 0;
    for (int i = c_.node_count - 1; i >= 0 && kept < kMostKept; --i) {
      if (walks[i] < 2 || is_cheap(*c_.nodes[i]) || is_complex(c_.nodes[i]->dtype)) continue;
      is_kept_[i] = true;
      ++kept;
      scratch_[i] = private_row(c_.nodes[i]->dtype);
    }
  }

  Ir* private_row(DType t) {
    constexpr uint64_t kLongest = 16384;
    auto* slot = b().CreateAlloca(
        llvm::ArrayType::get(b().getInt8Ty(), kLongest * static_cast<uint64_t>(size_of(t))));
    slot->setAlignment(llvm::Align(64));
    return slot;
  }

  // ---- results

  void store_rows() {
    auto all = [&](const Values&) {
      for (int i = 0; i < c_.output_count; ++i) {
        const Slot slot = c_.outputs[i];
        if (r_.per_row[slot])
          one_.store(c_.nodes[slot]->dtype, row_values_[slot], outputs_[i], row_);
      }
      return Values{};
    };
    if (!team())
      all({});
    else
      emit_if(b(), b().CreateAnd(exists_, b().CreateICmpEQ(item_, i64(0))), {}, all);
  }

  void store_all(Place& p) {
    Ir* at = b().CreateNSWAdd(start_, p.lane);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      if (!r_.per_row[slot])
        p.e->store(c_.nodes[slot]->dtype, value(p, slot), outputs_[i], at, p.mask);
    }
  }

  void store_elements() {
    const bool any = std::any_of(c_.outputs, c_.outputs + c_.output_count,
                                 [&](Slot slot) { return !r_.per_row[slot]; });
    if (!any) return;
    if (!team()) {
      constexpr int kWidth = 32;
      for_vectors(kWidth, {}, [&](Place& p, const Values&) {
        store_all(p);
        return Values{};
      });
      return;
    }
    emit_if(b(), exists_, {}, [&](const Values&) {
      for (Place& p : places_) {
        if (&p != &places_.back()) {
          store_all(p);
          continue;
        }
        emit_if(b(), in_last_, {}, [&](const Values&) {
          store_all(p);
          return Values{};
        });
      }
      return Values{};
    });
  }

  const RowCluster& r_;
  const Cluster& c_;
  ProducerEmitter producers_;
  ModuleBuilder m_;
  GroupEmitter g_;
  ElementEmitter one_;
  Ir* outputs_[kMaxOutputs];
  Ir *rows_ = nullptr, *length_ = nullptr;
  Values extents_, lane_strides_, bases_;
  std::vector<Values> strides_;
  Ir *row_ = nullptr, *start_ = nullptr, *item_ = nullptr;
  Ir *exists_ = nullptr, *in_last_ = nullptr;
  Element row_values_[kMaxNodes];
  std::vector<Place> places_;
  bool is_kept_[kMaxNodes] = {};
  Ir* scratch_[kMaxNodes] = {};
  Ir* kept_[kMaxNodes] = {};  ///< scratch that is filled
};

}  // namespace

int items_of_group(const RowPlan& plan) noexcept { return std::max(plan.team, kFewestItems); }

void append_key(const RowCluster& r, KeyText& key) {
  auto put = [&](auto v) { key.push_back(static_cast<char>(v)); };
  const Cluster& c = r.nodes;
  put(r.plan.team / 8);
  put(r.plan.rounds);
  put(r.outer.size());
  for (int i = 0; i < c.leaf_count; ++i) {
    const int64_t stride = r.lane_strides[i];
    put(stride == 0 || stride == 1 ? stride : -1);
  }
  for (int i = 0; i < c.node_count; ++i) {
    put(r.per_row[i]);
    if (c.nodes[i]->kind != ValueKind::kRecipe) continue;
    put(reduction_of(*c.nodes[i]).reduction());
    put(reduction_of(*c.nodes[i]).dtype());
  }
  c.append_key(key);
}

target::KernelModule emit(const RowCluster& rows) { return RowEmitter(rows).run(); }

}  // namespace hither::array
