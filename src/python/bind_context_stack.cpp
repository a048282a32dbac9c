// The stack of device contexts: one contextvar, so that it belongs to a thread or an asyncio task.
#include <atomic>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/current_queue.h"
#include "python/host_task.h"
#include "python/offload_api.h"
#include "python/raise_error.h"

namespace hither::python {
namespace {

std::atomic<int64_t> open_contexts{0};

// An entry of the stack, held by the contextvar. It counts itself, so that a task that was started
// inside a block still finds its context when the block has ended in the task's parent.
class OpenContext {
 public:
  OpenContext(Queue queue, nb::object owner, nb::object previous, int on_serial, int64_t keep_below)
      : queue_(std::move(queue)),
        owner_(std::move(owner)),
        previous_(std::move(previous)),
        on_serial_(on_serial),
        keep_below_(keep_below) {
    open_contexts.fetch_add(1, std::memory_order_relaxed);
  }
  OpenContext(const OpenContext&) = delete;
  OpenContext& operator=(const OpenContext&) = delete;
  ~OpenContext() { open_contexts.fetch_sub(1, std::memory_order_relaxed); }

  const Queue& queue() const { return queue_; }
  nb::object owner() const { return owner_; }
  nb::object previous() const { return previous_; }
  int on_serial() const { return on_serial_; }
  int64_t keep_below() const { return keep_below_; }

 private:
  Queue queue_;
  nb::object owner_;
  nb::object previous_;
  int on_serial_;
  int64_t keep_below_;
};

OffloadContext offload_context_of(PyObject* open_context) {
  const auto& context = *nb::inst_ptr<OpenContext>(nb::handle(open_context));
  return {&context.queue(), context.on_serial(), context.keep_below()};
}

// Borrowed for the life of the process.
PyObject* read_variable = nullptr;

}  // namespace

std::optional<Queue> context_queue() {
  if (open_contexts.load(std::memory_order_relaxed) == 0) return std::nullopt;
  nb::object current = nb::steal(PyObject_CallNoArgs(read_variable));
  if (!current.is_valid()) throw nb::python_error();
  if (current.is_none()) return std::nullopt;
  return nb::cast<const OpenContext&>(current).queue();
}

void bind_context_stack(nb::module_& m) {
  nb::class_<OpenContext>(
      m, "OpenContext",
      "A device context that is in force. hither.get_context() returns the innermost.")
      .def(nb::init<Queue, nb::object, nb::object, int, int64_t>(), nb::arg("queue"),
           nb::arg("owner"), nb::arg("previous").none(), nb::arg("on_serial") = 0,
           nb::arg("keep_below") = 0)
      .def_prop_ro("queue", &OpenContext::queue, "The queue that the block computes on.")
      .def_prop_ro("device", [](const OpenContext& c) { return c.queue().device(); })
      .def_prop_ro("context", [](const OpenContext& c) { return c.queue().context(); })
      .def("__repr__",
           [](const OpenContext& c) {
             return fmt::format("<hither.OpenContext on {}>", c.queue().device().filter_string());
           })
      .def_prop_ro("on_serial", &OpenContext::on_serial)
      .def_prop_ro("keep_below", &OpenContext::keep_below)
      .def_prop_ro("owner", &OpenContext::owner, "The device_context that opened it.")
      .def_prop_ro("previous", &OpenContext::previous, "The context around this one, or None.");

  nb::object variable =
      nb::module_::import_("contextvars")
          .attr("ContextVar")("hither.device_context", nb::arg("default") = nb::none());
  m.attr("context_variable") = variable;
  read_variable = nb::object(variable.attr("get")).release().ptr();
  m.def(
      "open_contexts", [] { return open_contexts.load(std::memory_order_relaxed); },
      "How many device contexts are open in the process, in any thread or task.");
  static OffloadApi api{&open_contexts, variable.ptr(), offload_context_of, raise_error,
                        &python_work};
  m.def(
      "offload_api", [] { return nb::object(nb::capsule(&api, OffloadApi::kName)); },
      "What _numba_hook needs of this module.");
  m.def("context_queue", context_queue, "Queue of the innermost device context, or None.");
}

}  // namespace hither::python
