// Submission of pending values.
#pragma once

#include <span>
#include <vector>

#include "array/graph/value.h"

namespace hither::array {

/// Submits the cluster of kernels that `value` needs. Does nothing when the value is not pending.
/// Never throws: a failure is kept in the value, which the caller keeps alive. No value that it
/// depends on may be pending on another queue.
void submit(Value& value) noexcept;

/// Submits several values. Values of one queue and shape share a kernel where its bounds allow it.
void submit(std::span<const ValueRef> values) noexcept;

/// Like submit(), for callers that hold the graph lock of the value's queue. Plans the value,
/// submits the values that the plan needs first, and runs the plan. Throws WaitFirst and nothing
/// else.
void submit_locked(Value& value);

/// Thrown under a graph lock in place of a submission that would wait in this thread.
struct WaitFirst {
  std::vector<Event> events;
};
/// Throws WaitFirst when a submission to `queue` would wait for some of `dependencies`.
void wait_first(const Queue& queue, std::span<const Event> dependencies);

/// Runs `work` under the graph lock of `queue`. When it throws WaitFirst, releases the lock, waits,
/// and runs it again.
template <typename Work>
void with_graph_lock(const Queue& queue, Work&& work) {
  for (;;) {
    std::vector<Event> first;
    {
      const GraphGuard guard(queue);
      try {
        work();
        return;
      } catch (WaitFirst& wait) {
        if (guard.is_nested()) throw;
        first = std::move(wait.events);
      }
    }
    for (const Event& event : first) (void)event.wait_for_error();
  }
}

/// Orders the next use of an escaped value after the work that other libraries submitted to the
/// value's queue. `by` is the queue that is about to use the value. If it is the value's own queue
/// the order of the queue may suffice; otherwise the work becomes part of the value's last write.
void synchronise_with_foreign_work(Value& value, const Queue* by = nullptr);

/// Whether x has escaped; if so, synchronises with foreign work before `by` uses it.
bool synchronise_if_escaped(const Array& x, const Queue& by);

/// To be called after work on escaped arrays produced `value`. Waits for the value if the host can
/// access its memory; an error stays in the value. Otherwise makes the streams of other libraries
/// wait for it.
void settle(const Value& value) noexcept;

/// Copies one element of x, at `offset` elements from its first one, to the host, and waits for it.
/// Evaluates x. Throws the error of a failed x.
void read_element(const Array& x, int64_t offset, void* out);

/// The value of x in memory in C order: a copy's, if x is a view.
ValueRef evaluated(const Array& x);

/// A pending value without inputs.
ValueRef make_node(ValueKind kind, LayoutRef layout, DType dtype, DType compute, UsmType usm_type);

/// Fills the node's bounds (see Value), and submits its largest operands until it fits in a
/// cluster.
void bound(Value& node);

/// A node that casts or copies `input`; bound() has been applied.
ValueRef cast_node(const Input& input, LayoutRef layout, DType dtype, UsmType usm_type);
/// Fills `empty` with `x` as an operand of a node of `result`'s shape on `queue`. Sets `escaped`
/// when x has escaped. A pending x of another queue is submitted there first.
void fill_operand(Input& empty, const Array& x, const LayoutRef& result, const Queue& queue,
                  bool& escaped);
inline Input operand_input(const Array& x, const LayoutRef& result, const Queue& queue,
                           bool& escaped) {
  Input input;
  fill_operand(input, x, result, queue, escaped);
  return input;
}
/// A number as an operand; a weak scalar becomes `compute`.
Input scalar_input(const Scalar& s, DType compute);

/// start + step * i of the element at position i in C order.
Array positions(const Dims& shape, const Scalar& start, const Scalar& step, DType dtype,
                const Allocate& where);

/// Wraps a finished node in an array. Runs it at once in eager mode, or when an operand has
/// escaped.
Array finish(ValueRef node, bool escaped);
/// An array whose elements the recipe computes in `compute` from the operands. `escaped`: other
/// arrays that the recipe holds have escaped.
Array finish_recipe(const Dims& shape, DType dtype, DType compute, const Allocate& where,
                    std::span<const Array> operands, std::unique_ptr<Recipe> recipe,
                    bool escaped = false);

/// Allocates memory for all elements of a value, in C order, for work on the value's queue to
/// write.
void allocate(Value& value);

/// Records that the task of `event` reads `value`; its memory is freed after the task.
void note_read(Value& value, const Event& event);
/// Records that the task of `event` writes `value`; its memory is freed after the task. The task
/// runs after all reads recorded so far.
void note_write(Value& value, const Event& event);
/// The same for a task that runs after the reads in `after`; other reads may be recorded meanwhile.
void note_write(Value& value, const Event& event, std::span<const Event> after);
/// Appends the unfinished reads of `value`, which a write has to wait for.
void append_reads(Value& value, std::vector<Event>& events);

/// A copy of a ready value in its own memory, made by `queue`. Throws WaitFirst.
ValueRef detached_copy(Value& value, const Queue& queue);

/// Makes a value that has memory ready, and drops its inputs.
void become_ready(Value& value, const Event& written) noexcept;

}  // namespace hither::array
