// hither.OpenContext, and functions for hither.device_context.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "process/environment.h"
#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/context_stack.h"
#include "python/convert/current_queue.h"
#include "python/dispatch/offload_api.h"
#include "python/interpreter/fork.h"
#include "python/interpreter/host_task.h"
#include "python/interpreter/raise_error.h"
#include "python/interpreter/source_line.h"

namespace hither::python {
namespace {

PyObject* dparray_type = nullptr;  // hither.dparray.DPArray; null before its import

OffloadContext offload_context_of(PyObject* open_context) {
  const nb::object found = device_context_in(nb::borrow(open_context));
  if (found.is_none()) return {};
  const auto& context = *nb::inst_ptr<OpenContext>(found);  // the stack holds it
  const ContextRules& rules = context.rules();
  return {&context.queue(), rules.on_serial, rules.keep_below, rules.dparray_results};
}

/// Whether Numba functions run regions of few operations themselves: the queue has no pending work,
/// the host may access its memory, and nothing asks about its launches.
bool host_runs_small_regions(const Queue& queue) {
  return queue.device().backend() == Backend::kNativeCpu &&
         queue.properties() == QueueProperties{} &&
         process::environment(process::variable::kStrictUsm) != "1" &&
         process::environment(process::variable::kCheck) != "races";
}

void bind_rules(nb::class_<OpenContext>& context) {
  context
      .def_prop_ro(
          "is_device_context", [](const OpenContext& c) { return c.rules().is_device_context; },
          "Whether it is a device context, and not a block of a queue manager.")
      .def_prop_ro(
          "on_serial", [](const OpenContext& c) { return c.rules().on_serial; },
          "The number of the rule for Numba functions with parallel=False.")
      .def_prop_ro(
          "keep_below", [](const OpenContext& c) { return c.rules().keep_below; },
          "Parallel regions with fewer iterations run on the host.")
      .def(
          "after",
          [](const OpenContext& c, nb::object previous) {
            return new OpenContext(c.queue(), c.owner(), std::move(previous), c.rules());
          },
          nb::arg("previous").none(), nb::rv_policy::take_ownership,
          documentation("OpenContext.after"));
}

}  // namespace

void bind_context_stack(nb::module_& m) {
  nb::class_<OpenContext> context(m, "OpenContext", documentation("OpenContext"));
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
      .def_prop_ro(
          "device", [](const OpenContext& c) { return c.queue().device(); },
          "The device of the queue.")
      .def_prop_ro(
          "context", [](const OpenContext& c) { return c.queue().context(); },
          "The SYCL context of the queue.")
      .def("__repr__",
           [](const OpenContext& c) {
             return fmt::format("<hither.OpenContext on {}>", c.queue().device().filter_string());
           })
      .def_prop_ro("owner", &OpenContext::owner, "The device_context or the block that opened it.")
      .def_prop_ro("previous", &OpenContext::previous, "The enclosing entry, or None.");
  bind_rules(context);

  nb::object variable =
      nb::module_::import_("contextvars")
          .attr("ContextVar")("hither.device_context", nb::arg("default") = nb::none());
  m.attr("context_variable") = variable;
  read_context_stack_with(variable.attr("get"));
  m.def("host_runs_small_regions", host_runs_small_regions, nb::arg("queue"),
        "Whether Numba functions run regions of few operations in the calling thread.");
  m.def(
      "open_contexts", [] { return open_contexts.load(std::memory_order_relaxed); },
      "Number of open device contexts in the process, in all threads and tasks.");
  static OffloadApi api{&open_contexts, variable.ptr(), offload_context_of,
                        raise_error,    &python_work,   &dparray_type,
                        remember_line,  forget_line,    count_as_without_gil};
  m.def(
      "set_dparray_type", [](nb::handle type) { dparray_type = type.inc_ref().ptr(); },
      nb::arg("type"), "Registers the class of dparrays. hither.dparray calls it once.");
  m.def(
      "offload_api", [] { return nb::object(nb::capsule(&api, OffloadApi::kName)); },
      "The interface of this module for _numba_hook, as a capsule.");
  m.def("context_queue", context_queue,
        "Queue of the innermost device context or queue manager's block, or None.");
  m.def(
      "innermost_device_context", [] { return device_context_in(innermost_entry()); },
      "The OpenContext of the innermost device_context, or None.");
}

}  // namespace hither::python
