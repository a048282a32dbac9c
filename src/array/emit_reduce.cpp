#include "array/emit_reduce.h"

#include "array/emit_producers.h"
#include "array/reduce_walks.h"
#include "array/user_function.h"

namespace hither::array {

namespace {

using llvm::Value;
using Values = std::vector<Value*>;

/// Emits one stage.
class StageEmitter {
 public:
  explicit StageEmitter(const ReduceKernel& k)
      : k_(k),
        s_(k.stage),
        m_("hither_reduce"),
        producers_(k.cluster),
        walks_(walks_of(k.cluster)) {}

  target::KernelModule run() {
    declare();
    m_.begin();
    take();
    switch (s_.form) {
      case ReduceForm::kShort:
        emit_short();
        break;
      case ReduceForm::kRows:
        emit_rows();
        break;
      case ReduceForm::kColumns:
        emit_columns();
        break;
      case ReduceForm::kSpreadRows:
        emit_spread_rows();
        break;
      case ReduceForm::kOneColumn:
        emit_one_column();
        break;
    }
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, k_.cluster);
    module.independent_items = true;
    return module;
  }

 private:
  /// Where an item stands: the offset of every walk, in the order of walks_.
  struct Place {
    Values offsets;
    Value* of(int walk_index) const { return offsets[static_cast<size_t>(walk_index)]; }
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Value* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }

  void declare() {
    if (k_.stores_value()) m_.parameter(target::Parameter::kPointer);
    if (k_.stores_index()) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < k_.cluster.output_count; ++i) m_.parameter(target::Parameter::kPointer);
    producers_.declare(m_);
    int integers = kCounts + std::max(s_.outer.size() - 1, 0) + std::max(s_.rows.size() - 1, 0);
    for (int w : walks_) {
      integers += s_.outer.size() + s_.rows.size();
      if (lane_access(s_, w) == LaneAccess::kStrided) ++integers;
    }
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take() {
    if (k_.stores_value()) values_out_ = m_.next_parameter();
    if (k_.stores_index()) index_out_ = m_.next_parameter();
    for (int i = 0; i < k_.cluster.output_count; ++i) named_[i] = m_.next_parameter();
    producers_.take(m_);
    for (Value*& v : counts_) v = m_.next_parameter();
    auto extents = [&](const Dims& dims, Values& out) {
      for (int d = 0; d < dims.size(); ++d) out.push_back(d == 0 ? nullptr : m_.next_parameter());
    };
    extents(s_.outer, outer_extents_);
    extents(s_.rows, row_extents_);
    for (int w : walks_) {
      Values outer, rows;
      for (int d = 0; d < s_.outer.size(); ++d) outer.push_back(m_.next_parameter());
      if (item_stride(s_, w) >= 0) outer.back() = i64(item_stride(s_, w));
      for (int d = 0; d < s_.rows.size(); ++d) rows.push_back(m_.next_parameter());
      outer_strides_.push_back(outer);
      row_strides_.push_back(rows);
      lane_strides_.push_back(lane_access(s_, w) == LaneAccess::kStrided ? m_.next_parameter()
                                                                         : nullptr);
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

  // The offset of lane `lane` of a walk; with several lanes, of the first one.
  Value* offset(const Place& place, int walk_index, Value* lane) {
    const int walk = walks_[static_cast<size_t>(walk_index)];
    Value* base = place.of(walk_index);
    switch (lane_access(s_, walk)) {
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
    const DType t = k_.cluster.leaves[leaf].dtype;
    Value* at = offset(place, leaf, lane);
    if (e.lanes() == 1) return e.load(t, producers_.address(leaf), at);
    switch (lane_access(s_, leaf)) {
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

  // Consecutive integers from `first`, one a lane.
  Value* count_from(ElementEmitter& e, Value* first, Value* step = nullptr) {
    if (e.lanes() == 1) return first;
    Value* steps = b().CreateStepVector(e.widen(first->getType()));
    if (step) steps = b().CreateMul(steps, spread(e, step));
    return b().CreateAdd(spread(e, first), steps);
  }

  Value* first_position(const Place& place, Value* lane) {
    return offset(place, k_.cluster.leaf_count, lane);
  }

  Value* position(ElementEmitter& e, const Place& place, Value* lane) {
    Value* first = first_position(place, lane);
    switch (lane_access(s_, kPositionWalk)) {
      case LaneAccess::kUnit:
        return count_from(e, first);
      case LaneAccess::kRepeat:
        return spread(e, first);
      default:
        return count_from(e, first, lane_strides_[static_cast<size_t>(k_.cluster.leaf_count)]);
    }
  }

  // The operand at `lane`, ready to be combined; `index` is its place among the reduced ones.
  Running operand(ElementEmitter& e, const Place& place, Value* lane, Value* mask, Value* index) {
    DType from;
    Element nodes[kMaxNodes];
    Element x = producers_.evaluate(
        e, k_.root, from, [&](int leaf) { return load(e, place, leaf, lane, mask); },
        [&] { return position(e, place, lane); }, nodes);
    for (int i = 0; i < k_.cluster.output_count; ++i) {
      const Slot slot = k_.cluster.outputs[i];
      e.store(k_.cluster.nodes[slot]->dtype, nodes[slot], named_[i], first_position(place, lane),
              mask);
    }
    x = k_.combiner.prepare(e, x, from);
    if (k_.pairs) index = load(e, place, 1, lane, mask).re;
    if (mask) {
      const Running nothing = k_.combiner.identity(e, index);
      x.re = b().CreateSelect(mask, x.re, nothing.value.re);
      if (x.im) x.im = b().CreateSelect(mask, x.im, nothing.value.im);
      if (k_.pairs) index = b().CreateSelect(mask, index, spread(e, i64(INT64_MAX)));
    }
    return {x, k_.combiner.with_index() ? index : nullptr};
  }

  Running combine(ElementEmitter& e, const Running& x, const Running& y) {
    return k_.pairs ? k_.combiner.any_order(b(), e, x, y) : k_.combiner.in_order(b(), e, x, y);
  }

  Running start(ElementEmitter& e, Value* first_index) {
    Value* index = k_.pairs ? i64(INT64_MAX) : first_index;
    return k_.combiner.identity(e, spread(e, index));
  }

  static Values values_of(const Running& r) {
    Values v{r.value.re};
    if (r.value.im) v.push_back(r.value.im);
    if (r.index) v.push_back(r.index);
    return v;
  }
  Running running_of(const Values& v) const {
    const bool pair = is_complex(k_.combiner.dtype());
    return {{v[0], pair ? v[1] : nullptr}, k_.combiner.with_index() ? v.back() : nullptr};
  }

  void store(ElementEmitter& e, const Running& r, Value* at, Value* mask = nullptr) {
    if (k_.stores_value())
      e.store(k_.stored, e.cast(r.value, k_.combiner.dtype(), k_.stored), values_out_, at, mask);
    if (k_.stores_index()) e.store(DType::kInt64, {r.index}, index_out_, at, mask);
  }

  Place short_place() {
    if (s_.outer.size() < 2 || s_.outer.size() > 3) return outer_place(m_.global_id(0));
    Place place{Values(walks_.size(), i64(0))};
    for (int d = 0; d < s_.outer.size(); ++d) {
      Value* id = m_.global_id(d);
      for (size_t w = 0; w < walks_.size(); ++w)
        place.offsets[w] = b().CreateNSWAdd(
            place.offsets[w], b().CreateNSWMul(id, outer_strides_[w][static_cast<size_t>(d)]));
    }
    return place;
  }

  void emit_short() {
    ElementEmitter e(b(), 1);
    const Place place = short_place();
    Running acc = operand(e, place, i64(0), nullptr, i64(0));
    for (int64_t r = 1; r < s_.lanes; ++r)
      acc = combine(e, acc, operand(e, place, i64(r), nullptr, i64(r)));
    store(e, acc, place.offsets.back());
  }

  void emit_rows() {
    const int width = s_.width, period = static_cast<int>(s_.period);
    ElementEmitter e(b(), width);
    const Place outer = outer_place(m_.global_id(0));
    Value* chunk = m_.global_id(1);
    Value* row =
        b().CreateMul(b().CreateUDiv(chunk, counts_[kChunksPerRow]), counts_[kRowsPerChunk]);
    Value* row_end = smaller(b().CreateNSWAdd(row, counts_[kRowsPerChunk]), counts_[kRowTotal]);
    Value* begin =
        b().CreateMul(b().CreateURem(chunk, counts_[kChunksPerRow]), counts_[kLanesPerChunk]);
    Value* end = smaller(b().CreateNSWAdd(begin, counts_[kLanesPerChunk]), counts_[kLanes]);
    // In every row the same vectors are full, and one may be left.
    Value* length = b().CreateNSWSub(end, begin);
    Value* rest = b().CreateURem(length, i64(width));
    Value* full_end = b().CreateNSWSub(end, rest);
    Value* first = b().CreateNSWAdd(b().CreateNSWMul(row, counts_[kLanes]), begin);
    // Half the bits are enough for places inside a chunk.
    const bool narrow = k_.combiner.with_index() && !k_.pairs && period == 1;
    const Running initial = start(e, narrow ? b().getInt32(0) : b().CreateUDiv(first, i64(period)));
    const Values total = emit_loop(
        b(), row, row_end, i64(1), values_of(initial), [&](Value* r, const Values& carried) {
          const Place place = row_place(outer, r);
          Value* before = b().CreateNSWMul(r, counts_[kLanes]);
          auto step = [&](Value* lane, Value* mask, const Values& acc) {
            Value* index = nullptr;
            if (narrow)
              index = count_from(
                  e, b().CreateTrunc(b().CreateNSWSub(b().CreateNSWAdd(before, lane), first),
                                     b().getInt32Ty()));
            else if (k_.combiner.with_index() && !k_.pairs)
              index = flat_index(e, b().CreateNSWAdd(before, lane), period);
            return values_of(combine(e, running_of(acc), operand(e, place, lane, mask, index)));
          };
          Values acc =
              emit_loop(b(), begin, full_end, i64(width), carried,
                        [&](Value* lane, const Values& a) { return step(lane, nullptr, a); });
          return emit_if(b(), b().CreateICmpNE(rest, i64(0)), acc, [&](const Values& a) {
            Value* lane_ids = b().CreateStepVector(e.widen(b().getInt64Ty()));
            return step(full_end, b().CreateICmpULT(lane_ids, spread(e, rest)), a);
          });
        });
    Running folded = k_.combiner.fold(b(), running_of(total), width, period);
    if (narrow)
      folded.index = b().CreateNSWAdd(first, b().CreateZExt(folded.index, b().getInt64Ty()));
    ElementEmitter out(b(), period);
    store(out, folded, chunk_output(outer, chunk));
  }

  Value* smaller(Value* x, Value* y) {
    return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
  }

  Value* flat_index(ElementEmitter& e, Value* first, int period) {
    Value* flat = count_from(e, first);
    return period == 1 ? flat : b().CreateUDiv(flat, spread(e, i64(period)));
  }

  // Private accumulators of a block of kept elements, a whole number of vectors.
  struct Block {
    Value* values = nullptr;
    Value* indices = nullptr;
  };

  Block allocate_block() {
    llvm::BasicBlock& entry = m_.function()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    const auto count = static_cast<uint64_t>((s_.block + s_.width - 1) / s_.width * s_.width);
    const auto bytes = count * static_cast<uint64_t>(size_of(k_.combiner.dtype()));
    auto array = [&](uint64_t n) {
      auto* slot = at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt8Ty(), n));
      slot->setAlignment(llvm::Align(64));
      return slot;
    };
    return {array(bytes), k_.combiner.with_index() ? array(count * 8) : nullptr};
  }

  Running load_block(ElementEmitter& e, const Block& block, Value* at) {
    Running r{e.load(k_.combiner.dtype(), block.values, at)};
    if (block.indices) r.index = e.load(DType::kInt64, block.indices, at).re;
    return r;
  }

  void store_block(ElementEmitter& e, const Block& block, Value* at, const Running& r) {
    e.store(k_.combiner.dtype(), r.value, block.values, at);
    if (block.indices) e.store(DType::kInt64, {r.index}, block.indices, at);
  }

  // Calls body(lane, place in the block, mask) for every vector of the block, a masked one at the
  // end.
  void for_block(Value* first, Value* length,
                 const std::function<void(Value*, Value*, Value*)>& body) {
    ElementEmitter e(b(), s_.width);
    Value* rest = b().CreateURem(length, i64(s_.width));
    Value* full = b().CreateNSWSub(length, rest);
    emit_loop(b(), i64(0), full, i64(s_.width), {}, [&](Value* at, const Values&) {
      body(b().CreateNSWAdd(first, at), at, nullptr);
      return Values{};
    });
    emit_if(b(), b().CreateICmpNE(rest, i64(0)), {}, [&](const Values&) {
      Value* ids = b().CreateStepVector(e.widen(b().getInt64Ty()));
      body(b().CreateNSWAdd(first, full), full, b().CreateICmpULT(ids, spread(e, rest)));
      return Values{};
    });
  }

  void emit_columns() {
    ElementEmitter e(b(), s_.width);
    const Block block = allocate_block();
    Value* item = m_.global_id(0);
    Value* chunk = b().CreateURem(item, counts_[kChunks]);
    const Place outer = outer_place(b().CreateUDiv(item, counts_[kChunks]));
    Value* first = b().CreateNSWMul(m_.global_id(1), counts_[kBlock]);
    Value* length =
        b().CreateNSWSub(smaller(b().CreateNSWAdd(first, counts_[kBlock]), counts_[kLanes]), first);
    Value* row = b().CreateNSWMul(chunk, counts_[kRowsPerChunk]);
    Value* row_end = smaller(b().CreateNSWAdd(row, counts_[kRowsPerChunk]), counts_[kRowTotal]);
    Value* padded = b().CreateNSWAdd(length, i64(s_.width - 1));
    emit_loop(b(), i64(0), b().CreateNSWSub(padded, b().CreateURem(padded, i64(s_.width))),
              i64(s_.width), {}, [&](Value* at, const Values&) {
                store_block(e, block, at, start(e, row));
                return Values{};
              });
    // A few rows at a time pass through registers, so that rows are read in long runs and
    // accumulators seldom.
    constexpr int64_t kGroup = 8;
    emit_loop(b(), row, row_end, i64(kGroup), {}, [&](Value* group, const Values&) {
      Value* group_end = smaller(b().CreateNSWAdd(group, i64(kGroup)), row_end);
      for_block(first, length, [&](Value* lane, Value* at, Value* mask) {
        const Values sum =
            emit_loop(b(), group, group_end, i64(1), values_of(load_block(e, block, at)),
                      [&](Value* r, const Values& acc) {
                        const Place place = row_place(outer, r);
                        return values_of(combine(e, running_of(acc),
                                                 operand(e, place, lane, mask, spread(e, r))));
                      });
        store_block(e, block, at, running_of(sum));
      });
      return Values{};
    });
    Value* out = chunk_output(outer, chunk);
    for_block(first, length, [&](Value* lane, Value* at, Value* mask) {
      store(e, load_block(e, block, at), b().CreateNSWAdd(out, lane), mask);
    });
  }

  Value* chunk_output(const Place& outer, Value* chunk) {
    return b().CreateNSWAdd(outer.offsets.back(), b().CreateNSWMul(chunk, counts_[kChunkStride]));
  }

  // Where an item stands in a spread walk.
  struct Step {
    Place place;
    Value* lane;
  };

  static constexpr unsigned kTogether = 8;

  Value* turns_of(Value* begin, Value* end, Value* step) {
    Value* span = b().CreateNSWAdd(b().CreateNSWSub(end, begin), b().CreateNSWSub(step, i64(1)));
    return b().CreateUDiv(span, step);
  }

  // Combines operands turn by turn, several at a time; `at` says where turn n is and what its index
  // is.
  Values emit_spread_loop(ElementEmitter& e, Value* turns, const Values& carried,
                          const std::function<Step(Value* turn, Value*& index)>& at) {
    return emit_loop(
        b(), i64(0), turns, i64(1), carried,
        [&](Value* turn, const Values& acc) {
          Value* index = nullptr;
          const Step step = at(turn, index);
          return values_of(
              combine(e, running_of(acc), operand(e, step.place, step.lane, nullptr, index)));
        },
        kTogether);
  }

  // The same where indices are turns, in half the bits. What is far apart in registers would not
  // be fetched together: all operands of a few turns come first.
  Running emit_indexed_loop(ElementEmitter& e, Value* turns,
                            const std::function<Step(Value* turn)>& at,
                            const std::function<Step(const Step&)>& next) {
    auto loop = [&](Value* first, Value* last, unsigned together, const Values& start) {
      return emit_loop(b(), first, last, i64(together), start, [&](Value* turn, const Values& now) {
        llvm::SmallVector<Running, kTogether> fetched;
        Value* index = b().CreateTrunc(turn, b().getInt32Ty());
        Step step = at(turn);
        for (unsigned k = 0; k < together; ++k) {
          if (k > 0) step = next(step);
          Value* own = spread(e, b().CreateAdd(index, b().getInt32(k)));
          fetched.push_back(operand(e, step.place, step.lane, nullptr, own));
        }
        Running acc = running_of(now);
        for (const Running& r : fetched) acc = combine(e, acc, r);
        return values_of(acc);
      });
    };
    Value* whole = b().CreateAnd(turns, i64(-int64_t{kTogether}));
    const Values most = loop(i64(0), whole, kTogether, values_of(start(e, b().getInt32(0))));
    Running result = running_of(loop(whole, turns, 1, most));
    result.index = b().CreateZExt(result.index, e.widen(b().getInt64Ty()));
    return result;
  }

  bool counts_turns() const { return k_.combiner.with_index() && !k_.pairs; }

  void emit_spread_rows() {
    const int period = static_cast<int>(s_.period);
    ElementEmitter e(b(), period);
    const Place outer = outer_place(m_.global_id(0));
    Value* chunk = m_.global_id(1);
    Value* chunks_per_row = counts_[kChunksPerRow];
    Value* row = b().CreateUDiv(chunk, chunks_per_row);
    Value* row_step = b().CreateUDiv(counts_[kChunks], chunks_per_row);
    Value* begin = b().CreateNSWMul(b().CreateURem(chunk, chunks_per_row), i64(period));
    Value* step = b().CreateNSWMul(chunks_per_row, i64(period));
    Value* turns = turns_of(begin, counts_[kLanes], step);
    auto lane_at = [&](Value* turn) {
      return b().CreateNSWAdd(begin, b().CreateNSWMul(turn, step));
    };
    // Of turn `turn` (one a lane) in row r.
    auto index_of = [&](Value* r, Value* turn) {
      Value* flat = spread(e, b().CreateNSWAdd(b().CreateNSWMul(r, counts_[kLanes]), begin));
      flat = b().CreateNSWAdd(flat, b().CreateNSWMul(turn, spread(e, step)));
      return period == 1 ? flat : b().CreateUDiv(flat, spread(e, i64(period)));
    };
    const Values total = emit_loop(
        b(), row, counts_[kRowTotal], row_step,
        values_of(start(e, index_first(row, begin, period))), [&](Value* r, const Values& carried) {
          const Place place = row_place(outer, r);
          if (!counts_turns())
            return emit_spread_loop(e, turns, carried, [&](Value* turn, Value*&) {
              return Step{place, lane_at(turn)};
            });
          Running best = emit_indexed_loop(
              e, turns, [&](Value* turn) { return Step{place, lane_at(turn)}; },
              [&](const Step& s) { return Step{place, b().CreateNSWAdd(s.lane, step)}; });
          best.index = index_of(r, best.index);
          return values_of(combine(e, running_of(carried), best));
        });
    store(e, running_of(total), chunk_output(outer, chunk));
  }

  Value* index_first(Value* row, Value* lane, int period) {
    Value* flat = b().CreateNSWAdd(b().CreateNSWMul(row, counts_[kLanes]), lane);
    return period == 1 ? flat : b().CreateUDiv(flat, i64(period));
  }

  void emit_one_column() {
    ElementEmitter e(b(), 1);
    Value* item = m_.global_id(0);
    Value* lane = m_.global_id(1);
    Value* chunks = counts_[kChunks];
    Value* chunk = b().CreateURem(item, chunks);
    const Place outer = outer_place(b().CreateUDiv(item, chunks));
    Value* turns = turns_of(chunk, counts_[kRowTotal], chunks);
    auto row_at = [&](Value* turn) {
      return b().CreateNSWAdd(chunk, b().CreateNSWMul(turn, chunks));
    };
    auto at = [&](Value* turn) { return Step{row_place(outer, row_at(turn)), lane}; };
    Value* out = b().CreateNSWAdd(chunk_output(outer, chunk), lane);
    if (!counts_turns() || s_.rows.size() != 1) {
      const Values total =
          emit_spread_loop(e, turns, values_of(start(e, chunk)), [&](Value* turn, Value*& index) {
            index = row_at(turn);
            return at(turn);
          });
      return store(e, running_of(total), out);
    }
    Running best = emit_indexed_loop(e, turns, at, [&](const Step& s) {
      Step next = s;
      for (size_t w = 0; w < next.place.offsets.size(); ++w)
        next.place.offsets[w] =
            b().CreateNSWAdd(next.place.offsets[w], b().CreateNSWMul(chunks, row_strides_[w][0]));
      return next;
    });
    best.index = row_at(best.index);
    store(e, best, out);
  }

  const ReduceKernel& k_;
  const ReduceStage& s_;
  ModuleBuilder m_;
  ProducerEmitter producers_;
  llvm::SmallVector<int, kWalks> walks_;
  Value* values_out_ = nullptr;
  Value* index_out_ = nullptr;
  Value* named_[kMaxOutputs];
  Value* counts_[kCounts];
  Values outer_extents_, row_extents_;
  std::vector<Values> outer_strides_, row_strides_;
  Values lane_strides_;
};

}  // namespace

target::KernelModule emit(const ReduceKernel& kernel) { return StageEmitter(kernel).run(); }

}  // namespace hither::array
