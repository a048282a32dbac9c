#include "array/emit/group_tiles.h"

#include <algorithm>
#include <functional>

#include "array/emit/group.h"
#include "array/emit/tiles_frame.h"

namespace hither::array {

namespace {

constexpr int kBankBytes = 4;
// Rows of the square whose loads overlap.
constexpr int kTogether = 4;

class GroupTileEmitter final : public TileFrame {
 public:
  explicit GroupTileEmitter(const KernelForm& form)
      : TileFrame(form), side_(group_tile_side(form)), step_(kGroupTileItems / side_) {}

 private:
  void finish(target::KernelModule& module) override {
    module.local_size[0] = kGroupTileItems;
    module.local_size[1] = module.local_size[2] = 1;
  }

  void emit_square() override {
    GroupEmitter g(m_);
    find_square(g);
    // An item has one coordinate along one side, and every step_-th coordinate of the other side.
    along_ = b().CreateAnd(g.item(), i64(side_ - 1));
    first_ = b().CreateUDiv(g.item(), i64(side_));
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access == Access::kAcross)
        squares_[i] = g.local_array(
            b().getInt8Ty(), static_cast<int>(side_ * pitch(dtype_of(i)) * size_of(dtype_of(i))));
    Value* whole =
        b().CreateAnd(b().CreateICmpEQ(rows_, i64(side_)), b().CreateICmpEQ(columns_, i64(side_)));
    either(whole, [&] {
      for (int i = 0; i < c_.leaf_count; ++i)
        if (squares_[i]) fill(i);
    });
    g.barrier();
    either(whole, [&] {
      emit_loop(b(), i64(0), i64(side_), i64(kTogether * step_), {},
                [&](Value* start, const Values&) {
                  compute(add(start, first_));
                  return Values{};
                });
    });
  }

  // Emits `work` twice: for whole squares, and for squares at the edges, where whole_ is false.
  void either(Value* whole, const std::function<void()>& work) {
    for (bool now : {true, false}) {
      whole_ = now;
      emit_if(b(), now ? whole : b().CreateNot(whole), {}, [&](const Values&) {
        work();
        return Values{};
      });
    }
  }

  // Computes the group's square in 32 bits, which suffice for the number of groups.
  void find_square(GroupEmitter& g) {
    auto i32 = [&](Value* x) { return b().CreateTrunc(x, b().getInt32Ty()); };
    auto squares = [&](int d) {
      return i32(b().CreateUDiv(add(extents_[d], i64(side_ - 1)), i64(side_)));
    };
    auto wide = [&](Value* x) { return b().CreateZExt(x, b().getInt64Ty()); };
    Value *down = squares(c_.tile), *across = squares(rank_ - 1), *group = i32(g.group());
    Value* line = b().CreateUDiv(group, across);
    locate(wide(b().CreateUDiv(line, down)), wide(b().CreateURem(line, down)),
           wide(b().CreateURem(group, across)), side_);
  }

  // Distance between successive lines of a square in local memory. Neighbouring lines use different
  // banks.
  int64_t pitch(DType t) const { return side_ + std::max(1, kBankBytes / size_of(t)); }

  // The index clamped to the array, so that loads need no condition and can overlap.
  Value* within(Value* x, Value* count) {
    if (whole_) return x;
    return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, b().CreateNSWSub(count, i64(1)));
  }

  // The addresses of the item's elements in a square with `count` rows (columns, if not `down`):
  // index `first`, and every step_-th one after it.
  Values places(const Walk& walk, bool down, Value* first, int64_t count) {
    Value* along = within(along_, down ? columns_ : rows_);
    auto at = [&](Value* line) {
      line = within(line, down ? rows_ : columns_);
      return down ? place(walk, line, along) : place(walk, along, line);
    };
    Value* step = times(i64(step_), walk.strides[down ? c_.tile : rank_ - 1]);
    Values found{at(first)};
    for (int64_t k = 1; k < count; ++k)
      found.push_back(whole_ ? add(found.back(), step) : at(add(first, i64(k * step_))));
    return found;
  }

  // Stores columns of the leaf as lines of local memory.
  void fill(int leaf) {
    const DType t = dtype_of(leaf);
    ElementEmitter one(b(), 1);
    llvm::SmallVector<Element, 16> column;
    for (Value* at : places(leaves_[leaf], false, first_, side_ / step_))
      column.push_back(one.load(t, producers_.address(leaf), at));
    for (size_t k = 0; k < column.size(); ++k)
      one.store(
          t, column[k], squares_[leaf],
          add(times(add(first_, i64(static_cast<int64_t>(k) * step_)), i64(pitch(t))), along_));
  }

  // Computes the item's elements of kTogether rows, starting at row `first`.
  void compute(Value* first) {
    ElementEmitter e(b(), 1);
    Element loaded[kTogether][kMaxLeaves];
    for (int i = 0; i < c_.leaf_count; ++i) {
      const DType t = c_.leaves[i].dtype;
      const bool is_across = c_.leaves[i].access == Access::kAcross;
      const Values global = is_across ? Values() : places(walk_of(i), true, first, kTogether);
      Value* line = is_across ? add(times(along_, i64(pitch(t))), first) : nullptr;
      for (int k = 0; k < kTogether; ++k)
        loaded[k][i] = is_across ? e.load(t, squares_[i], add(line, i64(k * step_)))
                                 : e.load(t, producers_.address(i), global[static_cast<size_t>(k)]);
    }
    const Values at = places(linear_, true, first, kTogether);
    const Values at_root = c_.root_strided ? places(root_, true, first, kTogether) : at;
    for (int k = 0; k < kTogether; ++k) {
      auto one = [&] {
        compute_one(e, loaded[k], at[static_cast<size_t>(k)], at_root[static_cast<size_t>(k)]);
      };
      if (whole_) {
        one();
        continue;
      }
      Value* there = b().CreateAnd(b().CreateICmpSLT(add(first, i64(k * step_)), rows_),
                                   b().CreateICmpSLT(along_, columns_));
      emit_if(b(), there, {}, [&](const Values&) {
        one();
        return Values{};
      });
    }
  }

  void compute_one(ElementEmitter& e, const Element* loaded, Value* at, Value* at_root) {
    Element values[kMaxNodes];
    DType dtype;
    producers_.evaluate(
        e, c_.root(), dtype, [&](int leaf) { return loaded[leaf]; }, [&] { return at; }, values);
    for (int i = 0; i < c_.output_count; ++i)
      e.store(c_.nodes[c_.outputs[i]].dtype, values[c_.outputs[i]], outputs_[i],
              i == c_.output_count - 1 ? at_root : at);
  }

  const int64_t side_, step_;
  Value *along_ = nullptr, *first_ = nullptr;
  bool whole_ = false;
  Value* squares_[kMaxLeaves] = {};
};

}  // namespace

target::KernelModule emit_group_tiles(const KernelForm& form) {
  return GroupTileEmitter(form).run();
}

}  // namespace hither::array
