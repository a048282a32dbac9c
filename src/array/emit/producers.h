// Evaluates the nodes of a form at one position of a kernel that is not element-wise.
#pragma once

#include <functional>

#include "array/emit/element.h"
#include "array/emit/module.h"
#include "array/form/kernel_form.h"

namespace hither::array {

/// Emits the nodes of a form. The caller computes the addresses.
class ProducerEmitter {
 public:
  explicit ProducerEmitter(const KernelForm& form) : c_(form) {}

  /// Declares the leaves' addresses, then the numbers, as parameters.
  void declare(ModuleBuilder& m) const;
  void take(ModuleBuilder& m);
  llvm::Value* address(int leaf) const noexcept { return leaves_[leaf]; }
  llvm::Value* number(int number) const noexcept { return numbers_[number]; }

  /// The value of `root` at one position (or a vector of positions), and its dtype. `load` reads a
  /// leaf there, and `position` gives the C-order index (i64). `nodes`, if given, has space for the
  /// value of every node.
  Element evaluate(ElementEmitter& e, Slot root, DType& dtype,
                   const std::function<Element(int leaf)>& load,
                   const std::function<llvm::Value*()>& position, Element* nodes = nullptr) const;

 private:
  const KernelForm& c_;
  llvm::Value* leaves_[kMaxLeaves] = {};
  llvm::Value* numbers_[kMaxNumbers] = {};
};

/// Emits an element-wise node whose operands have the dtypes `from`; `position` as above.
Element emit_node(ElementEmitter& e, const FormNode& node, Element* operands, const DType* from,
                  const std::function<llvm::Value*()>& position);

/// for (i = begin; i < end; i += step), with values that are carried from iteration to iteration.
/// Returns the final carried values. All are i64; begin and end are not negative. `unroll`: number
/// of iterations that devices without vectors unroll together, so that their loads overlap.
std::vector<llvm::Value*> emit_loop(
    llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end, llvm::Value* step,
    std::vector<llvm::Value*> carried,
    const std::function<std::vector<llvm::Value*>(llvm::Value* i,
                                                  const std::vector<llvm::Value*>& carried)>& body,
    unsigned unroll = 0);

/// if (condition) carried = body(carried); returns the new values.
std::vector<llvm::Value*> emit_if(
    llvm::IRBuilder<>& b, llvm::Value* condition, std::vector<llvm::Value*> carried,
    const std::function<std::vector<llvm::Value*>(const std::vector<llvm::Value*>& carried)>& body);

/// Splits a linear index over `extents` (outermost first; extents[0] may be null) into coordinates.
/// Returns, for each list of strides, the sum of coordinates times strides.
std::vector<llvm::Value*> emit_offsets(llvm::IRBuilder<>& b, llvm::Value* linear,
                                       const std::vector<llvm::Value*>& extents,
                                       const std::vector<std::vector<llvm::Value*>>& strides);

}  // namespace hither::array
