#include "runtime/placement.h"

#include <string>

#include "runtime/context_state.h"
#include "runtime/queue_state.h"

namespace hither::runtime {
namespace {

using Arguments = std::span<const PlacedArgument>;

/// "x (hither.Array)", or "argument 2 (hither.Array)".
std::string label(Arguments arguments, size_t i) {
  const PlacedArgument& a = arguments[i];
  std::string text = a.name.empty() ? "argument " + std::to_string(i + 1) : std::string(a.name);
  if (!a.type_name.empty()) text += " (" + std::string(a.type_name) + ")";
  return text;
}

[[noreturn]] void refuse(std::string_view where, const std::string& message) {
  throw Error(ErrorKind::kPlacement, std::string(where), message);
}

const Context& context_of(const PlacedArgument& a) {
  return a.context ? *a.context : a.queue->context();
}

std::string difference(const Queue& a, const Queue& b) {
  if (!(a.device() == b.device())) return "the devices differ";
  if (!(a.context() == b.context())) return "the contexts differ";
  return "the queues' properties differ";
}

/// Index of the first argument of `kind`, or -1.
int first_of(Arguments arguments, ArgumentKind kind) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].kind == kind) return static_cast<int>(i);
  return -1;
}

[[noreturn]] void refuse_mixture(std::string_view where, Arguments arguments, int usm, int host) {
  const int first = usm < host ? usm : host, second = usm < host ? host : usm;
  refuse(where,
         label(arguments, first) + " is " + (first == usm ? "a USM" : "a host") + " array and " +
             label(arguments, second) + " is " + (second == usm ? "a USM" : "a host") +
             " array; array arguments must all be of one kind. Wrap the host array with "
             "asarray(..., queue=" +
             (arguments[usm].name.empty() ? "x" : std::string(arguments[usm].name)) + ".queue)");
}

void check_equivalent(std::string_view where, Arguments arguments, int first) {
  const Queue& queue = *arguments[first].queue;
  for (size_t i = first + 1; i < arguments.size(); ++i) {
    if (arguments[i].kind != ArgumentKind::kUsmArray) continue;
    const Queue& other = *arguments[i].queue;
    if (queue.equivalent(other)) continue;
    refuse(where, label(arguments, first) + " is on queue " + describe(queue) + " and " +
                      label(arguments, i) + " on queue " + describe(other) +
                      ", which is not "
                      "equivalent (" +
                      difference(queue, other) +
                      "). Say where to run by moving "
                      "one: asarray(" +
                      (arguments[i].name.empty() ? "..." : std::string(arguments[i].name)) +
                      ", queue=...) or collocate, or pass queue=");
  }
}

void check_accessible(std::string_view where, Arguments arguments, const Queue& queue) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != ArgumentKind::kUsmArray) continue;
    if (context_of(arguments[i]) == queue.context()) continue;
    refuse(where, label(arguments, i) + " is in the context of queue " +
                      describe(*arguments[i].queue) + ", which queue=" + describe(queue) +
                      " cannot access; move it there with asarray(..., queue=...)");
  }
}

UsmType strongest_type(Arguments arguments) {
  UsmType type = UsmType::kHost;
  for (const PlacedArgument& a : arguments)
    if (a.kind == ArgumentKind::kUsmArray) type = strongest(type, a.usm_type);
  return type;
}

Placement place_usm(std::string_view where, Arguments arguments, int first,
                    const Queue* explicit_queue, const Queue* context_queue) {
  if (explicit_queue) {
    check_accessible(where, arguments, *explicit_queue);
    return {.queue = *explicit_queue, .usm_type = strongest_type(arguments)};
  }
  check_equivalent(where, arguments, first);
  const Queue& queue = *arguments[first].queue;
  return {.queue = queue,
          .usm_type = strongest_type(arguments),
          .follows_data = true,
          .context_ignored = context_queue && !queue.equivalent(*context_queue)};
}

}  // namespace

Placement place(std::string_view where, std::span<const PlacedArgument> arguments,
                const Queue* explicit_queue, const Queue* context_queue) {
  const int usm = first_of(arguments, ArgumentKind::kUsmArray);
  const int host = first_of(arguments, ArgumentKind::kHostArray);
  if (usm >= 0 && host >= 0) refuse_mixture(where, arguments, usm, host);
  if (usm >= 0) return place_usm(where, arguments, usm, explicit_queue, context_queue);
  if (host >= 0) {
    const Queue* queue = explicit_queue ? explicit_queue : context_queue;
    if (queue) return {.queue = *queue, .stage_host_arrays = true};
    refuse(where, "the queue can not be determined: " + label(arguments, host) +
                      " is a host array and there is no device context. Pass queue=, use "
                      "device_context(...), or make USM arrays with asarray");
  }
  if (explicit_queue) return {.queue = *explicit_queue};
  refuse(where,
         "the queue can not be determined: no argument is an array. Pass queue= or a USM "
         "array");
}

}  // namespace hither::runtime
