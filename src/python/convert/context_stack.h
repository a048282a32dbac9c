// The stack of device contexts and of blocks of queue managers. It is one contextvar, so that each
// thread and each asyncio task has its own.
#pragma once

#include <atomic>

#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// How many entries there are in the process, in stacks of any thread or task.
extern std::atomic<int64_t> open_contexts;

/// The settings of a device context. A block of a queue manager has the defaults, except for
/// is_device_context.
struct ContextRules {
  bool is_device_context = true;  ///< Numba functions are offloaded in it
  int on_serial = 0;
  int64_t keep_below = 0;
  bool always_warns = false;
  bool dparray_results = false;
};

/// An entry of the stack, referenced by the contextvar. It counts itself in open_contexts, because
/// a task that was started inside a block keeps its context after the block has ended in the parent
/// task.
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
