#include "array/emit.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include "array/emit_element.h"
#include "array/emit_module.h"

namespace hither::array {

namespace {

using llvm::Value;

// Emits the kernel of one cluster: indices, then nodes in order, then stores.
class ClusterEmitter {
 public:
  explicit ClusterEmitter(const Cluster& cluster)
      : c_(cluster), m_("hither_fused"), rank_(std::max(cluster.extents.size(), 1)) {}

  target::KernelModule run() {
    declare_parameters();
    llvm::IRBuilder<>& b = m_.begin();
    take_parameters();
    index(b);
    ElementEmitter e(b, 1);
    for (int i = 0; i < c_.node_count; ++i) values_[i] = node(e, i);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      const bool strided = c_.root_strided && i == c_.output_count - 1;
      Value* at = strided ? offset(b, root_strides_, c_.root_access) : linear_;
      e.store(c_.nodes[slot]->dtype, values_[slot], outputs_[i], at);
    }
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    module.independent_items = true;
    return module;
  }

 private:
  int strides_count(Access access) const { return access == Access::kLinear ? 0 : rank_; }

  void declare_parameters() {
    for (int i = 0; i < c_.output_count + c_.leaf_count; ++i)
      m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < c_.number_count; ++i) m_.parameter(parameter_of(c_.numbers[i].dtype));
    int integers = 0;
    for (int i = 0; i < c_.leaf_count; ++i) integers += strides_count(c_.leaves[i].access);
    if (c_.root_strided) integers += rank_;
    if (rank_ > 3) integers += rank_ - 2;
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take_parameters() {
    for (int i = 0; i < c_.output_count; ++i) outputs_[i] = m_.next_parameter();
    for (int i = 0; i < c_.leaf_count; ++i) leaves_[i] = m_.next_parameter();
    for (int i = 0; i < c_.number_count; ++i) numbers_[i] = m_.next_parameter();
    for (int i = 0; i < c_.leaf_count; ++i)
      for (int d = 0; d < strides_count(c_.leaves[i].access); ++d)
        leaf_strides_[i][d] = m_.next_parameter();
    if (c_.root_strided)
      for (int d = 0; d < rank_; ++d) root_strides_[d] = m_.next_parameter();
    if (rank_ > 3)
      for (int d = 0; d < rank_ - 2; ++d) outer_extents_[d] = m_.next_parameter();
  }

  // Fills coordinates_ and linear_. Beyond three dimensions the outer ones share global dimension
  // 0.
  void index(llvm::IRBuilder<>& b) {
    const int ranges = std::min(rank_, 3);
    Value* ids[3] = {};
    for (int d = 0; d < ranges; ++d) ids[d] = m_.global_id(d);
    linear_ = ids[0];
    for (int d = 1; d < ranges; ++d)
      linear_ = b.CreateNSWAdd(b.CreateNSWMul(linear_, m_.global_size(d)), ids[d]);
    if (rank_ <= 3) {
      std::copy(ids, ids + ranges, coordinates_);
      return;
    }
    coordinates_[rank_ - 1] = ids[2];
    coordinates_[rank_ - 2] = ids[1];
    Value* rest = ids[0];
    for (int d = rank_ - 3; d > 0; --d) {
      coordinates_[d] = b.CreateURem(rest, outer_extents_[d]);
      rest = b.CreateUDiv(rest, outer_extents_[d]);
    }
    coordinates_[0] = rest;
  }

  Value* offset(llvm::IRBuilder<>& b, Value* const* strides, Access access) {
    Value* at = b.getInt64(0);
    for (int d = 0; d < rank_; ++d) {
      const bool last = d == rank_ - 1;
      if (last && access == Access::kRepeat) break;
      Value* step = last && access == Access::kUnit ? coordinates_[d]
                                                    : b.CreateNSWMul(coordinates_[d], strides[d]);
      at = b.CreateNSWAdd(at, step);
    }
    return at;
  }

  Element operand(ElementEmitter& e, Slot slot, DType& dtype, llvm::IRBuilder<>& b) {
    if (slot < kLeafSlot) {
      dtype = c_.nodes[slot]->dtype;
      return values_[slot];
    }
    if (slot >= kNumberSlot) {
      const int i = slot - kNumberSlot;
      dtype = c_.numbers[i].dtype;
      return e.from_parameter(dtype, numbers_[i]);
    }
    const int i = slot - kLeafSlot;
    const Leaf& leaf = c_.leaves[i];
    dtype = leaf.dtype;
    if (!loaded_[i].re)
      loaded_[i] = e.load(
          dtype, leaves_[i],
          leaf.access == Access::kLinear ? linear_ : offset(b, leaf_strides_[i], leaf.access));
    return loaded_[i];
  }

  Element node(ElementEmitter& e, int n) {
    const hither::array::Value& v = *c_.nodes[n];
    Element x[kMaxInputs];
    DType from[kMaxInputs];
    for (int k = 0; k < v.input_count; ++k) x[k] = operand(e, c_.operands[n][k], from[k], m_.b());
    switch (v.kind) {
      case ValueKind::kCast:
      case ValueKind::kConstant:
        return e.cast(x[0], from[0], v.dtype);
      case ValueKind::kIota:
        return iota(e, v, x, from);
      default:
        break;
    }
    for (int k = 0; k < v.input_count; ++k) {
      const bool condition = v.op == Op::where && k == 0;
      x[k] = e.cast(x[k], from[k], condition ? DType::kBool : v.compute);
    }
    return e.apply(v.op, v.compute, x);
  }

  // start + index * step, in compute (int64, uint64 or float64), then cast.
  Element iota(ElementEmitter& e, const hither::array::Value& v, const Element* x,
               const DType* from) {
    const Element start = e.cast(x[0], from[0], v.compute);
    const Element step = e.cast(x[1], from[1], v.compute);
    const Element position = e.cast({linear_}, DType::kInt64, v.compute);
    const Element moved[2] = {position, step};
    const Element sum[2] = {start, e.apply(Op::multiply, v.compute, moved)};
    return e.cast(e.apply(Op::add, v.compute, sum), v.compute, v.dtype);
  }

  const Cluster& c_;
  ModuleBuilder m_;
  int rank_;
  Value* outputs_[kMaxOutputs];
  Value* leaves_[kMaxLeaves];
  Value* numbers_[kMaxNumbers];
  Value* leaf_strides_[kMaxLeaves][kMaxRank];
  Value* root_strides_[kMaxRank];
  Value* outer_extents_[kMaxRank];
  Value* coordinates_[kMaxRank];
  Value* linear_ = nullptr;
  Element values_[kMaxNodes];
  Element loaded_[kMaxLeaves];
};

}  // namespace

target::KernelModule emit(const Cluster& cluster) { return ClusterEmitter(cluster).run(); }

std::string name_of_cluster(const Cluster& cluster) {
  constexpr size_t kLongest = 96;
  std::string name;
  for (int i = 0; i < cluster.node_count && name.size() < kLongest; ++i) {
    const hither::array::Value& v = *cluster.nodes[i];
    if (!name.empty()) name += '_';
    switch (v.kind) {
      case ValueKind::kCast:
        name += v.inputs[0].dtype == v.dtype ? "copy" : "cast";
        break;
      case ValueKind::kConstant:
        name += "full";
        break;
      case ValueKind::kIota:
        name += "arange";
        break;
      default:
        name += info_of(v.op).name;
        break;
    }
  }
  return name;
}

}  // namespace hither::array
