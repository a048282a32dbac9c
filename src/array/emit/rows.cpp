#include "array/emit/rows.h"

#include <algorithm>

#include "array/emit/rows_frame.h"
#include "array/emit/rows_team.h"

namespace hither::array {

namespace {

/// Operations that take less time than loading their stored result again.
bool is_cheap(const FormNode& v) {
  if (v.user) return false;
  if (v.kind != NodeKind::kApply) return true;
  if (Op::sqrt <= v.op && v.op <= Op::logaddexp) return false;
  return v.op != Op::floor_divide && v.op != Op::remainder && v.op != Op::power;
}

/// Emits kernels in which each item walks its own row in vectors.
class ItemEmitter final : public RowFrame {
 public:
  using RowFrame::RowFrame;

 private:
  Values find_rows() override { return {m_.global_id(0)}; }
  void prepare() override { keep_expensive_nodes(); }

  // Calls body(place, carried) for every vector of the row. The last one may be masked.
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

  Element only_inside(Place& p, const Combiner& combiner, const Element& x, Ir* inside) {
    const Element nothing = combiner.identity(*p.e, nullptr).value;
    return chosen(inside, x, nothing);
  }

  int width_of(int node) const { return accumulator_width(c_.nodes[node].accumulation()); }
  bool share_a_walk(int a, int b) const override { return width_of(a) == width_of(b); }

  std::vector<Element> reduce(const std::vector<int>& nodes) override {
    const int width = width_of(nodes.front());
    ElementEmitter e(b(), width);
    Values start;
    for (int node : nodes) append(start, values_of(combiner(node).identity(e, nullptr).value));
    std::vector<int> fresh;
    const Values totals = for_vectors(width, start, [&](Place& p, const Values& carried) {
      Values sums;
      size_t at = 0;
      for (int node : nodes) {
        const Combiner combine = combiner(node);
        Element x = operand(p, node);
        if (p.mask) x = only_inside(p, combine, x, p.mask);
        const Element before = element_of(next(carried, at, x.im ? 2 : 1));
        append(sums, values_of(combine.in_order(b(), *p.e, {before}, {x}).value));
      }
      for (int i = 0; i < c_.node_count; ++i) {
        if (!is_kept_[i] || kept_[i] || !p.nodes[i].re) continue;
        p.e->store(c_.nodes[i].dtype, p.nodes[i], scratch_[i], p.lane, p.mask);
        fresh.push_back(i);
      }
      return sums;
    });
    for (int i : fresh) kept_[i] = scratch_[i];
    std::vector<Element> results;
    size_t at = 0;
    for (int node : nodes) {
      const Values total = next(totals, at, is_complex(combiner(node).dtype()) ? 2 : 1);
      results.push_back(combiner(node).fold(b(), {element_of(total)}, width, 1).value);
    }
    return results;
  }

  // Marks the nodes that a walk for `slot` computes.
  void mark(Slot slot, bool (&seen)[kMaxNodes]) const {
    if (slot >= kLeafSlot || r_.per_row[slot] || seen[slot]) return;
    seen[slot] = true;
    for (int k = 0; k < c_.nodes[slot].operand_count; ++k) mark(c_.nodes[slot].operands[k], seen);
  }

  // Nodes that are expensive and used in several walks are stored in private memory.
  void keep_expensive_nodes() {
    constexpr int kMostKept = 2;
    int walks[kMaxNodes] = {};
    auto count = [&](const bool(&seen)[kMaxNodes]) {
      for (int i = 0; i < c_.node_count; ++i) walks[i] += seen[i];
    };
    bool stored[kMaxNodes] = {};
    for (int i = 0; i < c_.node_count; ++i) {
      bool seen[kMaxNodes] = {};
      for (int node : walks_[i]) mark(c_.nodes[node].operands[0], seen);
      count(seen);
    }
    for (int i = 0; i < c_.output_count; ++i) mark(c_.outputs[i], stored);
    count(stored);
    int kept = 0;
    for (int i = c_.node_count - 1; i >= 0 && kept < kMostKept; --i) {
      if (walks[i] < 2 || is_cheap(c_.nodes[i]) || is_complex(c_.nodes[i].dtype)) continue;
      is_kept_[i] = true;
      ++kept;
      scratch_[i] = private_row(c_.nodes[i].dtype);
    }
  }

  Ir* private_row(DType t) {
    auto* slot = b().CreateAlloca(
        llvm::ArrayType::get(b().getInt8Ty(), static_cast<uint64_t>(kLongestOfItem * size_of(t))));
    slot->setAlignment(llvm::Align(64));
    return slot;
  }

  Element kept(Place& p, Slot slot) override {
    if (!is_kept_[slot] || !kept_[slot]) return {};
    return p.e->load(c_.nodes[slot].dtype, kept_[slot], p.lane, nullptr, p.mask);
  }

  void store_rows() override { store_row_values(); }

  void store_elements() override {
    constexpr int kWidth = 32;
    for_vectors(kWidth, {}, [&](Place& p, const Values&) {
      Ir* at = b().CreateNSWAdd(at_->start, p.lane);
      for (int i = 0; i < c_.output_count; ++i) {
        const Slot slot = c_.outputs[i];
        if (!r_.per_row[slot])
          p.e->store(c_.nodes[slot].dtype, value(p, slot), outputs_[i], at, p.mask);
      }
      return Values{};
    });
  }

  bool is_kept_[kMaxNodes] = {};
  Ir* scratch_[kMaxNodes] = {};
  Ir* kept_[kMaxNodes] = {};  ///< scratch memory that has been filled
};

}  // namespace

target::KernelModule emit(const RowForm& rows) {
  if (rows.team > 0) return emit_team(rows);
  target::KernelModule module = ItemEmitter(rows).run();
  module.independent_items = true;
  return module;
}

}  // namespace hither::array
