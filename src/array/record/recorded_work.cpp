#include "array/record/recorded_work.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>

#include "array/flush.h"
#include "array/record/join_steps.h"
#include "array/record/recorded_loop.h"

namespace hither {

using namespace array;

namespace array {

namespace {

/// Whether the numbers of all runs fit the dtypes of the steps. A number that does not is an error,
/// which the function raises itself, because it may handle it.
bool numbers_fit(const RecordedWork& work, std::span<const Scalar> numbers) {
  for (const RecordedNumber& n : work.integers)
    for (size_t i = n.symbol - 1u; i < numbers.size(); i += work.kinds.size())
      if (!numbers[i].fits(n.dtype)) return false;
  return true;
}

/// Whether the arguments and the numbers of all runs are of the recorded kinds. Evaluates the
/// arguments.
bool prepare(const RecordedWork& work, std::span<const Array* const> arguments,
             std::span<const Scalar> numbers, int64_t runs) {
  const size_t kinds = work.kinds.size();
  if (arguments.size() != work.arguments.size() ||
      numbers.size() != kinds * static_cast<size_t>(runs))
    return false;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i].kind() != work.kinds[i % kinds]) return false;
  if (!numbers_fit(work, numbers)) return false;
  for (const Array* x : arguments)
    if (!x->is_evaluated()) (void)x->evaluate();
  return true;
}

/// Joined kernels take time to compile, and save a few microseconds in each run.
std::atomic<int64_t> runs_before_joining{4};

}  // namespace

const std::vector<RecordedStep>& RecordedWork::steps_of(int64_t runs) const {
  if (!is_joined_ && (runs_ += runs) >= runs_before_joining.load(std::memory_order_relaxed)) {
    try {
      joined_ = join_steps(*this);
    } catch (const Error& error) {  // the steps themselves have run
      if (error.kind() != ErrorKind::kCompile && error.kind() != ErrorKind::kMemory) throw;
    }
    is_joined_ = true;
  }
  return joined_.empty() ? steps : joined_;
}

bool RecordedWork::run(std::span<const Array* const> args, std::span<const Scalar> numbers,
                       std::vector<Array>& results_of_run) const {
  if (!prepare(*this, args, numbers, 1)) return false;
  std::optional<RecordedRun> run;
  bool goes_on = false;
  const auto submit = [&] {
    run->submit();
    if (!run->is_done()) return;
    goes_on = run->may_finish();
    if (goes_on) run->finish(results_of_run);
  };
  with_graph_lock(*queue, [&] {
    run.emplace(*this, args, numbers);
    goes_on = run->accepts();
    if (!goes_on) return;
    run->check_dependencies();
    submit();
  });
  while (goes_on && !run->is_done()) {
    goes_on = run->call();
    if (goes_on) with_graph_lock(*queue, submit);
  }
  return goes_on;
}

bool RecordedStep::makes(uint16_t memory) const noexcept {
  if (kind == Kind::kRecipe) return target == static_cast<int>(memory);
  return kind == Kind::kCall &&
         std::ranges::find(call->outputs, memory, &RecordedOutput::memory) != call->outputs.end();
}

void RecordedStep::sort_numbers() {
  std::ranges::stable_sort(numbers, {}, [](const RecordedNumber& n) {
    return std::pair(n.symbol, static_cast<int>(n.dtype));
  });
}

void RecordedStep::write_numbers(const Scalar* of_run, uint64_t* to) const {
  const RecordedNumber* before = nullptr;  // a number is in many slots of a joined kernel
  for (const RecordedNumber& n : numbers) {
    if (before && before->symbol == n.symbol && before->dtype == n.dtype)
      std::memcpy(&to[n.slot], &to[before->slot], static_cast<size_t>(size_of(n.dtype)));
    else
      of_run[n.symbol - 1u].write(n.dtype, &to[n.slot]);
    before = &n;
  }
}

bool RecordedWork::run_steps(std::span<const Array* const> args, std::span<const int> feedback,
                             std::span<const Scalar> numbers, int64_t steps_wanted,
                             std::vector<Array>& results_of_last) const {
  if (!prepare(*this, args, numbers, steps_wanted) || feedback.size() != args.size()) return false;
  bool accepted = false;
  with_graph_lock(*queue, [&] {
    RecordedLoop loop(*this, args, feedback, numbers, steps_wanted);
    accepted = loop.accepts();
    if (!accepted) return;
    loop.check_dependencies();
    loop.all();
    loop.finish(results_of_last);
  });
  return accepted;
}

}  // namespace array

bool Recording::run(std::span<const Array* const> arguments, std::span<const Scalar> numbers,
                    std::vector<Array>& results) const {
  return work_->run(arguments, numbers, results);
}

bool Recording::run_steps(std::span<const Array* const> arguments, std::span<const int> feedback,
                          std::span<const Scalar> numbers, int64_t steps,
                          std::vector<Array>& results) const {
  return work_->run_steps(arguments, feedback, numbers, steps, results);
}

bool Recording::has_calls() const noexcept { return work_->has_calls; }

int64_t Recording::join_after(int64_t runs) noexcept { return runs_before_joining.exchange(runs); }

std::string Recording::describe() const {
  std::string text;
  const std::vector<int> joined = joined_counts(*work_);
  for (size_t i = 0; i < joined.size(); ++i) {
    const RecordedStep& step = work_->steps[i];
    if (joined[i] > 1)
      text += fmt::format("one kernel, after a few runs, for the next {}:\n", joined[i]);
    switch (step.kind) {
      case RecordedStep::Kind::kLaunch:
        text +=
            fmt::format("kernel {}: {} elements, {} bytes\n", step.name,
                        step.elements < 0 ? step.range.global.items() : step.elements, step.bytes);
        break;
      case RecordedStep::Kind::kCopy:
        text += fmt::format("copy: {} bytes\n", step.bytes);
        break;
      case RecordedStep::Kind::kRecipe:
        text += fmt::format("library call: result of shape {} and dtype {}\n",
                            shape_text(step.layout->shape), name_of(step.dtype));
        break;
      case RecordedStep::Kind::kCall:
        text += fmt::format("call on the host: {}\n", step.call->call->describe());
        break;
    }
  }
  return text;
}

}  // namespace hither
