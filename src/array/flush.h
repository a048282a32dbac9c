// When pending values are submitted.
#pragma once

#include "array/value.h"

namespace hither::array {

/// Submits the cluster of kernels that `value` needs; does nothing when it is not pending. Never
/// throws: a failure is kept in the value, which the caller keeps alive. Values of other queues
/// must not be pending below it.
void submit(Value& value) noexcept;

/// Waits for a submitted value if the host can see its memory (escaped arrays), swallowing no
/// error: it stays in the value.
void settle(const Value& value) noexcept;

/// Runs the pending element-wise `value` into memory that exists: `layout` of `destination`'s
/// memory. The caller holds the graph lock and has checked that nothing else reads the memory.
void submit_into(Value& value, Value& destination, const Layout& layout);

/// Keeps node within the bounds of a cluster by submitting its largest operands. Fills the bounds.
void bound(Value& node);

/// A bounded node that casts (or copies) `input`.
ValueRef cast_node(const Input& input, LayoutRef layout, DType dtype, UsmType usm_type);
/// `x` as an operand of a node of `result`'s shape on `queue`; sets escaped when x has. A pending x
/// of another queue is submitted there first.
Input operand_input(const Array& x, const LayoutRef& result, const Queue& queue, bool& escaped);
/// A number as operand; weak ones become `compute`.
Input scalar_input(const Scalar& s, DType compute);

/// Wraps a finished node in an array; runs it at once in eager mode, or when an operand has
/// escaped.
Array finish(ValueRef node, bool escaped);

/// An operand of a recipe, of `size` elements, in memory and in C order: submitted if it is
/// pending; `in` names a copy if it was a number or had another order. Its element 0 is
/// `in.layout`'s offset away, if there is a layout. Throws the error of a failed operand.
Value& operand_in_order(Input& in, int64_t size, const Queue& queue);

/// Throws the error of a failed value.
void require_ready(const Value& value);

/// Marks `value` as read by the task of `event`, and orders the return of its memory after it.
void note_read(Value& value, const Event& event);

/// Gives a value memory of its own on `queue`.
void allocate(Value& value, const Queue& queue);

/// Drops the inputs of a value that has memory now.
void become_ready(Value& value, const Event& written) noexcept;

}  // namespace hither::array
