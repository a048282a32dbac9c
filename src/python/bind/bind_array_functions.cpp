// hither.add, hither.sin and so on: one function for each row of the op table.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/ops.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/convert/host_operand.h"
#include "python/interpreter/call_error.h"
#include "python/interpreter/sharded_call.h"

namespace hither::python {
namespace {

constexpr std::string_view kParameters[3][3] = {{"x"}, {"x1", "x2"}, {"condition", "x1", "x2"}};

// Computes without placement if all arguments are hither arrays or scalars and at least one is an
// array; otherwise false. Precondition: no queue=.
bool call_directly(Op op, PyObject* const* arguments, int arity, Array& result) {
  std::optional<Operand> found[3];
  const Array* first = nullptr;
  for (int i = 0; i < arity && !first; ++i) {
    if (is_array(arguments[i])) first = &array_of(arguments[i]);
  }
  if (!first) return false;
  for (int i = 0; i < arity; ++i) {
    found[i] = operand_of(op, arguments[i], first->dtype());
    if (!found[i]) return false;
  }
  ReleaseGil unlocked;
  if (arity == 1) {
    result = hither::apply(op, std::span<const Operand>(&*found[0], 1));
  } else if (arity == 2) {
    const Operand operands[] = {*found[0], *found[1]};
    result = apply(op, operands);
  } else {
    const Operand operands[] = {*found[0], *found[1], *found[2]};
    result = apply(op, operands);
  }
  return true;
}

std::string signature(const OpInfo& info) {
  std::string parameters;
  for (int i = 0; i < info.arity; ++i)
    parameters += fmt::format("{}, ", kParameters[info.arity - 1][i]);
  return fmt::format("{}({}/, *, queue=None)", info.name, parameters);
}

// The value of queue=, borrowed; null when absent or None.
PyObject* queue_keyword(const OpInfo& info, std::span<PyObject* const> positional,
                        PyObject* const* values, PyObject* names) {
  PyObject* queue = nullptr;
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), "queue") != 0)
      refuse_call(signature(info), positional, names);
    queue = values[i];
  }
  return queue == Py_None ? nullptr : queue;
}

PyObject* call(Op op, PyObject* const* arguments, Py_ssize_t given, PyObject* keyword_names) {
  const OpInfo& info = info_of(op);
  const std::span positional(arguments, static_cast<size_t>(given));
  if (given != info.arity) refuse_call(signature(info), positional, keyword_names);
  PyObject* queue_argument = queue_keyword(info, positional, arguments + given, keyword_names);
  Array result;
  if (!queue_argument && call_directly(op, arguments, info.arity, result)) {
    return wrap(std::move(result));
  }
  const auto queue = explicit_queue(queue_argument ? nb::handle(queue_argument) : nb::none());
  const PlacedCall placed(info.name, positional,
                          std::span(kParameters[info.arity - 1], static_cast<size_t>(info.arity)),
                          queue ? &*queue : nullptr);
  return wrap(unlocked([&] { return hither::apply(op, placed.operands(), placed.queue()); }));
}

template <Op op>
PyObject* function(PyObject*, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  PyObject* const result = guarded([&] { return call(op, arguments, given, names); });
  return result ? result : call_with_sharded(info_of(op).name.data(), arguments, given, names);
}

// PyCFunctionFastWithKeywords, which exists since CPython 3.13.
using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
constexpr auto kOpCount = static_cast<size_t>(Op::kCount);

template <size_t... ops>
constexpr std::array<FastFunction, kOpCount> functions(std::index_sequence<ops...>) {
  return {function<static_cast<Op>(ops)>...};
}

constexpr std::string_view kOperands[] = {"operand", "x1;x2", "condition;x1;x2"};

struct Method {
  std::string name;
  PyMethodDef definition;
};

}  // namespace

void bind_array_functions(nb::module_& m) {
  constexpr auto table = functions(std::make_index_sequence<kOpCount>());
  // Function objects point into it for the life of the process.
  static auto* methods = new std::vector<Method>(kOpCount);
  nb::object module_name = m.attr("__name__");
  nb::list names;
  for (size_t i = 0; i < kOpCount; ++i) {
    const OpInfo& info = info_of(static_cast<Op>(i));
    Method& method = (*methods)[i];
    method.name = info.name;
    method.definition = {
        method.name.c_str(), reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(table[i])),
        METH_FASTCALL | METH_KEYWORDS,
        operation_documentation(info.name, signature(info), info.doc, kOperands[info.arity - 1])};
    nb::object object =
        nb::steal(PyCFunction_NewEx(&method.definition, nullptr, module_name.ptr()));
    if (!object.is_valid()) throw nb::python_error();
    m.attr(method.name.c_str()) = object;
    names.append(method.name.c_str());
  }
  m.attr("elementwise_functions") = names;
}

}  // namespace hither::python
