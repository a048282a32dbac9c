#include "array/emit.h"

#include <llvm/IR/Module.h>

#include "array/emit_group_tiles.h"
#include "array/emit_producers.h"
#include "array/emit_tiles.h"
#include "array/user_function.h"

namespace hither::array {

namespace {

using llvm::Value;

// Emits the kernel of one cluster: indices, then nodes in order, then stores.
class ClusterEmitter {
 public:
  explicit ClusterEmitter(const Cluster& cluster)
      : c_(cluster),
        producers_(cluster),
        m_("hither_fused"),
        rank_(std::max(cluster.extents.size(), 1)),
        ranges_(std::min(rank_, cluster.ranges)) {}

  target::KernelModule run() {
    declare_parameters();
    llvm::IRBuilder<>& b = m_.begin();
    take_parameters();
    index(b);
    ElementEmitter e(b, 1);
    Element values[kMaxNodes];
    DType dtype;
    producers_.evaluate(
        e, c_.outputs[c_.output_count - 1], dtype, [&](int leaf) { return load(e, leaf); },
        [&] { return linear_; }, values);
    for (int i = 0; i < c_.output_count; ++i) {
      const Slot slot = c_.outputs[i];
      const bool strided = c_.root_strided && i == c_.output_count - 1;
      Value* at = strided ? offset(b, root_strides_, c_.root_access) : linear_;
      e.store(c_.nodes[slot]->dtype, values[slot], outputs_[i], at);
    }
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, c_);
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
    if (folded() > 0) integers += folded() + 1;
    for (int i = 0; i < integers; ++i) m_.parameter(target::Parameter::kInt64);
  }

  void take_parameters() {
    for (int i = 0; i < c_.output_count; ++i) outputs_[i] = m_.next_parameter();
    producers_.take(m_);
    for (int i = 0; i < c_.leaf_count; ++i)
      for (int d = 0; d < strides_count(c_.leaves[i].access); ++d)
        leaf_strides_[i][d] = m_.next_parameter();
    if (c_.root_strided)
      for (int d = 0; d < rank_; ++d) root_strides_[d] = m_.next_parameter();
    if (folded() > 0)
      for (int d = 0; d <= folded(); ++d) outer_extents_[d] = m_.next_parameter();
  }

  // Dimensions that share the range's first one with the next.
  int folded() const { return rank_ - ranges_; }

  // Fills coordinates_ and linear_.
  void index(llvm::IRBuilder<>& b) {
    linear_ = m_.global_id(0);
    for (int d = 1; d < ranges_; ++d) {
      coordinates_[folded() + d] = m_.global_id(d);
      linear_ = b.CreateNSWAdd(b.CreateNSWMul(linear_, m_.global_size(d)), m_.global_id(d));
    }
    Value* rest = m_.global_id(0);
    for (int d = folded(); d > 0; --d) {
      coordinates_[d] = b.CreateURem(rest, outer_extents_[d]);
      rest = b.CreateUDiv(rest, outer_extents_[d]);
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
    const Leaf& l = c_.leaves[leaf];
    Value* at =
        l.access == Access::kLinear ? linear_ : offset(m_.b(), leaf_strides_[leaf], l.access);
    return e.load(l.dtype, producers_.address(leaf), at);
  }

  const Cluster& c_;
  ProducerEmitter producers_;
  ModuleBuilder m_;
  const int rank_, ranges_;
  Value* outputs_[kMaxOutputs];
  Value* leaf_strides_[kMaxLeaves][kMaxRank];
  Value* root_strides_[kMaxRank];
  Value* outer_extents_[kMaxRank];
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

target::KernelModule emit(const Cluster& cluster, target::TargetKind kind) {
  if (cluster.tile < 0) return ClusterEmitter(cluster).run();
  return cluster.tiles_in_groups ? emit_group_tiles(cluster) : emit_tiles(cluster, kind);
}

std::string name_of_cluster(const Cluster& cluster) {
  constexpr size_t kLongest = 96;
  std::string name;
  for (int i = 0; i < cluster.node_count && name.size() < kLongest; ++i) {
    if (!name.empty()) name += '_';
    name += name_of(*cluster.nodes[i]);
  }
  return name;
}

}  // namespace hither::array
