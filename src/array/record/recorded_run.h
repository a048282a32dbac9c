// One run of recorded work.
#pragma once

#include <span>
#include <vector>

#include "array/record/recorded_work.h"

namespace hither::array {

class CallOperands;

/// Under the graph lock of the work's queue, except for call().
class RecordedRun {
 public:
  RecordedRun(const RecordedWork& work, std::span<const Array* const> arguments,
              std::span<const Scalar> numbers)
      : work_(work), arguments_(arguments), numbers_(numbers) {}

  /// Whether the work is for these arguments. Afterwards their values are known.
  bool accepts();
  void check_dependencies() const;
  /// Submits the steps up to the next call on the host, or to the end. May be repeated after
  /// WaitFirst.
  void submit();
  /// Whether all steps have run.
  bool is_done() const { return next_ == steps_->size(); }
  /// Runs the call that submit() has stopped at. Returns false if the run ends there, because the
  /// call has an error, or results of other kinds.
  bool call();
  /// Whether no other thread has written or exported an argument that the run writes.
  bool may_finish() const;
  void finish(std::vector<Array>& results);

 protected:
  void begin();
  bool accepts(size_t i, uint64_t visit);
  Memory allocated(uint16_t memory) const;
  // The first argument from number `from` on that has the storage of x.
  int first_stored(const Array& x, size_t from) const;
  bool seen_before(const ValueRef& v) const;
  char* address(int memory, int64_t offset) const;
  /// The events that the step has to wait for.
  llvm::SmallVector<Event, 4> dependencies(const RecordedStep& step) const;
  Event run(const RecordedStep& step);
  Event launch(const RecordedStep& step) const;
  Event run_recipe(const RecordedStep& step);
  // An operand as a value over its memory.
  ValueRef operand_value(const RecordedOperand& o) const;
  // Of a call on the host.
  bool add_operand(const RecordedView& view, CallOperands& operands) const;
  bool take(const RecordedHostCall& call, const CallOperands& operands,
            std::span<const Array> results);
  void note(const RecordedStep& step, const Event& event);
  ValueRef value_of(const RecordedWork::MadeValue& made);

  const RecordedWork& work_;
  const std::span<const Array* const> arguments_;
  const std::span<const Scalar> numbers_;
  llvm::SmallVector<ValueRef, 8> before_;  ///< values of the arguments
  llvm::SmallVector<char*, 8> first_;      ///< addresses of their elements 0
  llvm::SmallVector<Memory, 8> memories_;
  llvm::SmallVector<Event, 8> events_;  ///< of the last task that used a memory
  const std::vector<RecordedStep>* steps_ = nullptr;
  size_t next_ = 0;
};

}  // namespace hither::array
