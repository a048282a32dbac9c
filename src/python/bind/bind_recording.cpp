// hither.CompiledCall and the recording of its programs, see dispatch/compiled_call.h. The Python
// part is hither/_compile.
#include <algorithm>

#include <hither/recording.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include "python/bind/bindings.h"
#include "python/convert/array_argument.h"
#include "python/convert/current_queue.h"
#include "python/dispatch/compiled_call.h"
#include "python/dispatch/run_steps.h"

namespace hither::python {
namespace {

nb::object number_object(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::Kind::kBool:
      return nb::bool_(s.integer() != 0);
    case Scalar::Kind::kInt:
      return nb::int_(s.integer());
    case Scalar::Kind::kUInt:
      return nb::int_(static_cast<uint64_t>(s.integer()));
    case Scalar::Kind::kFloat:
      return nb::float_(s.real());
    case Scalar::Kind::kComplex:
      return nb::steal(PyComplex_FromDoubles(s.real(), s.imag()));
  }
  return nb::none();
}

/// A Python function among recorded work. function(arrays, numbers) returns a list of arrays, or
/// None after an error.
class PythonCall final : public RecordedCall {
 public:
  PythonCall(nb::object function, std::string name)
      : function_(std::move(function)), name_(std::move(name)) {}
  PythonCall(const PythonCall&) = delete;
  PythonCall& operator=(const PythonCall&) = delete;
  ~PythonCall() override {
    if (!GilAcquired::is_possible()) {
      (void)function_.release();
      return;
    }
    const GilAcquired gil;
    function_.reset();
  }

  bool run(std::span<const Array> operands, std::span<const Scalar> numbers,
           std::vector<Array>& results) const override {
    const GilAcquired gil;
    nb::list arrays, values;
    for (const Array& x : operands) arrays.append(nb::steal(wrap(Array(x))));
    for (const Scalar& s : numbers) values.append(number_object(s));
    const nb::object found = nb::steal(with_python([&] {
      return PyObject_CallFunctionObjArgs(function_.ptr(), arrays.ptr(), values.ptr(), nullptr);
    }));
    if (!found.is_valid()) throw nb::python_error();
    if (found.is_none()) return false;
    for (nb::handle x : found) results.push_back(array_of(x.ptr()));
    return true;
  }
  std::string describe() const override { return name_; }

 private:
  nb::object function_;
  const std::string name_;
};

// The results of the call as arrays; None after an error that function() has kept.
nb::object record_call(nb::object function, std::string name, nb::list arrays, nb::list numbers) {
  std::vector<Array> operands;
  for (nb::handle x : arrays) operands.push_back(array_of(x.ptr()));
  std::vector<Scalar> scalars;
  for (nb::handle x : numbers) scalars.push_back(scalar_of(x.ptr(), DType::kFloat64).value());
  auto call = std::make_shared<PythonCall>(std::move(function), std::move(name));
  std::optional<std::vector<Array>> results;
  {
    const GilReleased release;
    results = Recorder::call(std::move(call), operands, scalars);
  }
  if (!results) return nb::none();
  nb::list made;
  for (Array& x : *results) made.append(nb::steal(wrap(std::move(x))));
  return made;
}

/// One call of a function, and its recording.
class CallRecorder {
 public:
  CallRecorder(nb::tuple arguments, nb::dict keywords, nb::list variables)
      : program_(std::make_shared<CallProgram>()), arguments_(arguments), keywords_(keywords) {
    CallProgram& p = *program_;
    p.positional = static_cast<uint32_t>(nb::len(arguments));
    if (nb::len(keywords) > 0) p.names = nb::tuple(keywords.keys());
    for (nb::handle v : variables) {
      nb::object key = nb::borrow(v[1]);
      if (key.is_none()) key.reset();
      p.variables.push_back({nb::borrow(v[0]), std::move(key)});
    }
    p.context = context_queue();
    const Leaves leaves = describe_call(p.parts);
    for (PyObject* x : leaves.arrays) arrays_.push_back(nb::borrow(x));
    numbers_ = numbers_of(leaves);
    p.fixed.resize(leaves.numbers.size());
  }

  nb::list numbers() const { return numbers_; }
  /// The objects of which a recording supposes that they do not change.
  nb::list objects() const {
    nb::list found;
    for (const Part& part : program_->parts)
      if (part.kind == PartKind::kObject && !is_generator(part.object)) found.append(part.object);
    return found;
  }
  /// The random generators among the arguments and variables.
  nb::list generators() const {
    nb::list found;
    for (const Part& part : program_->parts)
      if (part.kind == PartKind::kObject && is_generator(part.object)) found.append(part.object);
    return found;
  }

  /// Returns why calls with such arguments cannot be recorded, or an empty text.
  std::string start() {
    std::vector<Array> arguments;
    for (const nb::object& x : arrays_) arguments.push_back(array_of(x.ptr()));
    unlocked([&] { recorder_.emplace(arguments); });
    std::string refusal = recorder_->refusal();
    if (!refusal.empty()) stop();
    return refusal;
  }

  void stop() { recorder_.reset(); }

  /// Stops, and gives the arguments the elements that they had at the start.
  void abandon() {
    if (recorder_) recorder_->abandon();
    stop();
  }

  /// After finish(): the symbols on whose values the work depends.
  std::vector<uint16_t> fixed() const { return recorder_->fixed_numbers(); }

  /// `numbers`: the values of all symbols in this call. Returns why the call cannot be repeated, or
  /// an empty text.
  std::string finish(nb::handle result, nb::handle traced, nb::tuple numbers) {
    std::vector<PyObject*> arguments, arrays;
    for (const nb::object& x : arrays_) arguments.push_back(x.ptr());
    if (!describe_result(result.ptr(), traced.ptr(), arguments, program_->result, arrays))
      Recorder::refuse("its result holds an object that is neither an array nor a number");
    std::vector<Array> results;
    for (PyObject* x : arrays) results.push_back(array_of(x));
    std::vector<Scalar> scalars;
    for (nb::handle x : numbers) {
      try {
        scalars.push_back(scalar_of(x.ptr(), DType::kFloat64).value());
      } catch (const std::exception&) {  // an integer that no dtype holds
        Recorder::refuse("it computes with a number that no array can hold");
        break;
      }
    }
    describe_again();
    program_->recording = unlocked([&] { return recorder_->finish(results, scalars); });
    return recorder_->refusal();
  }

  /// `fixed`: per number its only value, or None. `numbers_of`, `draws`: see CallProgram, or None.
  /// `arithmetic`: the arguments of Arithmetic::of(), or None.
  void add_to(nb::handle compiled, nb::list fixed, nb::object numbers_of, bool draws,
              std::optional<std::tuple<nb::list, nb::list, size_t>> arithmetic) {
    for (size_t i = 0; i < program_->fixed.size(); ++i)
      if (!fixed[i].is_none()) program_->fixed[i] = fixed[i];
    if (!numbers_of.is_none()) program_->numbers_of = std::move(numbers_of);
    program_->draws = draws;
    if (arithmetic && !draws) program_->arithmetic = std::apply(&Arithmetic::of, *arithmetic);
    add_program(compiled, program_);
  }
  /// Calls like this one run as the function itself.
  void add_plain_to(nb::handle compiled) {
    program_->recording.reset();
    add_program(compiled, program_);
  }

 private:
  static bool is_generator(const nb::object& x) {
    return generator_type && PyType_IsSubtype(Py_TYPE(x.ptr()), generator_type);
  }
  static nb::list numbers_of(const Leaves& leaves) {
    nb::list numbers;
    for (PyObject* x : leaves.numbers) numbers.append(nb::handle(x));
    return numbers;
  }

  static bool same_objects(const nb::list& a, const nb::list& b) {
    if (nb::len(a) != nb::len(b)) return false;
    for (size_t i = 0; i < nb::len(a); ++i)
      if (!a[i].is(b[i])) return false;
    return true;
  }

  Leaves describe_call(std::vector<Part>& parts) {
    Leaves leaves;
    for (nb::handle x : arguments_) describe(x.ptr(), true, parts, leaves);
    for (auto [name, x] : keywords_) describe(x.ptr(), true, parts, leaves);
    of_arguments_ = parts.size();
    for (const Variable& v : program_->variables) describe(v, parts, leaves);
    return leaves;
  }

  // A run changes arrays and no other objects. So functions that change containers, attributes or
  // variables in which arrays are cannot run again. Other changes of global and closed-over
  // variables are made once: later calls see these as they are now.
  void describe_again() {
    const size_t before = of_arguments_;
    std::vector<Part> parts;
    const Leaves leaves = describe_call(parts);
    const bool same_arrays = std::ranges::equal(leaves.arrays, arrays_, {}, {},
                                                [](const nb::object& x) { return x.ptr(); });
    const nb::list numbers = numbers_of(leaves);
    const bool same_arguments =
        of_arguments_ == before && same_objects(numbers, numbers_) &&
        std::equal(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(before),
                   program_->parts.begin(), [](const Part& a, const Part& b) {
                     return a.kind == b.kind && a.count == b.count && a.object.is(b.object);
                   });
    if (same_arrays && same_arguments)
      program_->parts = std::move(parts);
    else
      Recorder::refuse("it changes a container or an attribute");
  }

  std::shared_ptr<CallProgram> program_;
  nb::tuple arguments_;
  nb::dict keywords_;
  size_t of_arguments_ = 0;  ///< number of the parts that describe the arguments
  std::vector<nb::object> arrays_;
  nb::list numbers_;
  std::optional<Recorder> recorder_;
};

}  // namespace

void bind_recording(nb::module_& m) {
  m.attr("CompiledCall") = make_compiled_call_type();
  nb::class_<CallRecorder>(m, "CallRecorder")
      .def(nb::init<nb::tuple, nb::dict, nb::list>(), nb::arg("arguments"), nb::arg("keywords"),
           nb::arg("variables"))
      .def_prop_ro("numbers", &CallRecorder::numbers)
      .def_prop_ro("objects", &CallRecorder::objects)
      .def_prop_ro("generators", &CallRecorder::generators)
      .def("start", &CallRecorder::start)
      .def("stop", &CallRecorder::stop)
      .def("abandon", &CallRecorder::abandon)
      .def("fixed", &CallRecorder::fixed)
      .def("finish", &CallRecorder::finish, nb::arg("result").none(), nb::arg("traced"),
           nb::arg("numbers"))
      .def("add_to", &CallRecorder::add_to, nb::arg("compiled"), nb::arg("fixed"),
           nb::arg("numbers_of").none(), nb::arg("draws"), nb::arg("arithmetic").none())
      .def("add_plain_to", &CallRecorder::add_plain_to, nb::arg("compiled"));
  m.attr("MOST_PROGRAMS") = kMostPrograms;
  m.def("describe_programs", &describe_programs, nb::arg("compiled"));
  m.def("program_count", &program_count, nb::arg("compiled"));
  m.def("clear_programs", &clear_programs, nb::arg("compiled"));
  m.def("run_steps", &run_steps, nb::arg("compiled"), nb::arg("count"), nb::arg("state").none());
  m.def("join_recordings_after", &Recording::join_after, nb::arg("runs"));
  m.def("recording_is_refused", &Recorder::is_refused);
  m.def("record_call", &record_call, nb::arg("function"), nb::arg("name"), nb::arg("arrays"),
        nb::arg("numbers"));
  m.def(
      "hold_state_of",
      [](nb::object type) {
        generator_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
      },
      nb::arg("type"));
  m.def("refuse_recording", &Recorder::refuse, nb::arg("reason"));
  m.def(
      "set_traced_number_type",
      [](nb::object type) {
        traced_number_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
      },
      nb::arg("type"));
}

}  // namespace hither::python
