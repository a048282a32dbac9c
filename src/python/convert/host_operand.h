// Placement and import of arguments of array functions that are not hither arrays.
#pragma once

#include <span>
#include <vector>

#include <hither/array.h>

#include "python/convert/array_argument.h"

namespace hither::python {

/// The arguments of one call of an array function. After placement each is a hither array or a
/// scalar.
class PlacedCall {
 public:
  /// `names` are the parameters' names. `explicit_queue`: queue=, or null. Error kPlacement as
  /// runtime/placement.h says; kType for objects that are neither arrays nor numbers.
  PlacedCall(std::string_view function, std::span<PyObject* const> arguments,
             std::span<const std::string_view> names, const Queue* explicit_queue);

  std::span<const Operand> operands() const noexcept { return operands_; }
  /// The queue to run on; null if the arrays decide.
  const Queue* queue() const noexcept { return queue_ ? &*queue_ : nullptr; }

 private:
  std::vector<Array> imported_;
  std::vector<Operand> operands_;
  std::optional<Queue> queue_;
};

/// x on the queue that queue= names, without a copy; x itself for None. Error kPlacement if the
/// queue cannot access x's memory.
Array on_explicit_queue(const Array& x, nb::handle queue, std::string_view function);

/// Throws Error kPlacement for an operator between a hither array and host memory.
[[noreturn]] void refuse_host_operand(std::string_view operation, PyObject* left, PyObject* right);
/// The same for an `item` of a list or a tuple that is the other operand of x.
[[noreturn]] void refuse_host_item(std::string_view operation, PyObject* sequence, PyObject* item,
                                   const Array& x);

}  // namespace hither::python
