#include "array/emit/tiles.h"

#include <algorithm>
#include <vector>

#include "array/emit/tiles_frame.h"

namespace hither::array {

namespace {

using llvm::Value;
using Values = std::vector<Value*>;

// Number of lanes of a vector, and side of the blocks that are transposed in registers: a cache
// line of the largest element. Few lanes suffice where the compiler vectorises over work-items:
// Intel's OpenCL took 7.4 s for 16 lanes and 0.4 s for 4, with equally fast kernels.
int lanes_of(const KernelForm& c, bool few_vectors) {
  if (few_vectors) return 4;
  int bytes = 4;
  for (int i = 0; i < c.node_count; ++i)
    bytes = std::max({bytes, size_of(c.nodes[i].dtype), size_of(c.nodes[i].compute)});
  for (int i = 0; i < c.leaf_count; ++i) bytes = std::max(bytes, size_of(c.leaves[i].dtype));
  return bytes > 4 ? 8 : 16;
}

// Transposes a square of vectors. Each round exchanges one bit of the row number with one bit of
// the column number.
void transpose(llvm::IRBuilder<>& b, Values& square) {
  const int n = static_cast<int>(square.size());
  llvm::SmallVector<int, 16> low, high;
  for (int i = 0; i < n / 2; ++i) {
    low.append({i, n + i});
    high.append({n / 2 + i, n + n / 2 + i});
  }
  for (int round = n; round > 1; round /= 2) {
    Values next;
    for (int k = 0; k < n / 2; ++k)
      for (const auto& half : {low, high})
        next.push_back(b.CreateShuffleVector(
            square[static_cast<size_t>(k)],
            square[static_cast<size_t>(k) + static_cast<size_t>(n) / 2], half));
    square = std::move(next);
  }
}

class SquareEmitter final : public TileFrame {
 public:
  SquareEmitter(const KernelForm& form, bool few_vectors)
      : TileFrame(form), lanes_(lanes_of(form, few_vectors)) {}

 private:
  void emit_square() override {
    locate(m_.global_id(0), m_.global_id(1), m_.global_id(2), kTileSide);
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access == Access::kAcross) fill(i);
    compute();
  }

  void finish(target::KernelModule& module) override { module.independent_items = true; }

  Value* whole_vectors(Value* length) {
    return b().CreateNSWSub(length, b().CreateURem(length, i64(lanes_)));
  }

  // Copies the square of a leaf into private memory, transposed.
  void fill(int leaf) {
    const DType t = dtype_of(leaf);
    llvm::BasicBlock& entry = m_.function()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    auto* square = at_entry.CreateAlloca(llvm::ArrayType::get(
        at_entry.getInt8Ty(), static_cast<uint64_t>(kTileSide * kTileSide * size_of(t))));
    square->setAlignment(llvm::Align(64));
    squares_[leaf] = square;
    const Walk& walk = leaves_[leaf];
    Value* base = producers_.address(leaf);
    auto from = [&](Value* row, Value* column) { return place(walk, row, column); };
    auto to = [&](Value* row, Value* column) { return add(times(row, i64(kTileSide)), column); };
    Value* full_rows = whole_vectors(rows_);
    Value* full_columns = whole_vectors(columns_);
    ElementEmitter e(b(), lanes_), one(b(), 1);
    auto block = [&](Value* row, Value* column) {
      Values lines;
      for (int k = 0; k < lanes_; ++k)
        lines.push_back(e.load(t, base, from(row, add(column, i64(k)))).re);
      transpose(b(), lines);
      for (int k = 0; k < lanes_; ++k)
        e.store(t, {lines[static_cast<size_t>(k)]}, square, to(add(row, i64(k)), column));
    };
    emit_loop(b(), i64(0), full_columns, i64(lanes_), {}, [&](Value* column, const Values&) {
      emit_loop(b(), i64(0), full_rows, i64(lanes_), {}, [&](Value* row, const Values&) {
        block(row, column);
        return Values{};
      });
      return Values{};
    });
    // The remaining rows and columns at the edges of the array.
    emit_loop(b(), i64(0), rows_, i64(1), {}, [&](Value* row, const Values&) {
      Value* begin = b().CreateSelect(b().CreateICmpSLT(row, full_rows), full_columns, i64(0));
      emit_loop(b(), begin, columns_, i64(1), {}, [&](Value* column, const Values&) {
        one.store(t, one.load(t, base, from(row, column)), square, to(row, column));
        return Values{};
      });
      return Values{};
    });
  }

  Element load(ElementEmitter& e, int leaf, Value* row, Value* column, Value* mask) {
    const FormLeaf& l = c_.leaves[leaf];
    if (l.access == Access::kAcross)
      return e.load(l.dtype, squares_[leaf], add(times(row, i64(kTileSide)), column), nullptr,
                    mask);
    const Walk& walk = walk_of(leaf);
    Value* at = add(walk.first, times(row, walk.strides[c_.tile]));
    Value* base = producers_.address(leaf);
    if (l.access == Access::kRepeat) {
      ElementEmitter one(b(), 1);
      Element x = one.load(l.dtype, base, at);
      for (Value** part : {&x.re, &x.im})
        if (*part) *part = b().CreateVectorSplat(static_cast<unsigned>(lanes_), *part);
      return x;
    }
    Value* stride = walk.strides[rank_ - 1];
    const bool unit = l.access == Access::kLinear || l.access == Access::kUnit;
    return e.load(l.dtype, base, add(at, times(column, stride)), unit ? nullptr : stride, mask);
  }

  // Computes the vector of one row that starts at `column`.
  void compute_vector(Value* row, Value* column, Value* mask) {
    ElementEmitter e(b(), lanes_);
    Value* at = add(add(linear_.first, times(row, linear_.strides[c_.tile])), column);
    auto positions = [&]() -> Value* {
      return b().CreateAdd(b().CreateVectorSplat(static_cast<unsigned>(lanes_), at),
                           b().CreateStepVector(e.widen(b().getInt64Ty())));
    };
    Element values[kMaxNodes];
    DType dtype;
    producers_.evaluate(
        e, c_.root(), dtype, [&](int leaf) { return load(e, leaf, row, column, mask); }, positions,
        values);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      Value* where = at;
      if (c_.root_strided && i == c_.output_count - 1)
        where = add(add(root_.first, times(row, root_.strides[c_.tile])), column);
      e.store(c_.nodes[slot].dtype, values[slot], outputs_[i], where, mask);
    }
  }

  void compute() {
    Value* full = whole_vectors(columns_);
    Value* rest = b().CreateNSWSub(columns_, full);
    llvm::Type* lanes = llvm::FixedVectorType::get(b().getInt64Ty(), static_cast<unsigned>(lanes_));
    Value* mask = b().CreateICmpULT(b().CreateStepVector(lanes),
                                    b().CreateVectorSplat(static_cast<unsigned>(lanes_), rest));
    emit_loop(b(), i64(0), rows_, i64(1), {}, [&](Value* row, const Values&) {
      emit_loop(b(), i64(0), full, i64(lanes_), {}, [&](Value* column, const Values&) {
        compute_vector(row, column, nullptr);
        return Values{};
      });
      emit_if(b(), b().CreateICmpNE(rest, i64(0)), {}, [&](const Values&) {
        compute_vector(row, full, mask);
        return Values{};
      });
      return Values{};
    });
  }

  const int lanes_;
  Value* squares_[kMaxLeaves] = {};
};

}  // namespace

target::KernelModule emit_tiles(const KernelForm& form, bool few_vectors) {
  return SquareEmitter(form, few_vectors).run();
}

}  // namespace hither::array
