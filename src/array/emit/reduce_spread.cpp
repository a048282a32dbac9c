#include "array/emit/reduce_spread.h"

#include "array/emit/group.h"
#include "array/emit/reduce_frame.h"

namespace hither::array {

namespace {

class SpreadEmitter final : public StageFrame {
 public:
  using StageFrame::StageFrame;

 private:
  void emit_item() override {
    if (k_.pattern == ReducePattern::kGathered)
      emit_gathered();
    else if (k_.pattern == ReducePattern::kSpreadRows)
      emit_spread_rows();
    else
      emit_one_column();
  }

  // The position of an item in a spread walk.
  struct Step {
    Place place;
    Value* lane;
  };

  static constexpr unsigned kTogether = 8;

  Value* iterations_of(Value* begin, Value* end, Value* step) {
    Value* span = b().CreateNSWAdd(b().CreateNSWSub(end, begin), b().CreateNSWSub(step, i64(1)));
    return b().CreateUDiv(span, step);
  }

  // Combines one operand per iteration, with several iterations unrolled together. `at` returns the
  // position of iteration n and sets its index.
  Values emit_spread_loop(ElementEmitter& e, Value* iterations, const Values& carried,
                          const std::function<Step(Value* iteration, Value*& index)>& at) {
    return emit_loop(
        b(), i64(0), iterations, i64(1), carried,
        [&](Value* iteration, const Values& acc) {
          Value* index = nullptr;
          const Step step = at(iteration, index);
          return values_of(
              combine(e, running_of(acc), operand(e, step.place, step.lane, nullptr, index)));
        },
        kTogether);
  }

  // The same with 32-bit iteration numbers as indices. The operands of several iterations are
  // loaded before any is combined, so that the loads overlap.
  Running emit_indexed_loop(ElementEmitter& e, Value* iterations,
                            const std::function<Step(Value* iteration)>& at,
                            const std::function<Step(const Step&)>& next) {
    auto loop = [&](Value* first, Value* last, unsigned together, const Values& start) {
      return emit_loop(b(), first, last, i64(together), start,
                       [&](Value* iteration, const Values& now) {
                         llvm::SmallVector<Running, kTogether> fetched;
                         Value* index = b().CreateTrunc(iteration, b().getInt32Ty());
                         Step step = at(iteration);
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
    Value* whole = b().CreateAnd(iterations, i64(-int64_t{kTogether}));
    const Values most = loop(i64(0), whole, kTogether, values_of(start(e, b().getInt32(0))));
    Running result = running_of(loop(whole, iterations, 1, most));
    result.index = b().CreateZExt(result.index, e.widen(b().getInt64Ty()));
    return result;
  }

  bool counts_iterations() const { return combiner_.with_index() && !k_.pairs; }

  void emit_spread_rows() {
    const int period = static_cast<int>(k_.period);
    ElementEmitter e(b(), period);
    const Place outer = outer_place(m_.global_id(0));
    Value* chunk = m_.global_id(1);
    Value* chunks_per_row = counts_[kChunksPerRow];
    Value* row = b().CreateUDiv(chunk, chunks_per_row);
    Value* row_step = b().CreateUDiv(counts_[kChunks], chunks_per_row);
    Value* begin = b().CreateNSWMul(b().CreateURem(chunk, chunks_per_row), i64(period));
    Value* step = b().CreateNSWMul(chunks_per_row, i64(period));
    Value* iterations = iterations_of(begin, counts_[kLanes], step);
    auto lane_at = [&](Value* iteration) {
      return b().CreateNSWAdd(begin, b().CreateNSWMul(iteration, step));
    };
    // The index of iteration `iteration` (one per lane) in row r.
    auto index_of = [&](Value* r, Value* iteration) {
      Value* flat = spread(e, b().CreateNSWAdd(b().CreateNSWMul(r, counts_[kLanes]), begin));
      flat = b().CreateNSWAdd(flat, b().CreateNSWMul(iteration, spread(e, step)));
      return period == 1 ? flat : b().CreateUDiv(flat, spread(e, i64(period)));
    };
    const Values total = emit_loop(
        b(), row, counts_[kRowTotal], row_step,
        values_of(start(e, index_first(row, begin, period))), [&](Value* r, const Values& carried) {
          const Place place = row_place(outer, r);
          if (!counts_iterations())
            return emit_spread_loop(e, iterations, carried, [&](Value* iteration, Value*&) {
              return Step{place, lane_at(iteration)};
            });
          Running best = emit_indexed_loop(
              e, iterations, [&](Value* iteration) { return Step{place, lane_at(iteration)}; },
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

  void emit_gathered() {
    ElementEmitter e(b(), 1);
    GroupEmitter g(m_);
    Value *items = i64(k_.items), *item = g.item();
    Value* chunk = b().CreateURem(g.group(), counts_[kChunks]);
    const Place outer = outer_place(b().CreateUDiv(g.group(), counts_[kChunks]));
    Value* piece = b().CreateURem(chunk, counts_[kChunksPerRow]);
    Value* row =
        b().CreateNSWMul(b().CreateUDiv(chunk, counts_[kChunksPerRow]), counts_[kRowsPerChunk]);
    Value* row_end = smaller(b().CreateNSWAdd(row, counts_[kRowsPerChunk]), counts_[kRowTotal]);
    Value* first = b().CreateNSWMul(piece, counts_[kLanesPerChunk]);
    Value* begin = b().CreateNSWAdd(first, item);
    Value* end = smaller(b().CreateNSWAdd(first, counts_[kLanesPerChunk]), counts_[kLanes]);
    Value* iterations = iterations_of(smaller(begin, end), end, items);
    auto lane_at = [&](Value* iteration) {
      return b().CreateNSWAdd(begin, b().CreateNSWMul(iteration, items));
    };
    auto index_of = [&](Value* r, Value* iteration) {
      return b().CreateNSWAdd(b().CreateNSWMul(r, counts_[kLanes]), lane_at(iteration));
    };
    // An item without elements must not win against any other item.
    Value* nothing = b().CreateSelect(b().CreateICmpSGT(iterations, i64(0)), index_of(row, i64(0)),
                                      i64(INT64_MAX));
    const Values own = emit_loop(
        b(), row, row_end, i64(1), values_of(start(e, nothing)),
        [&](Value* r, const Values& carried) {
          const Place place = row_place(outer, r);
          auto at = [&](Value* iteration) { return Step{place, lane_at(iteration)}; };
          if (!counts_iterations())
            return emit_spread_loop(e, iterations, carried,
                                    [&](Value* iteration, Value*&) { return at(iteration); });
          Running best = emit_indexed_loop(e, iterations, at, [&](const Step& s) {
            return Step{place, b().CreateNSWAdd(s.lane, items)};
          });
          best.index = b().CreateSelect(b().CreateICmpSGT(iterations, i64(0)),
                                        index_of(r, best.index), i64(INT64_MAX));
          return values_of(combine(e, running_of(carried), best));
        });
    const Running all = gathered(e, g, running_of(own));
    emit_if(b(), b().CreateICmpEQ(item, i64(0)), {}, [&](const Values&) {
      store(e, all, chunk_output(outer, chunk));
      return Values{};
    });
  }

  // Combines the results of all items in order, sixteen at a time. Item 0 gets the total.
  Running gathered(ElementEmitter& e, GroupEmitter& g, Running own) {
    constexpr int64_t kFan = 16;
    const DType t = combiner_.dtype();
    const int parts = is_complex(t) ? 2 : 1, count = static_cast<int>(k_.items);
    Value* values = g.local_array(e.memory_type(t), count * parts);
    Value* indices = own.index ? g.local_array(b().getInt64Ty(), count) : nullptr;
    Value* item = g.item();
    for (int64_t left = k_.items, fan = 0; left > 1; left /= fan) {
      fan = std::min(left, kFan);
      auto only_first = [&](int64_t many, const std::function<Values()>& body) {
        return emit_if(b(), b().CreateICmpULT(item, i64(many)), values_of(own),
                       [&](const Values&) { return body(); });
      };
      only_first(left, [&] {
        e.store(t, own.value, values, item);
        if (indices) e.store(DType::kInt64, {own.index}, indices, item);
        return values_of(own);
      });
      g.barrier();
      own = running_of(only_first(left / fan, [&] {
        Running sum;
        for (int64_t n = 0; n < fan; ++n) {
          Value* at = b().CreateNSWAdd(b().CreateNSWMul(item, i64(fan)), i64(n));
          Running next{e.load(t, values, at)};
          if (indices) next.index = e.load(DType::kInt64, indices, at).re;
          sum = n == 0 ? next : across(e, sum, next);
        }
        return values_of(sum);
      }));
      g.barrier();
    }
    return own;
  }

  // Combines the results of two items, whose elements are interleaved.
  Running across(ElementEmitter& e, const Running& x, const Running& y) {
    return x.index ? combiner_.any_order(b(), e, x, y) : combiner_.in_order(b(), e, x, y);
  }

  void emit_one_column() {
    const bool in_pairs = k_.block == 2;
    ElementEmitter e(b(), in_pairs ? 2 : 1, in_pairs);
    Value* item = m_.global_id(0);
    Value* lane = b().CreateNSWMul(m_.global_id(1), i64(k_.block));
    Value* chunks = counts_[kChunks];
    Value* chunk = b().CreateURem(item, chunks);
    const Place outer = outer_place(b().CreateUDiv(item, chunks));
    Value* iterations = iterations_of(chunk, counts_[kRowTotal], chunks);
    auto row_at = [&](Value* iteration) {
      return b().CreateNSWAdd(chunk, b().CreateNSWMul(iteration, chunks));
    };
    auto at = [&](Value* iteration) { return Step{row_place(outer, row_at(iteration)), lane}; };
    Value* out = b().CreateNSWAdd(chunk_output(outer, chunk), lane);
    if (!counts_iterations() || k_.row_rank != 1) {
      const Values total = emit_spread_loop(e, iterations, values_of(start(e, chunk)),
                                            [&](Value* iteration, Value*& index) {
                                              index = row_at(iteration);
                                              return at(iteration);
                                            });
      return store(e, running_of(total), out);
    }
    Running best = emit_indexed_loop(e, iterations, at, [&](const Step& s) {
      Step next = s;
      for (size_t w = 0; w < next.place.offsets.size(); ++w)
        next.place.offsets[w] =
            b().CreateNSWAdd(next.place.offsets[w], b().CreateNSWMul(chunks, row_strides_[w][0]));
      return next;
    });
    best.index = row_at(best.index);
    store(e, best, out);
  }
};

}  // namespace

target::KernelModule emit_spread(const ReduceForm& form) { return SpreadEmitter(form).run(); }

}  // namespace hither::array
