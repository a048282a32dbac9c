#include "array/emit_reduce_spread.h"

#include "array/emit_reduce_frame.h"

namespace hither::array {

namespace {

class SpreadEmitter final : public StageFrame {
 public:
  using StageFrame::StageFrame;

 private:
  void emit_item() override {
    if (s_.form == ReduceForm::kSpreadRows)
      emit_spread_rows();
    else
      emit_one_column();
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
};

}  // namespace

target::KernelModule emit_spread(const ReduceKernel& kernel) { return SpreadEmitter(kernel).run(); }

}  // namespace hither::array
