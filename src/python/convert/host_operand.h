// Arguments of array functions that are not arrays of ours: placed by the truth table, then
// imported.
#pragma once

#include <span>
#include <vector>

#include <hither/array.h>

#include "python/convert/array_argument.h"

namespace hither::python {

/// Arguments of one call of an array function, all of them arrays of ours or scalars after
/// placement.
class PlacedCall {
 public:
  /// `names` are the parameters' names. `explicit_queue`: queue=, or null. Error kPlacement by the
  /// truth table; kType for what is neither array nor number.
  PlacedCall(std::string_view function, std::span<PyObject* const> arguments,
             std::span<const std::string_view> names, const Queue* explicit_queue);

  std::span<const Operand> operands() const noexcept { return operands_; }
  /// The queue to run on; null leaves it to the arrays.
  const Queue* queue() const noexcept { return queue_ ? &*queue_ : nullptr; }

 private:
  std::vector<Array> imported_;
  std::vector<Operand> operands_;
  std::optional<Queue> queue_;
};

/// x where queue= says that a function runs: on that queue, without a copy; x itself for None.
/// Error kPlacement where the queue cannot access x's memory.
Array on_explicit_queue(const Array& x, nb::handle queue, std::string_view function);

/// Error kPlacement for an operator between an array of ours and memory of the host.
[[noreturn]] void refuse_host_operand(std::string_view operation, PyObject* left, PyObject* right);

}  // namespace hither::python
