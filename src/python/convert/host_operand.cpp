#include "python/convert/host_operand.h"

#include <algorithm>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/convert/array_import.h"
#include "python/convert/current_queue.h"
#include "runtime/placement.h"

namespace hither::python {
namespace {

// The dtype of the arrays decides whether an int beyond 64 bits may become a float.
DType floating_dtype_of_arrays(std::span<PyObject* const> arguments) {
  for (PyObject* argument : arguments) {
    if (is_array(argument)) {
      const DType dtype = array_of(argument).dtype();
      if (is_floating(dtype) || is_complex(dtype)) return dtype;
    }
  }
  return DType::kInt64;
}

[[noreturn]] void refuse(std::string_view function, std::string_view name, PyObject* argument) {
  const bool is_sharded = type_name(argument) == "hither.ShardedArray";
  const std::string_view remedy = is_sharded
                                      ? "gather it with hither.gather(x), or use x.parts"
                                      : "pass an array (hither.asarray makes one) or a number";
  throw Error(ErrorKind::kType, std::string(function),
              fmt::format("{} is {}; {}", name, a_type(argument), remedy));
}

// If all arguments are numbers, one of them becomes an array: the first that has a dtype of its
// own, else the first.
size_t array_among(std::span<const std::optional<Scalar>> numbers) {
  const auto typed = std::find_if(numbers.begin(), numbers.end(),
                                  [](const auto& number) { return !number->is_weak(); });
  return typed == numbers.end() ? 0 : static_cast<size_t>(typed - numbers.begin());
}

}  // namespace

PlacedCall::PlacedCall(std::string_view function, std::span<PyObject* const> arguments,
                       std::span<const std::string_view> names, const Queue* explicit_queue) {
  const DType other_dtype = floating_dtype_of_arrays(arguments);
  const bool has_usm = std::any_of(arguments.begin(), arguments.end(), [](PyObject* argument) {
    return is_array(argument) || is_foreign_usm_array(argument);
  });
  std::vector<runtime::PlacedArgument> placed(arguments.size());
  std::vector<std::string> type_names(arguments.size());
  std::vector<std::optional<Scalar>> scalars(arguments.size());
  imported_.reserve(arguments.size());
  std::vector<const Array*> arrays(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    PyObject* argument = arguments[i];
    type_names[i] = type_name(argument);
    placed[i].name = names[i];
    placed[i].type_name = type_names[i];
    if (!is_array(argument) && (has_usm || !is_zero_dimensional(argument))) {
      scalars[i] = scalar_of(argument, other_dtype);
      if (scalars[i]) continue;
    }
    if (is_array(argument)) {
      arrays[i] = &array_of(argument);
    } else if (is_foreign_usm_array(argument)) {
      arrays[i] = &imported_.emplace_back(import_usm_array(argument));
    } else if (is_host_array(argument)) {
      placed[i].kind = runtime::ArgumentKind::kHostArray;
      continue;
    } else {
      refuse(function, names[i], argument);
    }
    placed[i].kind = runtime::ArgumentKind::kUsmArray;
    placed[i].queue = &arrays[i]->queue();
    placed[i].usm_type = arrays[i]->usm_type();
  }
  const auto context = context_queue();
  const runtime::Placement placement =
      runtime::place(function, placed, explicit_queue, context ? &*context : nullptr);
  if (explicit_queue || placement.stage_host_arrays) queue_ = placement.queue;
  if (std::all_of(scalars.begin(), scalars.end(), [](const auto& s) { return s.has_value(); })) {
    const size_t first = array_among(scalars);
    const Scalar& number = *scalars[first];
    arrays[first] = &imported_.emplace_back(unlocked(
        [&] { return full(Dims(), number, number.dtype(), {placement.queue, UsmType::kDevice}); }));
    scalars[first].reset();
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (scalars[i]) {
      operands_.emplace_back(*scalars[i]);
      continue;
    }
    if (!arrays[i]) {
      arrays[i] = &imported_.emplace_back(
          import_host_array(arguments[i], {placement.queue, UsmType::kDevice}));
    }
    operands_.emplace_back(*arrays[i]);
  }
}

Array on_explicit_queue(const Array& x, nb::handle queue, std::string_view function) {
  const auto wanted = explicit_queue(queue);
  if (!wanted) return x;
  runtime::PlacedArgument argument;
  argument.kind = runtime::ArgumentKind::kUsmArray;
  argument.queue = &x.queue();
  argument.usm_type = x.usm_type();
  argument.name = "x";
  argument.type_name = "hither.Array";
  runtime::place(function, {&argument, 1}, &*wanted, nullptr);
  return unlocked([&] { return to_queue(x, {*wanted, x.usm_type()}); });
}

void refuse_host_operand(std::string_view operation, PyObject* left, PyObject* right) {
  PyObject* host = is_array(left) ? right : left;
  const Queue& queue = array_of(is_array(left) ? left : right).queue();
  throw Error(
      ErrorKind::kPlacement, std::string(operation),
      fmt::format("the {} operand is {} in host memory and the other is an array on {}; wrap it "
                  "with hither.asarray(v, like=x)",
                  host == left ? "left" : "right", a_type(host), queue.device().filter_string()));
}

void refuse_host_item(std::string_view operation, PyObject* sequence, PyObject* item,
                      const Array& x) {
  throw Error(ErrorKind::kPlacement, std::string(operation),
              fmt::format("the {} operand holds {} in host memory and the other operand is an "
                          "array on {}; wrap it with hither.asarray(v, like=x)",
                          type_name(sequence), a_type(item), x.queue().device().filter_string()));
}

}  // namespace hither::python
