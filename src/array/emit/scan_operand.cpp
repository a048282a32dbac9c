#include "array/emit/scan_operand.h"

namespace hither::array {

void ScanProducers::append_key(std::string& key) const {
  if (!form) return;
  KeyText text("p");
  form->append_key(text);
  text.push_back(static_cast<char>(root));
  key.append(text.data(), text.size());
}

void ScanOperand::declare(ModuleBuilder& m) const {
  if (!form_) return m.parameter(target::Parameter::kPointer);
  producers_->declare(m);
  for (int i = 0; i < form_->leaf_count; ++i)
    for (int d = 0; is_strided(i) && d < 3; ++d) m.parameter(target::Parameter::kInt64);
}

void ScanOperand::take(ModuleBuilder& m) {
  if (!form_) {
    address_ = m.next_parameter();
    return;
  }
  producers_->take(m);
  for (int i = 0; i < form_->leaf_count; ++i)
    for (int d = 0; is_strided(i) && d < 3; ++d) strides_[i][d] = m.next_parameter();
}

Element ScanOperand::load(ElementEmitter& e, const Place& place, llvm::Value* mask) const {
  if (!form_) return e.load(dtype_, address_, place.linear, nullptr, mask);
  llvm::IRBuilder<>& b = e.builder();
  const auto load = [&](int leaf) {
    const DType t = form_->leaves[leaf].dtype;
    llvm::Value* address = producers_->address(leaf);
    if (form_->leaves[leaf].access == Access::kRepeat) {
      Element one = ElementEmitter(b, 1).load(t, address, b.getInt64(0));
      const auto lanes = static_cast<unsigned>(e.lanes());
      if (lanes > 1) one.re = b.CreateVectorSplat(lanes, one.re);
      if (lanes > 1 && one.im) one.im = b.CreateVectorSplat(lanes, one.im);
      return one;
    }
    if (!is_strided(leaf)) return e.load(t, address, place.linear, nullptr, mask);
    llvm::Value* const* strides = strides_[leaf];
    llvm::Value* at = b.CreateNSWMul(place.outer, strides[0]);
    at = b.CreateNSWAdd(at, b.CreateNSWMul(place.row, strides[1]));
    at = b.CreateNSWAdd(at, b.CreateNSWMul(place.column, strides[2]));
    llvm::Value* step = e.lanes() > 1 ? strides[place.across ? 2 : 1] : nullptr;
    return e.load(t, address, at, step, mask);
  };
  const auto position = [&]() -> llvm::Value* {
    if (e.lanes() == 1) return place.linear;
    llvm::Value* first = b.CreateVectorSplat(static_cast<unsigned>(e.lanes()), place.linear);
    return b.CreateNSWAdd(first, b.CreateStepVector(first->getType()));
  };
  DType dtype;
  return producers_->evaluate(e, root_, dtype, load, position);
}

ScanOperand::Place ScanOperand::place_of(llvm::IRBuilder<>& b, llvm::Value* linear,
                                         llvm::Value* along, llvm::Value* inner) const {
  Place place{b.getInt64(0), b.getInt64(0), b.getInt64(0), linear};
  bool strided = false;
  for (int i = 0; form_ && i < form_->leaf_count; ++i) strided = strided || is_strided(i);
  if (!strided) return place;
  place.column = b.CreateURem(linear, inner);
  llvm::Value* rows = b.CreateUDiv(linear, inner);
  place.row = b.CreateURem(rows, along);
  place.outer = b.CreateUDiv(rows, along);
  return place;
}

}  // namespace hither::array
