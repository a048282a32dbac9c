// The stack of device contexts and of queue managers' blocks: one contextvar, so that it belongs to
// a thread or an asyncio task.
#pragma once

#include <atomic>

#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// How many entries there are in the process, in stacks of any thread or task.
extern std::atomic<int64_t> open_contexts;

/// What a device context says besides its queue; a queue manager's block says nothing of it.
struct ContextRules {
  bool is_device_context = true;  ///< Numba functions are offloaded in it
  int on_serial = 0;
  int64_t keep_below = 0;
  bool always_warns = false;
  bool dparray_results = false;
};

/// An entry of the stack, held by the contextvar. It counts itself, so that a task that was started
/// inside a block still finds its context when the block has ended in the task's parent.
class OpenContext {
 public:
  OpenContext(Queue queue, nb::object owner, nb::object previous, const ContextRules& rules)
      : queue_(std::move(queue)),
        owner_(std::move(owner)),
        previous_(std::move(previous)),
        rules_(rules) {
    open_contexts.fetch_add(1, std::memory_order_relaxed);
  }
  OpenContext(const OpenContext&) = delete;
  OpenContext& operator=(const OpenContext&) = delete;
  ~OpenContext() { open_contexts.fetch_sub(1, std::memory_order_relaxed); }

  const Queue& queue() const { return queue_; }
  nb::object owner() const { return owner_; }
  nb::object previous() const { return previous_; }
  const ContextRules& rules() const { return rules_; }

 private:
  Queue queue_;
  nb::object owner_;
  nb::object previous_;
  ContextRules rules_;
};

/// The innermost entry; None without one. Needs the GIL.
nb::object innermost_entry();
/// The innermost device context of the stack whose innermost entry is `entry`; None without one.
nb::object device_context_in(nb::object entry);
/// `get`: ContextVar.get of the variable that holds the stack. Called once, first.
void read_context_stack_with(nb::object get);

}  // namespace hither::python
