#include "python/dispatch/run_steps.h"

#include <algorithm>
#include <chrono>

#include "python/convert/array_argument.h"
#include "python/convert/array_object.h"
#include "python/dispatch/matched_call.h"
#include "python/interpreter/release_gil.h"

namespace hither::python {
namespace {

using Clock = std::chrono::steady_clock;

/// Steps of the first run. Later ones take about kRunTime, between two looks for signals; other
/// threads that use the queue wait so long. On queues that run tasks later it is the time of the
/// submissions.
constexpr int64_t kFirstSteps = 2, kMostGrowth = 8;
constexpr std::chrono::duration<double> kRunTime = std::chrono::milliseconds(10);

nb::object integer(int64_t value) { return nb::steal(PyLong_FromLongLong(value)); }

nb::object object_of(const Scalar& number) {
  if (number.kind() == Scalar::Kind::kInt) return integer(number.integer());
  return nb::steal(PyFloat_FromDouble(number.real()));
}

/// New objects in place of a result's arrays and numbers, which show where the next call has them.
class Placeholders final : public LeafSource {
 public:
  explicit Placeholders(const MatchedCall& call) : call_(call) {}
  PyObject* array() override {
    return add(arrays, nb::steal(wrap(Array(array_of(call_.leaves.arrays[0])))));
  }
  PyObject* argument(uint32_t index) override {
    return nb::borrow(call_.leaves.arrays[index]).release().ptr();
  }
  PyObject* symbol(uint32_t index) override {
    named.push_back(index);
    // Small integers are not new objects.
    const bool is_float = PyFloat_CheckExact(call_.number(index));
    return add(numbers, is_float ? nb::steal(PyFloat_FromDouble(0)) : integer(INT64_MAX - index));
  }

  std::vector<nb::object> arrays, numbers;
  std::vector<size_t> named;  ///< of each of the numbers: its index in the run

 private:
  static PyObject* add(std::vector<nb::object>& to, nb::object made) {
    to.push_back(made);
    return made.release().ptr();
  }
  const MatchedCall& call_;
};

std::optional<size_t> place(const std::vector<nb::object>& objects, const PyObject* wanted) {
  const auto found =
      std::ranges::find(objects, wanted, [](const nb::object& o) { return o.ptr(); });
  if (found == objects.end()) return std::nullopt;
  return static_cast<size_t>(found - objects.begin());
}

/// Where the arguments of a step come from, if it follows another step of the same program.
struct Feedback {
  static constexpr int kSame = -1, kIndex = -2, kConstant = -3;
  std::vector<int> arrays;   ///< number of the result, or kSame
  std::vector<int> numbers;  ///< index of the run's number, kIndex: the step's, or kConstant
  std::vector<nb::object> constants;  ///< those of kConstant; null for the other numbers

  /// Nothing if the results are not arguments in the way of a loop.
  static std::optional<Feedback> of(const CallProgram& p, const MatchedCall& call) {
    if (call.leaves.arrays.empty()) return std::nullopt;
    Placeholders made(call);
    size_t at = 0;
    const nb::object state = rebuild(p.result, at, made), index = integer(INT64_MAX);
    Leaves next;
    at = 0;
    if (!matches(index.ptr(), p.parts, at, next) || !matches(state.ptr(), p.parts, at, next))
      return std::nullopt;
    for (const Variable& v : p.variables)
      if (!matches(v, p.parts, at, next)) return std::nullopt;
    Feedback found;
    for (size_t i = 0; i < next.arrays.size(); ++i) {
      const auto result = place(made.arrays, next.arrays[i]);
      if (!result && next.arrays[i] != call.leaves.arrays[i]) return std::nullopt;
      found.arrays.push_back(result ? static_cast<int>(*result) : kSame);
    }
    for (PyObject* number : next.numbers) {
      const auto result = place(made.numbers, number);
      const bool is_index = number == index.ptr(), is_constant = !is_index && !result;
      found.numbers.push_back(is_index ? kIndex
                              : result ? static_cast<int>(made.named[*result])
                                       : kConstant);
      found.constants.push_back(is_constant ? nb::borrow(number) : nb::object());
    }
    return found;
  }

  /// Whether steps after the second one depend on nothing but the arithmetic of their numbers: a
  /// number that has to have one value is the same object in all of them.
  bool repeats_arithmetic(const CallProgram& p) const {
    for (size_t i = 0; i < numbers.size(); ++i)
      if (p.fixed[i].is_valid() && numbers[i] != kConstant) return false;
    return p.arithmetic.has_value();
  }
};

/// The call of step number `index`, which follows `call`.
MatchedCall following(const Feedback& feedback, const MatchedCall& call, int64_t index) {
  MatchedCall next;
  next.leaves.arrays = call.leaves.arrays;
  for (size_t i = 0; i < feedback.numbers.size(); ++i) {
    const int from = feedback.numbers[i];
    next.kept.push_back(from == Feedback::kIndex ? integer(index)
                        : from == Feedback::kConstant
                            ? feedback.constants[i]
                            : nb::borrow(call.number(static_cast<uint32_t>(from))));
    next.leaves.numbers.push_back(next.kept.back().ptr());
  }
  return next;
}

/// The draws of steps. Those that are not kept are given back, the last ones first.
class DrawsOfSteps {
 public:
  DrawsOfSteps() = default;
  DrawsOfSteps(const DrawsOfSteps&) = delete;
  DrawsOfSteps& operator=(const DrawsOfSteps&) = delete;
  ~DrawsOfSteps() {
    for (auto draws = taken_.rbegin(); draws != taken_.rend(); ++draws) (*draws)->give_back();
  }
  void add(const MatchedCall& call) {
    if (call.draws) taken_.push_back(call.draws);
  }
  /// The step that has been added last takes place.
  void count() { steps_ = taken_.size(); }
  void keep() {
    for (size_t i = 0; i < steps_; ++i) taken_[i]->keep();
  }

 private:
  std::vector<std::shared_ptr<TakenDraws>> taken_;
  size_t steps_ = 0;
};

/// Runs steps by a program.
class Loop {
 public:
  explicit Loop(nb::handle compiled) : compiled_(compiled) {}

  /// Runs at most `count` steps from number `begin`, and returns how many. Changes `state`.
  int64_t run(int64_t begin, int64_t count, nb::object& state) {
    const auto program = latest_program(compiled_);
    if (!program || !program->recording || program == unsuitable_ || Recorder::is_active())
      return 0;
    const nb::object index = integer(begin);
    PyObject* arguments[] = {index.ptr(), state.ptr()};
    MatchedCall first;
    if (!holds(*program, arguments, 2, nullptr, first)) return 0;
    const auto feedback = Feedback::of(*program, first);
    if (!feedback) return refuse(program);
    const auto own = scalars_of(first);
    if (!own) return 0;
    DrawsOfSteps draws;
    draws.add(first);
    draws.count();
    Steps made{begin, *own, first, 1};
    const int64_t most = std::min(count, wanted_);
    add_called(*program, *feedback, std::min<int64_t>(most, 2), made, draws);
    if (made.count == 2 && feedback->repeats_arithmetic(*program))
      add_computed(*program, *feedback, most, made);
    add_called(*program, *feedback, most, made, draws);
    const int64_t steps = made.count;
    std::vector<const Array*> arrays;
    for (PyObject* object : first.leaves.arrays) arrays.push_back(&array_of(object));
    std::vector<Array> results;
    const auto start = Clock::now();
    if (!unlocked([&] {
          return program->recording->run_steps(arrays, feedback->arrays, made.numbers, steps,
                                               results);
        }))
      return refuse(program);
    draws.keep();
    const std::chrono::duration<double> time = Clock::now() - start;
    const double fitting = static_cast<double>(steps) * (kRunTime / time);
    wanted_ =
        std::clamp<int64_t>(static_cast<int64_t>(std::min(fitting, 1e6)), 1, steps * kMostGrowth);
    ResultLeaves leaves(std::move(results), made.last);
    size_t at = 0;
    state = rebuild(program->result, at, leaves);
    return steps;
  }

 private:
  /// Steps whose numbers are known.
  struct Steps {
    int64_t begin;
    std::vector<Scalar> numbers;
    MatchedCall last;
    int64_t count;
  };

  /// Adds steps whose numbers Python computes.
  static void add_called(const CallProgram& program, const Feedback& feedback, int64_t most,
                         Steps& made, DrawsOfSteps& draws) {
    while (made.count < most) {
      MatchedCall next = following(feedback, made.last, made.begin + made.count);
      if (!numbers_hold(program, next)) return;
      draws.add(next);
      const auto own = scalars_of(next);
      if (!own) return;
      draws.count();
      made.numbers.insert(made.numbers.end(), own->begin(), own->end());
      made.last = std::move(next);
      ++made.count;
    }
  }

  /// Adds steps after the second one, as far as C++ can compute their numbers. Python computes
  /// those of the last step once more, because results need its objects.
  static void add_computed(const CallProgram& program, const Feedback& feedback, int64_t most,
                           Steps& made) {
    const size_t kinds = made.numbers.size() / static_cast<size_t>(made.count);
    std::vector<Scalar> numbers(made.numbers.end() - static_cast<ptrdiff_t>(kinds),
                                made.numbers.end());
    numbers.reserve(kinds * static_cast<size_t>(most));
    int64_t added = 0;
    for (; made.count + added < most; ++added) {
      const size_t before = numbers.size() - kinds;
      for (size_t i = 0; i < feedback.numbers.size(); ++i) {
        const int from = feedback.numbers[i];
        if (from == Feedback::kIndex)
          numbers.emplace_back(made.begin + made.count + added);
        else
          numbers.push_back(numbers[before + (from < 0 ? i : static_cast<size_t>(from))]);
      }
      if (!program.arithmetic->run(numbers)) break;
    }
    numbers.resize(kinds * static_cast<size_t>(added + 1), Scalar(0));
    if (added == 0) return;
    MatchedCall last;
    last.leaves.arrays = made.last.leaves.arrays;
    for (size_t i = 0; i < feedback.numbers.size(); ++i) {
      last.kept.push_back(object_of(numbers[numbers.size() - kinds + i]));
      last.leaves.numbers.push_back(last.kept.back().ptr());
    }
    if (!numbers_hold(program, last)) return;
    made.numbers.insert(made.numbers.end(), numbers.begin() + static_cast<ptrdiff_t>(kinds),
                        numbers.end());
    made.last = std::move(last);
    made.count += added;
  }

  int64_t refuse(std::shared_ptr<const CallProgram> program) {
    unsuitable_ = std::move(program);
    return 0;
  }

  const nb::handle compiled_;
  std::shared_ptr<const CallProgram> unsuitable_;
  int64_t wanted_ = kFirstSteps;
};

}  // namespace

nb::object run_steps(nb::handle compiled, int64_t count, nb::object state) {
  Loop loop(compiled);
  for (int64_t i = 0; i < count;) {
    if (const int64_t steps = loop.run(i, count - i, state)) {
      i += steps;
    } else {
      const nb::object index = integer(i++);
      PyObject* arguments[] = {index.ptr(), state.ptr()};
      state = nb::steal(PyObject_Vectorcall(compiled.ptr(), arguments, 2, nullptr));
      if (!state.is_valid()) throw nb::python_error();
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return state;
}

}  // namespace hither::python
