#include "array/emit/fused.h"

#include <llvm/IR/Module.h>

#include "array/emit/group_tiles.h"
#include "array/emit/producers.h"
#include "array/emit/tiles.h"
#include "array/form/user_function.h"

namespace hither::array {

namespace {

using llvm::Value;

/// The extent of a dimension that shares the range's first one, and its Divisor in short ranges.
struct FoldedExtent {
  Value *extent = nullptr, *multiplier = nullptr, *shift = nullptr;

  Value* quotient(llvm::IRBuilder<>& b, Value* n) const {
    if (!multiplier) return b.CreateUDiv(n, extent);
    const auto low = [&](Value* v) {
      return b.CreateZExt(b.CreateTrunc(v, b.getInt32Ty()), b.getInt64Ty());
    };
    return b.CreateLShr(b.CreateNUWMul(low(n), low(multiplier)), shift);
  }
};

// Emits one element-wise kernel: indices, then nodes in order, then stores.
class FusedEmitter {
 public:
  explicit FusedEmitter(const KernelForm& form)
      : c_(form),
        producers_(form),
        m_("hither_fused"),
        rank_(form.rank),
        ranges_(std::min(rank_, form.ranges)) {}

  target::KernelModule run() {
    declare_parameters();
    llvm::IRBuilder<>& b = m_.begin();
    take_parameters();
    index(b);
    ElementEmitter e(b, 1);
    Element values[kMaxNodes];
    DType dtype;
    producers_.evaluate(
        e, c_.root(), dtype, [&](int leaf) { return load(e, leaf); }, [&] { return linear_; },
        values);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      const bool is_root = i == c_.output_count - 1;
      Value* at = is_root && c_.root_strided ? offset(b, root_strides_, c_.root_access) : linear_;
      e.store(c_.nodes[slot].dtype, values[slot], outputs_[i], at, nullptr,
              is_root && c_.root_aligned);
    }
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, {&c_});
    module.independent_items = true;
    return module;
  }

 private:
  int strides_count(Access access) const { return access == Access::kLinear ? 0 : rank_; }

  void declare_parameters() {
    for (int i = 0; i < c_.output_count; ++i) m_.parameter(target::Parameter::kPointer);
    producers_.declare(m_);
    int integers = 0;
    for (int i = 0; i < c_.leaf_count; ++i) integers += strides_count(c_.leaves[i].access);
    if (c_.root_strided) integers += rank_;
    integers += folded() * (c_.long_range ? 1 : 3);
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take_parameters() {
    for (int i = 0; i < c_.output_count; ++i) outputs_[i] = m_.next_parameter();
    producers_.take(m_);
    for (int i = 0; i < c_.leaf_count; ++i)
      for (int d = 0; d < strides_count(c_.leaves[i].access); ++d) {
        leaf_strides_[i][d] = m_.next_parameter();
        if (is_repeated(c_.leaves[i].repeats, d)) leaf_strides_[i][d] = m_.b().getInt64(0);
      }
    if (c_.root_strided)
      for (int d = 0; d < rank_; ++d) root_strides_[d] = m_.next_parameter();
    for (int d = 1; d <= folded(); ++d) {
      extents_[d].extent = m_.next_parameter();
      if (c_.long_range) continue;
      extents_[d].multiplier = m_.next_parameter();
      extents_[d].shift = m_.next_parameter();
    }
  }

  // Number of dimensions that share the range's first dimension with the one after them.
  int folded() const { return rank_ - ranges_; }

  // Sets coordinates_ and linear_.
  void index(llvm::IRBuilder<>& b) {
    linear_ = m_.global_id(0);
    for (int d = 1; d < ranges_; ++d) {
      coordinates_[folded() + d] = m_.global_id(d);
      linear_ = b.CreateNSWAdd(b.CreateNSWMul(linear_, m_.global_size(d)), m_.global_id(d));
    }
    Value* rest = m_.global_id(0);
    for (int d = folded(); d > 0; --d) {
      Value* before = extents_[d].quotient(b, rest);
      coordinates_[d] = b.CreateNSWSub(rest, b.CreateNSWMul(before, extents_[d].extent));
      rest = before;
    }
    coordinates_[0] = rest;
  }

  Value* offset(llvm::IRBuilder<>& b, Value* const* strides, Access access) {
    Value* at = b.getInt64(0);
    for (int d = 0; d < rank_; ++d) {
      const bool last = d == rank_ - 1;
      Value* stride = last ? stride_of(b, access, strides[d]) : strides[d];
      at = b.CreateNSWAdd(at, b.CreateNSWMul(coordinates_[d], stride));
    }
    return at;
  }

  Element load(ElementEmitter& e, int leaf) {
    const FormLeaf& l = c_.leaves[leaf];
    if (l.base > 0)
      return e.load(l.dtype, producers_.address(l.base - 1),
                    m_.b().CreateNSWAdd(linear_, m_.b().getInt64(static_cast<uint64_t>(l.shift))));
    Value* at =
        l.access == Access::kLinear ? linear_ : offset(m_.b(), leaf_strides_[leaf], l.access);
    return e.load(l.dtype, producers_.address(leaf), at);
  }

  const KernelForm& c_;
  ProducerEmitter producers_;
  ModuleBuilder m_;
  const int rank_, ranges_;
  Value* outputs_[kMaxOutputs];
  Value* leaf_strides_[kMaxLeaves][kMaxRank];
  Value* root_strides_[kMaxRank];
  FoldedExtent extents_[kMaxRank];
  Value* coordinates_[kMaxRank];
  Value* linear_ = nullptr;
};

}  // namespace

llvm::Value* stride_of(llvm::IRBuilder<>& b, Access access, llvm::Value* argument) {
  switch (access) {
    case Access::kUnit:
      return b.getInt64(1);
    case Access::kRepeat:
      return b.getInt64(0);
    case Access::kReverse:
      return b.getInt64(static_cast<uint64_t>(-1));
    case Access::kSecond:
      return b.getInt64(2);
    case Access::kThird:
      return b.getInt64(3);
    case Access::kFourth:
      return b.getInt64(4);
    default:
      return argument;
  }
}

target::KernelModule emit(const KernelForm& form, bool few_vectors) {
  if (form.tile < 0) return FusedEmitter(form).run();
  return form.tiles_in_groups ? emit_group_tiles(form) : emit_tiles(form, few_vectors);
}

}  // namespace hither::array
