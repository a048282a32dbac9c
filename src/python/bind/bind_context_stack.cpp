// The stack of device contexts and of queue managers' blocks: one contextvar, so that it belongs to
// a thread or an asyncio task.
#include <atomic>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/convert/current_queue.h"
#include "python/dispatch/offload_api.h"
#include "python/interpreter/host_task.h"
#include "python/interpreter/raise_error.h"

namespace hither::python {
namespace {

std::atomic<int64_t> open_contexts{0};
PyObject* dparray_type = nullptr;  // hither.dparray.DPArray once it is imported

// What a device context says besides its queue; a queue manager's block says nothing of it.
struct ContextRules {
  bool is_device_context = true;  ///< Numba functions are offloaded in it
  int on_serial = 0;
  int64_t keep_below = 0;
  bool always_warns = false;
  bool dparray_results = false;
};

// An entry of the stack, held by the contextvar. It counts itself, so that a task that was started
// inside a block still finds its context when the block has ended in the task's parent.
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

// The innermost device context of a stack; None without one.
nb::object device_context_in(nb::object entry) {
  while (!entry.is_none()) {
    const auto& context = nb::cast<const OpenContext&>(entry);
    if (context.rules().is_device_context) break;
    entry = context.previous();
  }
  return entry;
}

OffloadContext offload_context_of(PyObject* open_context) {
  const nb::object found = device_context_in(nb::borrow(open_context));
  if (found.is_none()) return {};
  const auto& context = *nb::inst_ptr<OpenContext>(found);  // the stack holds it
  const ContextRules& rules = context.rules();
  return {&context.queue(), rules.on_serial, rules.keep_below, rules.dparray_results};
}

// Borrowed for the life of the process.
PyObject* read_variable = nullptr;

// The innermost entry; None without one.
nb::object innermost() {
  if (open_contexts.load(std::memory_order_relaxed) == 0) return nb::none();
  nb::object current = nb::steal(PyObject_CallNoArgs(read_variable));
  if (!current.is_valid()) throw nb::python_error();
  return current;
}

void bind_rules(nb::class_<OpenContext>& context) {
  context
      .def_prop_ro("is_device_context",
                   [](const OpenContext& c) { return c.rules().is_device_context; })
      .def_prop_ro("on_serial", [](const OpenContext& c) { return c.rules().on_serial; })
      .def_prop_ro("keep_below", [](const OpenContext& c) { return c.rules().keep_below; })
      .def(
          "after",
          [](const OpenContext& c, nb::object previous) {
            return new OpenContext(c.queue(), c.owner(), std::move(previous), c.rules());
          },
          nb::arg("previous").none(), nb::rv_policy::take_ownership,
          "The same entry, with another one around it.");
}

}  // namespace

std::optional<Queue> context_queue() {
  const nb::object current = innermost();
  if (current.is_none()) return std::nullopt;
  return nb::cast<const OpenContext&>(current).queue();
}

bool context_always_warns() {
  const nb::object current = innermost();
  return !current.is_none() && nb::cast<const OpenContext&>(current).rules().always_warns;
}

void bind_context_stack(nb::module_& m) {
  nb::class_<OpenContext> context(
      m, "OpenContext",
      "A device context that is in force, or a block of a queue manager. hither.get_context() "
      "returns the innermost device context.");
  context
      .def(
          "__init__",
          [](OpenContext* self, Queue queue, nb::object owner, nb::object previous,
             bool is_device_context, int on_serial, int64_t keep_below, bool always_warns,
             bool dparray_results) {
            new (self) OpenContext(
                std::move(queue), std::move(owner), std::move(previous),
                {is_device_context, on_serial, keep_below, always_warns, dparray_results});
          },
          nb::arg("queue"), nb::arg("owner"), nb::arg("previous").none(), nb::kw_only(),
          nb::arg("is_device_context") = true, nb::arg("on_serial") = 0, nb::arg("keep_below") = 0,
          nb::arg("always_warns") = false, nb::arg("dparray_results") = false)
      .def_prop_ro("queue", &OpenContext::queue, "The queue that the block computes on.")
      .def_prop_ro("device", [](const OpenContext& c) { return c.queue().device(); })
      .def_prop_ro("context", [](const OpenContext& c) { return c.queue().context(); })
      .def("__repr__",
           [](const OpenContext& c) {
             return fmt::format("<hither.OpenContext on {}>", c.queue().device().filter_string());
           })
      .def_prop_ro("owner", &OpenContext::owner, "What opened it: a device_context, or a block.")
      .def_prop_ro("previous", &OpenContext::previous, "The entry around this one, or None.");
  bind_rules(context);

  nb::object variable =
      nb::module_::import_("contextvars")
          .attr("ContextVar")("hither.device_context", nb::arg("default") = nb::none());
  m.attr("context_variable") = variable;
  read_variable = nb::object(variable.attr("get")).release().ptr();
  m.def(
      "open_contexts", [] { return open_contexts.load(std::memory_order_relaxed); },
      "How many device contexts are open in the process, in any thread or task.");
  static OffloadApi api{&open_contexts, variable.ptr(), offload_context_of,
                        raise_error,    &python_work,   &dparray_type};
  m.def(
      "set_dparray_type", [](nb::handle type) { dparray_type = type.inc_ref().ptr(); },
      nb::arg("type"), "Makes the class of dparrays known; called once, by hither.dparray.");
  m.def(
      "offload_api", [] { return nb::object(nb::capsule(&api, OffloadApi::kName)); },
      "What _numba_hook needs of this module.");
  m.def("context_queue", context_queue,
        "Queue of the innermost device context or queue manager's block, or None.");
  m.def(
      "innermost_device_context", [] { return device_context_in(innermost()); },
      "The OpenContext of the innermost device_context, or None.");
}

}  // namespace hither::python
