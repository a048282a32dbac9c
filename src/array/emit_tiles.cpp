#include "array/emit_tiles.h"

#include <algorithm>
#include <vector>

#include "array/emit_producers.h"
#include "array/user_function.h"

namespace hither::array {

namespace {

using llvm::Value;
using Values = std::vector<Value*>;

// Lanes of a vector, and so the side of what is transposed at a time: a cache line of the largest
// element. SPIR-V's compilers have lanes of their own, work-items, and get few: Intel's took 7.4 s
// for 16 and 0.4 s for 4, whose kernels are no slower.
int lanes_of(const Cluster& c, target::TargetKind kind) {
  if (kind == target::TargetKind::kSpirv) return 4;
  int bytes = 4;
  for (int i = 0; i < c.node_count; ++i)
    bytes = std::max({bytes, size_of(c.nodes[i]->dtype), size_of(c.nodes[i]->compute)});
  for (int i = 0; i < c.leaf_count; ++i) bytes = std::max(bytes, size_of(c.leaves[i].dtype));
  return bytes > 4 ? 8 : 16;
}

// Vectors of a square become vectors of its other direction: each round moves one bit of the row's
// number to the column's.
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
        next.push_back(b.CreateShuffleVector(square[static_cast<size_t>(k)],
                                             square[static_cast<size_t>(k + n / 2)], half));
    square = std::move(next);
  }
}

class TileEmitter {
 public:
  TileEmitter(const Cluster& cluster, target::TargetKind kind)
      : c_(cluster),
        producers_(cluster),
        m_("hither_tiles"),
        rank_(cluster.extents.size()),
        lanes_(lanes_of(cluster, kind)) {}

  target::KernelModule run() {
    declare_parameters();
    m_.begin();
    take_parameters();
    locate();
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access == Access::kAcross) fill(i);
    compute();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, c_);
    module.independent_items = true;
    return module;
  }

 private:
  /// How one buffer is addressed: the offset of the square's first element, then strides.
  struct Walk {
    Value* strides[kMaxRank];
    Value* first = nullptr;
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Value* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  Value* add(Value* x, Value* y) { return b().CreateNSWAdd(x, y); }
  Value* times(Value* x, Value* y) { return b().CreateNSWMul(x, y); }

  void declare_parameters() {
    for (int i = 0; i < c_.output_count; ++i) m_.parameter(target::Parameter::kPointer);
    producers_.declare(m_);
    int integers = rank_;
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access != Access::kLinear) integers += rank_;
    if (c_.root_strided) integers += rank_;
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take_parameters() {
    for (int i = 0; i < c_.output_count; ++i) outputs_[i] = m_.next_parameter();
    producers_.take(m_);
    auto take = [&](Walk& walk, Access access) {
      for (int d = 0; d < rank_; ++d) walk.strides[d] = m_.next_parameter();
      walk.strides[rank_ - 1] = stride_of(b(), access, walk.strides[rank_ - 1]);
    };
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access != Access::kLinear) take(leaves_[i], c_.leaves[i].access);
    if (c_.root_strided) take(root_, c_.root_access);
    for (int d = 0; d < rank_; ++d) extents_[d] = m_.next_parameter();
    linear_.strides[rank_ - 1] = i64(1);
    for (int d = rank_ - 1; d > 0; --d)
      linear_.strides[d - 1] = times(linear_.strides[d], extents_[d]);
  }

  Walk& walk_of(int leaf) {
    return c_.leaves[leaf].access == Access::kLinear ? linear_ : leaves_[leaf];
  }

  // Where the item's square begins, and how much of it there is.
  void locate() {
    llvm::SmallVector<Walk*, 4> walks{&linear_};
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access != Access::kLinear) walks.push_back(&leaves_[i]);
    if (c_.root_strided) walks.push_back(&root_);
    Values extents;
    std::vector<Values> strides(walks.size());
    for (int d = 0; d < rank_ - 1; ++d) {
      if (d == c_.tile) continue;
      extents.push_back(extents_[d]);
      for (size_t w = 0; w < walks.size(); ++w) strides[w].push_back(walks[w]->strides[d]);
    }
    const Values outer = emit_offsets(b(), m_.global_id(0), extents, strides);
    Value* row = times(m_.global_id(1), i64(kTileSide));
    Value* column = times(m_.global_id(2), i64(kTileSide));
    for (size_t w = 0; w < walks.size(); ++w)
      walks[w]->first = add(outer[w], add(times(row, walks[w]->strides[c_.tile]),
                                          times(column, walks[w]->strides[rank_ - 1])));
    auto rest = [&](int d, Value* begin) {
      return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, b().CreateNSWSub(extents_[d], begin),
                                       i64(kTileSide));
    };
    rows_ = rest(c_.tile, row);
    columns_ = rest(rank_ - 1, column);
  }

  Value* whole_vectors(Value* length) {
    return b().CreateNSWSub(length, b().CreateURem(length, i64(lanes_)));
  }

  // Copies the square of a leaf into private memory, transposed.
  void fill(int leaf) {
    const DType t = c_.leaves[leaf].dtype == DType::kBool ? DType::kUInt8 : c_.leaves[leaf].dtype;
    llvm::BasicBlock& entry = m_.function()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    auto* square = at_entry.CreateAlloca(llvm::ArrayType::get(
        at_entry.getInt8Ty(), static_cast<uint64_t>(kTileSide * kTileSide * size_of(t))));
    square->setAlignment(llvm::Align(64));
    squares_[leaf] = square;
    const Walk& walk = leaves_[leaf];
    Value* base = producers_.address(leaf);
    auto from = [&](Value* row, Value* column) {
      return add(add(walk.first, row), times(column, walk.strides[rank_ - 1]));
    };
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
    // What is left at the edges of the array.
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
    const Leaf& l = c_.leaves[leaf];
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

  // The vector of one row that begins at `column`.
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
        e, c_.outputs[c_.output_count - 1], dtype,
        [&](int leaf) { return load(e, leaf, row, column, mask); }, positions, values);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      Value* where = at;
      if (c_.root_strided && i == c_.output_count - 1)
        where = add(add(root_.first, times(row, root_.strides[c_.tile])), column);
      e.store(c_.nodes[slot]->dtype, values[slot], outputs_[i], where, mask);
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

  const Cluster& c_;
  ProducerEmitter producers_;
  ModuleBuilder m_;
  const int rank_, lanes_;
  Value* outputs_[kMaxOutputs];
  Value* extents_[kMaxRank];
  Walk leaves_[kMaxLeaves], linear_, root_;
  Value* squares_[kMaxLeaves] = {};
  Value* rows_ = nullptr;
  Value* columns_ = nullptr;
};

}  // namespace

target::KernelModule emit_tiles(const Cluster& cluster, target::TargetKind kind) {
  return TileEmitter(cluster, kind).run();
}

}  // namespace hither::array
