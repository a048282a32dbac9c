// When pending values are submitted.
#pragma once

#include <span>
#include <vector>

#include "array/graph/value.h"

namespace hither::array {

/// Submits the cluster of kernels that `value` needs; does nothing when it is not pending. Never
/// throws: a failure is kept in the value, which the caller keeps alive. Values of other queues
/// must not be pending below it.
void submit(Value& value) noexcept;

/// Several values, those of one queue and shape by one kernel where that keeps its bounds.
void submit(std::span<const ValueRef> values) noexcept;

/// The same as submit() for those who hold the graph lock of the value's queue. Plans the value,
/// submits first what its plan needs, and runs the plan. Throws WaitFirst, and nothing else.
void submit_locked(Value& value);

/// Thrown under a graph lock in place of a submission that would wait in this thread.
struct WaitFirst {
  std::vector<Event> events;
};
/// Throws WaitFirst when a submission to `queue` would wait for some of `dependencies`.
void wait_first(const Queue& queue, std::span<const Event> dependencies);

/// Runs `work` under the graph lock of `queue`; when it throws WaitFirst, waits with the lock given
/// back and runs it again.
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

/// Takes what other libraries submitted to the queue of an escaped value's memory for a write to
/// it; `by`: the queue that is about to use it, which may be in order with them already.
void synchronise_with_foreign_work(Value& value, const Queue* by = nullptr);

/// Whether x has escaped; if so, heeds the others before `by` uses it.
bool synchronise_if_escaped(const Array& x, const Queue& by);

/// After work on escaped arrays gave `value`: waits for it if the host can see its memory,
/// swallowing no error, which stays in the value; where other libraries work in streams of their
/// own, these wait.
void settle(const Value& value) noexcept;

/// A pending value with no inputs yet.
ValueRef make_node(ValueKind kind, LayoutRef layout, DType dtype, DType compute, UsmType usm_type);

/// Keeps node within the bounds of a cluster by submitting its largest operands. Fills the bounds.
void bound(Value& node);

/// A bounded node that casts (or copies) `input`.
ValueRef cast_node(const Input& input, LayoutRef layout, DType dtype, UsmType usm_type);
/// `x` as an operand of a node of `result`'s shape on `queue`; sets escaped when x has. A pending x
/// of another queue is submitted there first.
void fill_operand(Input& empty, const Array& x, const LayoutRef& result, const Queue& queue,
                  bool& escaped);
inline Input operand_input(const Array& x, const LayoutRef& result, const Queue& queue,
                           bool& escaped) {
  Input input;
  fill_operand(input, x, result, queue, escaped);
  return input;
}
/// A number as operand; weak ones become `compute`.
Input scalar_input(const Scalar& s, DType compute);

/// Wraps a finished node in an array; runs it at once in eager mode, or when an operand has
/// escaped.
Array finish(ValueRef node, bool escaped);

/// Memory for all elements of a value, in C order, which work of the value's queue then writes.
void allocate(Value& value);

/// Marks `value` as read by the task of `event`, and orders the return of its memory after it.
void note_read(Value& value, const Event& event);
/// Marks the memory of `value` as written by the task of `event`, which runs after all reads so
/// far, and orders its return after it.
void note_write(Value& value, const Event& event);
/// The same for a task that runs after the reads in `after`, while others may be noted.
void note_write(Value& value, const Event& event, std::span<const Event> after);
/// Appends the reads of `value` that have not ended: a write comes after them.
void append_reads(Value& value, std::vector<Event>& events);

/// A ready value's elements in memory of their own, copied by `queue`. Throws WaitFirst.
ValueRef detached_copy(Value& value, const Queue& queue);

/// Drops the inputs of a value that has memory now.
void become_ready(Value& value, const Event& written) noexcept;

}  // namespace hither::array
