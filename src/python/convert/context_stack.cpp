#include "python/convert/context_stack.h"

#include <optional>

#include "python/convert/current_queue.h"

namespace hither::python {

std::atomic<int64_t> open_contexts{0};

namespace {

// Borrowed for the life of the process.
PyObject* read_variable = nullptr;

}  // namespace

nb::object device_context_in(nb::object entry) {
  while (!entry.is_none()) {
    const auto& context = nb::cast<const OpenContext&>(entry);
    if (context.rules().is_device_context) break;
    entry = context.previous();
  }
  return entry;
}

nb::object innermost_entry() {
  if (open_contexts.load(std::memory_order_relaxed) == 0) return nb::none();
  nb::object current = nb::steal(PyObject_CallNoArgs(read_variable));
  if (!current.is_valid()) throw nb::python_error();
  return current;
}

void read_context_stack_with(nb::object get) { read_variable = get.release().ptr(); }

std::optional<Queue> context_queue() {
  const nb::object current = innermost_entry();
  if (current.is_none()) return std::nullopt;
  return nb::cast<const OpenContext&>(current).queue();
}

bool context_always_warns() {
  const nb::object current = innermost_entry();
  return !current.is_none() && nb::cast<const OpenContext&>(current).rules().always_warns;
}

}  // namespace hither::python
