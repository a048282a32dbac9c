// Recordings: the work of a function of arrays, which can run again for other arrays.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hither/array.h>

namespace hither {

namespace array {
class RecordedWork;
class WorkRecorder;
}  // namespace array

/// A step of a recording that is neither a kernel nor a copy: a call that runs on the host between
/// the work before it and the work after it. Immutable and thread-safe.
class HITHER_EXPORT RecordedCall {
 public:
  virtual ~RecordedCall() = default;
  /// Gives the results for these operands, as a plain call would. It may write operands. Throws
  /// Error, or returns false after an error that it keeps.
  virtual bool run(std::span<const Array> operands, std::span<const Scalar> numbers,
                   std::vector<Array>& results) const = 0;
  virtual std::string describe() const = 0;
};

/// The kernels, copies and library calls that one call of a function of arrays has submitted, as
/// a program over the function's arguments. Running it gives the bits of another call, without the
/// operations of arrays that led to the work. Immutable and thread-safe.
class HITHER_EXPORT Recording {
 public:
  explicit Recording(std::shared_ptr<const array::RecordedWork> work) noexcept
      : work_(std::move(work)) {}

  /// Runs the work for other arguments and returns the results of the function. An argument that
  /// the function has written has its new elements afterwards. Returns false, with nothing changed,
  /// if the recording is not for these arguments: shapes, strides, dtypes, queues, USM types,
  /// alignments, kinds of numbers, or which arguments share elements, differ from the recorded
  /// ones; memory of an argument has been given to other libraries; or a call among the steps has
  /// an error, or other kinds of results than the recorded ones. The function itself then raises
  /// the error. Does not wait on queues that run tasks asynchronously, unless a call does. Errors
  /// as for the operations.
  bool run(std::span<const Array* const> arguments, std::span<const Scalar> numbers,
           std::vector<Array>& results) const;
  /// Runs the work `steps` times, one after another. From the second run on, argument a is result
  /// number feedback[a] of the run before; it stays the same if that is -1. `numbers` are those of
  /// each run, one run after another, and `results` those of the last run. Returns false, with
  /// nothing changed, where run() would, and if the results of a run cannot be its arguments, or
  /// only by single runs: the function writes an argument, calls a library or handles large
  /// memories, or the queue is out of order. Everything else as for run(); steps > 0.
  bool run_steps(std::span<const Array* const> arguments, std::span<const int> feedback,
                 std::span<const Scalar> numbers, int64_t steps, std::vector<Array>& results) const;
  /// Whether calls on the host are among the steps.
  bool has_calls() const noexcept;
  /// A line for each kernel, copy and library call, and for those that are joined to one kernel.
  std::string describe() const;
  /// Small kernels that follow each other become one kernel at this run of a recording; 4 unless it
  /// is set. For all recordings of the process; returns the number before. For tests.
  static int64_t join_after(int64_t runs) noexcept;

 private:
  std::shared_ptr<const array::RecordedWork> work_;
};

/// Records what its thread submits, from construction to finish(). The arguments are evaluated
/// first. Meanwhile the elements of arrays cannot be read on the host (Error kType). Used on one
/// thread.
class HITHER_EXPORT Recorder {
 public:
  /// Error kValue if the thread records already.
  explicit Recorder(std::span<const Array> arguments);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  /// Evaluates the function's results and the arguments that it has written, and ends. `numbers`:
  /// those of this call, which each run receives anew, in the order of their symbols. Null if the
  /// work cannot run again in this way: refusal() says why.
  std::shared_ptr<const Recording> finish(std::span<const Array> results,
                                          std::span<const Scalar> numbers);
  /// Ends, and gives the arguments the elements that they had at first.
  void abandon() noexcept;
  /// Why there is no recording; empty if there is one.
  const std::string& refusal() const noexcept;
  /// The numbers on whose values the work depends: a recording is valid for these alone.
  std::vector<uint16_t> fixed_numbers() const;

  /// Whether the calling thread records.
  static bool is_active() noexcept;
  /// Whether it does not, or what it records cannot run again.
  static bool is_refused() noexcept;
  /// Makes the call, whose work is not recorded, a step of what the thread records. It gets arrays
  /// over the memory of the operands; those that it writes have new elements afterwards. `numbers`
  /// have symbols. Nothing after an error that the call keeps. Unless is_refused().
  static std::optional<std::vector<Array>> call(std::shared_ptr<const RecordedCall> call,
                                                std::span<const Array> operands,
                                                std::span<const Scalar> numbers = {});
  /// Says that the recorded work, if any, depends on the value of a number.
  static void depend_on(const Scalar& number) {
    if (number.symbol() != 0) [[unlikely]]
      fix(number.symbol());
  }
  /// Says that what the calling thread records cannot run again. Nothing if it does not record.
  static void refuse(std::string_view reason);

 private:
  static void fix(uint16_t symbol);

  std::unique_ptr<array::WorkRecorder> recorder_;
};

}  // namespace hither
