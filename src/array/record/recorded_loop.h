// Recorded work that runs several times, each time over the results of the run before.
#pragma once

#include "array/record/recorded_run.h"

namespace hither::array {

/// Submits the work again with other addresses, and nothing else: the results of the runs in
/// between never become arrays. They lie in two memories each, which alternate. Under the graph
/// lock of the work's queue.
class RecordedLoop final : public RecordedRun {
 public:
  /// Argument a of each run after the first is result number feedback[a] of the run before, or
  /// stays the same if that is -1. `numbers` are those of each run, one run after another.
  RecordedLoop(const RecordedWork& work, std::span<const Array* const> arguments,
               std::span<const int> feedback, std::span<const Scalar> numbers, int64_t runs)
      : RecordedRun(work, arguments, numbers), feedback_(feedback), runs_(runs) {}

  /// Whether the work is for these arguments, and its results can be its arguments. Allocates the
  /// memories.
  bool accepts();
  void all();

 private:
  /// Where a run reads its arguments and writes its results.
  enum Variant : uint8_t { kFirst, kFromFirst, kFromSecond };
  static constexpr int kVariants = 3;
  using Slots = llvm::SmallVector<uint64_t, 32>;

  bool feeds(size_t argument) const;
  bool fits() const;
  bool allocate();
  char* first_of(size_t argument, const llvm::SmallVector<Memory, 8>& memories) const;
  char* address(Variant variant, const RecordedAddress& at) const;
  const Memory& written(Variant variant, size_t memory) const;
  Event submit(const RecordedStep& step, Variant variant, Slots& slots, const Scalar* numbers,
               std::span<const Event> depends_on) const;
  void note_uses(const Event& last);
  void record_launches(std::span<const RecordedStep> steps, uint64_t spent) const;

  const std::span<const int> feedback_;
  const int64_t runs_;
  llvm::SmallVector<Memory, 8> second_;  ///< of results; the first ones are memories_
};

}  // namespace hither::array
