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
    else if (k_.pattern == ReducePattern::kGatheredColumns)
      emit_gathered_columns();
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
    ElementEmitter e(b(), 1);
    const Place outer = outer_place(m_.global_id(0));
    Value* chunk = m_.global_id(1);
    Value* step = counts_[kChunksPerRow];
    Value* row = b().CreateUDiv(chunk, step);
    Value* row_step = b().CreateUDiv(counts_[kChunks], step);
    Value* begin = b().CreateURem(chunk, step);
    Value* iterations = iterations_of(begin, counts_[kLanes], step);
    auto lane_at = [&](Value* iteration) {
      return b().CreateNSWAdd(begin, b().CreateNSWMul(iteration, step));
    };
    auto index_of = [&](Value* r, Value* lane) {
      return b().CreateNSWAdd(b().CreateNSWMul(r, counts_[kLanes]), lane);
    };
    const Values total = emit_loop(
        b(), row, counts_[kRowTotal], row_step, values_of(start(e, index_of(row, begin))),
        [&](Value* r, const Values& carried) {
          const Place place = row_place(outer, r);
          if (!counts_iterations())
            return emit_spread_loop(e, iterations, carried, [&](Value* iteration, Value*&) {
              return Step{place, lane_at(iteration)};
            });
          Running best = emit_indexed_loop(
              e, iterations, [&](Value* iteration) { return Step{place, lane_at(iteration)}; },
              [&](const Step& s) { return Step{place, b().CreateNSWAdd(s.lane, step)}; });
          best.index = index_of(r, lane_at(best.index));
          return values_of(combine(e, running_of(carried), best));
        });
    store(e, running_of(total), chunk_output(outer, chunk));
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
    const Running all = gathered(e, g, running_of(own), 1);
    emit_if(b(), b().CreateICmpEQ(item, i64(0)), {}, [&](const Values&) {
      store(e, all, chunk_output(outer, chunk));
      return Values{};
    });
  }

  // Combines the results of items i, i + columns, i + 2 columns, ... in order, sixteen at a time.
  // The first `columns` items get the totals. Each column has a power of two of items.
  Running gathered(ElementEmitter& e, GroupEmitter& g, Running own, int64_t columns) {
    constexpr int64_t kFan = 16;
    const DType t = combiner_.dtype();
    const int parts = is_complex(t) ? 2 : 1, count = static_cast<int>(k_.items);
    Value* values = g.local_array(e.memory_type(t), count * parts);
    Value* indices = own.index ? g.local_array(b().getInt64Ty(), count) : nullptr;
    Value *item = g.item(), *column = b().CreateURem(item, i64(columns));
    Value* row = b().CreateUDiv(item, i64(columns));
    for (int64_t left = k_.items / columns, fan = 0; left > 1; left /= fan) {
      fan = std::min(left, kFan);
      auto only_first = [&](int64_t many, const std::function<Values()>& body) {
        return emit_if(b(), b().CreateICmpULT(item, i64(many * columns)), values_of(own),
                       [&](const Values&) { return body(); });
      };
      only_first(left, [&] {
        e.store(t, own.value, values, item);
        if (indices) e.store(DType::kInt64, {own.index}, indices, item);
        return values_of(own);
      });
      g.barrier();
      own = running_of(only_first(left / fan, [&] {
        Value* first = b().CreateNSWAdd(b().CreateNSWMul(row, i64(fan * columns)), column);
        Running sum;
        for (int64_t n = 0; n < fan; ++n) {
          Value* at = b().CreateNSWAdd(first, i64(n * columns));
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

  // The rows of a column that an item reads: row `begin` and every `step`th row after it.
  struct Column {
    Place outer;
    Value *lane, *begin, *step, *iterations;
  };

  Running emit_column(ElementEmitter& e, const Column& c) {
    auto row_at = [&](Value* iteration) {
      return b().CreateNSWAdd(c.begin, b().CreateNSWMul(iteration, c.step));
    };
    auto at = [&](Value* iteration) { return Step{row_place(c.outer, row_at(iteration)), c.lane}; };
    // An item without elements must not win against any other item.
    auto known = [&](Value* index) {
      return b().CreateSelect(b().CreateICmpSGT(c.iterations, i64(0)), index, i64(INT64_MAX));
    };
    if (!counts_iterations() || k_.row_rank != 1)
      return running_of(emit_spread_loop(e, c.iterations, values_of(start(e, known(c.begin))),
                                         [&](Value* iteration, Value*& index) {
                                           index = row_at(iteration);
                                           return at(iteration);
                                         }));
    Running best = emit_indexed_loop(e, c.iterations, at, [&](const Step& s) {
      Step next = s;
      for (size_t w = 0; w < next.place.offsets.size(); ++w)
        next.place.offsets[w] =
            b().CreateNSWAdd(next.place.offsets[w], b().CreateNSWMul(c.step, row_strides_[w][0]));
      return next;
    });
    best.index = known(row_at(best.index));
    return best;
  }

  void emit_one_column() {
    const bool in_pairs = k_.block == 2;
    ElementEmitter e(b(), in_pairs ? 2 : 1, in_pairs);
    Value *item = m_.global_id(0), *block = nullptr;
    if (k_.in_line) {
      Value* blocks = b().CreateUDiv(counts_[kLanes], i64(k_.block));
      block = b().CreateURem(item, blocks);
      item = b().CreateUDiv(item, blocks);
    } else {
      block = m_.global_id(1);
    }
    Value* lane = b().CreateNSWMul(block, i64(k_.block));
    Value* chunks = counts_[kChunks];
    Value* chunk = b().CreateURem(item, chunks);
    const Place outer = outer_place(b().CreateUDiv(item, chunks));
    Value* iterations = iterations_of(chunk, counts_[kRowTotal], chunks);
    store(e, emit_column(e, {outer, lane, chunk, chunks, iterations}),
          b().CreateNSWAdd(chunk_output(outer, chunk), lane));
  }

  void emit_gathered_columns() {
    ElementEmitter e(b(), 1);
    GroupEmitter g(m_);
    Value *columns = i64(k_.block), *item = g.item(), *step = i64(k_.items / k_.block);
    Value* blocks = b().CreateUDiv(b().CreateNSWAdd(counts_[kLanes], i64(k_.block - 1)), columns);
    Value* lane = b().CreateNSWAdd(b().CreateNSWMul(b().CreateURem(g.group(), blocks), columns),
                                   b().CreateURem(item, columns));
    Value* chunk = b().CreateUDiv(g.group(), blocks);
    const Place outer = outer_place(b().CreateUDiv(chunk, counts_[kChunks]));
    chunk = b().CreateURem(chunk, counts_[kChunks]);
    Value* first = b().CreateNSWMul(chunk, counts_[kRowsPerChunk]);
    Value* begin = b().CreateNSWAdd(first, b().CreateUDiv(item, columns));
    Value* end = smaller(b().CreateNSWAdd(first, counts_[kRowsPerChunk]), counts_[kRowTotal]);
    Value* is_column = b().CreateICmpSLT(lane, counts_[kLanes]);
    end = b().CreateSelect(is_column, end, begin);  // the last block may have fewer columns
    Value* iterations = iterations_of(smaller(begin, end), end, step);
    const Running all =
        gathered(e, g, emit_column(e, {outer, lane, begin, step, iterations}), k_.block);
    Value* stores = b().CreateAnd(is_column, b().CreateICmpULT(item, columns));
    emit_if(b(), stores, {}, [&](const Values&) {
      store(e, all, b().CreateNSWAdd(chunk_output(outer, chunk), lane));
      return Values{};
    });
  }
};

}  // namespace

target::KernelModule emit_spread(const ReduceForm& form) { return SpreadEmitter(form).run(); }

}  // namespace hither::array
