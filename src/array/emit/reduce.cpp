#include "array/emit/reduce.h"

#include "array/emit/reduce_frame.h"
#include "array/emit/reduce_spread.h"

namespace hither::array {

namespace {

/// Emits the forms whose items walk memory in vectors.
class StageEmitter final : public StageFrame {
 public:
  using StageFrame::StageFrame;

 private:
  void emit_item() override {
    if (k_.pattern == ReducePattern::kShort)
      emit_short();
    else if (k_.pattern == ReducePattern::kRows)
      emit_rows();
    else
      emit_columns();
  }

  Place short_place() {
    if (k_.outer_rank < 2 || k_.outer_rank > 3 || k_.in_line) return outer_place(m_.global_id(0));
    Place place{Values(walks_.size(), i64(0))};
    for (int d = 0; d < k_.outer_rank; ++d) {
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
    Running acc = combiner_.first(b(), e, operand(e, place, i64(0), nullptr, i64(0)));
    for (int64_t r = 1; r < k_.short_extent; ++r)
      acc = combine(e, acc, operand(e, place, i64(r), nullptr, i64(r)));
    store(e, acc, place.offsets.back());
  }

  void emit_rows() {
    const int width = k_.width, period = static_cast<int>(k_.period);
    ElementEmitter e(b(), width);
    const Place outer = outer_place(m_.global_id(0));
    Value* chunk = m_.global_id(1);
    Value* row =
        b().CreateMul(b().CreateUDiv(chunk, counts_[kChunksPerRow]), counts_[kRowsPerChunk]);
    Value* row_end = smaller(b().CreateNSWAdd(row, counts_[kRowsPerChunk]), counts_[kRowTotal]);
    Value* begin =
        b().CreateMul(b().CreateURem(chunk, counts_[kChunksPerRow]), counts_[kLanesPerChunk]);
    Value* end = smaller(b().CreateNSWAdd(begin, counts_[kLanesPerChunk]), counts_[kLanes]);
    // Every row has the same whole vectors, and possibly one partial vector.
    Value* length = b().CreateNSWSub(end, begin);
    Value* rest = b().CreateURem(length, i64(width));
    Value* full_end = b().CreateNSWSub(end, rest);
    Value* first = b().CreateNSWAdd(b().CreateNSWMul(row, counts_[kLanes]), begin);
    // 32-bit indices suffice inside a chunk.
    const bool narrow = combiner_.with_index() && !k_.pairs && period == 1;
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
            else if (combiner_.with_index() && !k_.pairs)
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
    Running folded = combiner_.fold(b(), running_of(total), width, period);
    if (narrow)
      folded.index = b().CreateNSWAdd(first, b().CreateZExt(folded.index, b().getInt64Ty()));
    ElementEmitter out(b(), period);
    store(out, folded, chunk_output(outer, chunk));
  }

  Value* flat_index(ElementEmitter& e, Value* first, int period) {
    Value* flat = count_from(e, first);
    return period == 1 ? flat : b().CreateUDiv(flat, spread(e, i64(period)));
  }

  // Private accumulators of a block of kept elements. The block is padded to whole vectors.
  struct Block {
    Value* values = nullptr;
    Value* indices = nullptr;
  };

  Block allocate_block() {
    llvm::BasicBlock& entry = m_.function()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    const auto count = static_cast<uint64_t>((k_.block + k_.width - 1) / k_.width * k_.width);
    const auto bytes = count * static_cast<uint64_t>(size_of(combiner_.dtype()));
    auto array = [&](uint64_t n) {
      auto* slot = at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt8Ty(), n));
      slot->setAlignment(llvm::Align(64));
      return slot;
    };
    return {array(bytes), combiner_.with_index() ? array(count * 8) : nullptr};
  }

  Running load_block(ElementEmitter& e, const Block& block, Value* at) {
    Running r{e.load(combiner_.dtype(), block.values, at)};
    if (block.indices) r.index = e.load(DType::kInt64, block.indices, at).re;
    return r;
  }

  void store_block(ElementEmitter& e, const Block& block, Value* at, const Running& r) {
    e.store(combiner_.dtype(), r.value, block.values, at);
    if (block.indices) e.store(DType::kInt64, {r.index}, block.indices, at);
  }

  // Calls body(lane, index in the block, mask) for every vector of the block. The last one may be
  // masked.
  void for_block(Value* first, Value* length,
                 const std::function<void(Value*, Value*, Value*)>& body) {
    ElementEmitter e(b(), k_.width);
    Value* rest = b().CreateURem(length, i64(k_.width));
    Value* full = b().CreateNSWSub(length, rest);
    emit_loop(b(), i64(0), full, i64(k_.width), {}, [&](Value* at, const Values&) {
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
    ElementEmitter e(b(), k_.width);
    const Block block = allocate_block();
    Value* item = m_.global_id(0);
    Value* chunk = b().CreateURem(item, counts_[kChunks]);
    const Place outer = outer_place(b().CreateUDiv(item, counts_[kChunks]));
    Value* first = b().CreateNSWMul(m_.global_id(1), counts_[kBlock]);
    Value* length =
        b().CreateNSWSub(smaller(b().CreateNSWAdd(first, counts_[kBlock]), counts_[kLanes]), first);
    Value* row = b().CreateNSWMul(chunk, counts_[kRowsPerChunk]);
    Value* row_end = smaller(b().CreateNSWAdd(row, counts_[kRowsPerChunk]), counts_[kRowTotal]);
    Value* padded = b().CreateNSWAdd(length, i64(k_.width - 1));
    emit_loop(b(), i64(0), b().CreateNSWSub(padded, b().CreateURem(padded, i64(k_.width))),
              i64(k_.width), {}, [&](Value* at, const Values&) {
                store_block(e, block, at, start(e, row));
                return Values{};
              });
    // A few rows at a time are combined in registers, so that rows are read in long runs and
    // accumulators are read and written less often.
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
};

}  // namespace

target::KernelModule emit(const ReduceForm& form) {
  const bool spread = form.pattern == ReducePattern::kSpreadRows ||
                      form.pattern == ReducePattern::kOneColumn || form.in_groups();
  return spread ? emit_spread(form) : StageEmitter(form).run();
}

}  // namespace hither::array
