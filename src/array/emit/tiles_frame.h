// Code that both forms of kernels over transposed operands share: parameters, and positions of
// squares.
#pragma once

#include <vector>

#include "array/emit/producers.h"
#include "array/emit/tiles.h"
#include "array/form/user_function.h"

namespace hither::array {

/// Emits the kernel of a form with a tile dimension. A derived class emits the work on a square.
class TileFrame {
 public:
  explicit TileFrame(const KernelForm& form)
      : c_(form), producers_(form), m_("hither_tiles"), rank_(form.rank) {}
  virtual ~TileFrame() = default;

  target::KernelModule run() {
    declare_parameters();
    m_.begin();
    take_parameters();
    emit_square();
    b().CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, {&c_});
    finish(module);
    return module;
  }

 protected:
  using Value = llvm::Value;
  using Values = std::vector<Value*>;

  virtual void emit_square() = 0;
  virtual void finish(target::KernelModule& module) = 0;

  /// The addresses of one buffer: the offset of the square's first element, then strides.
  struct Walk {
    Value* strides[kMaxRank];
    Value* first = nullptr;
  };

  llvm::IRBuilder<>& b() { return m_.b(); }
  Value* i64(int64_t v) { return b().getInt64(static_cast<uint64_t>(v)); }
  Value* add(Value* x, Value* y) { return b().CreateNSWAdd(x, y); }
  Value* times(Value* x, Value* y) { return b().CreateNSWMul(x, y); }

  Walk& walk_of(int leaf) {
    return c_.leaves[leaf].access == Access::kLinear ? linear_ : leaves_[leaf];
  }
  /// The dtype in which the square of a leaf is kept; bool is kept as bytes.
  DType dtype_of(int leaf) const {
    const DType t = c_.leaves[leaf].dtype;
    return t == DType::kBool ? DType::kUInt8 : t;
  }
  /// Element (row, column) of the square.
  Value* place(const Walk& walk, Value* row, Value* column) {
    return add(walk.first,
               add(times(row, walk.strides[c_.tile]), times(column, walk.strides[rank_ - 1])));
  }

  /// Computes the origin and extents of the item's square, which is number `row` and `column` among
  /// the squares, at index `outer` of all other dimensions.
  void locate(Value* outer, Value* row, Value* column, int64_t side) {
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
    const Values begin = emit_offsets(b(), outer, extents, strides);
    row = times(row, i64(side));
    column = times(column, i64(side));
    for (size_t w = 0; w < walks.size(); ++w) {
      walks[w]->first = begin[w];
      walks[w]->first = place(*walks[w], row, column);
    }
    auto rest = [&](int d, Value* first) {
      return b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, b().CreateNSWSub(extents_[d], first),
                                       i64(side));
    };
    rows_ = rest(c_.tile, row);
    columns_ = rest(rank_ - 1, column);
  }

  const KernelForm& c_;
  ProducerEmitter producers_;
  ModuleBuilder m_;
  const int rank_;
  Value* outputs_[kMaxOutputs];
  Value* extents_[kMaxRank];
  Walk leaves_[kMaxLeaves], linear_, root_;
  Value *rows_ = nullptr, *columns_ = nullptr;

 private:
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
      if (access == Access::kAcross) walk.strides[c_.tile] = i64(1);
    };
    for (int i = 0; i < c_.leaf_count; ++i)
      if (c_.leaves[i].access != Access::kLinear) take(leaves_[i], c_.leaves[i].access);
    if (c_.root_strided) take(root_, c_.root_access);
    for (int d = 0; d < rank_; ++d) extents_[d] = m_.next_parameter();
    linear_.strides[rank_ - 1] = i64(1);
    for (int d = rank_ - 1; d > 0; --d)
      linear_.strides[d - 1] = times(linear_.strides[d], extents_[d]);
  }
};

}  // namespace hither::array
