// What a scan reads: an array in C order, or nodes that its kernel computes.
#pragma once

#include "array/emit/producers.h"

namespace hither::array {

/// The nodes that compute the operand of a scan. A leaf is linear, repeats one element, or has a
/// stride for each of the scan's three extents (before, along and after the axis).
struct ScanProducers {
  const KernelForm* form = nullptr;  ///< null: the operand is an array in C order
  Slot root = 0;

  explicit operator bool() const noexcept { return form != nullptr; }
  void append_key(std::string& key) const;
};

/// Emits loads of the operand's elements. Parameters: the array's address; or those of
/// ProducerEmitter, and three strides for each leaf that is strided.
class ScanOperand {
 public:
  ScanOperand(const ScanProducers& producers, DType dtype)
      : dtype_(dtype), root_(producers.root), form_(producers.form) {
    if (form_) producers_.emplace(*form_);
  }

  void declare(ModuleBuilder& m) const;
  void take(ModuleBuilder& m);
  /// The address of an operand that is an array.
  llvm::Value* address() const noexcept { return address_; }
  bool is_computed() const noexcept { return form_ != nullptr; }

  /// A position: indices before, along and after the axis, of which the second or the last one is
  /// that of a vector's first lane; and the index in C order.
  struct Place {
    llvm::Value *outer, *row, *column, *linear;
    bool across = false;  ///< lanes are consecutive along the last extent
  };
  Element load(ElementEmitter& e, const Place& place, llvm::Value* mask = nullptr) const;
  /// The place of an index in C order, in an array with these extents along and after the axis.
  Place place_of(llvm::IRBuilder<>& b, llvm::Value* linear, llvm::Value* along,
                 llvm::Value* inner) const;

 private:
  bool is_strided(int leaf) const noexcept {
    return form_->leaves[leaf].access == Access::kStrided;
  }

  const DType dtype_;
  const Slot root_;
  const KernelForm* const form_;
  std::optional<ProducerEmitter> producers_;
  llvm::Value* address_ = nullptr;
  llvm::Value* strides_[kMaxLeaves][3] = {};
};

}  // namespace hither::array
