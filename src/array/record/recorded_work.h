// Recorded work: steps over memories that are the arguments' or are allocated at each run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <hither/recording.h>
#include <llvm/ADT/SmallVector.h>

#include "array/graph/value.h"
#include "array/record/launch_recording.h"
#include "target/kernel_module.h"

namespace hither::array {

/// An address in a kernel's arguments: of a memory, at an offset in bytes. An argument's offsets
/// are relative to its element 0.
struct RecordedAddress {
  uint16_t slot, memory;
  int64_t offset;
};

/// An operand of a library call: memory as a value.
struct RecordedOperand {
  int memory = -1;     ///< -1: a number
  int64_t offset = 0;  ///< of the value's element 0 in bytes, as in RecordedAddress
  LayoutRef whole;     ///< the value's layout
  DType dtype = DType::kBool;
  Input input;  ///< without its value
  int64_t operated = 0;
};

/// A kernel that can become part of another one.
struct RecordedKernel {
  std::string key;  ///< of find_kernel()
  target::KernelModule module;
};

/// An array that a call on the host gets: one over a memory.
struct RecordedView {
  uint16_t memory;
  int storage;       ///< views with the same number share a storage
  bool is_argument;  ///< its value is that of an argument
  bool read_only;
  int64_t offset;   ///< of element 0 in bytes, as in RecordedAddress
  int64_t into;     ///< the same for the value's element 0
  LayoutRef whole;  ///< the value's layout
  DType element;    ///< the value's dtype
  LayoutRef layout;
  DType dtype;
};

/// A value that a call on the host makes, which becomes a memory of the run.
struct RecordedOutput {
  uint16_t memory;
  int storage;  ///< of the views, whose elements it replaces; -1 for a result
  size_t bytes;
  LayoutRef whole;
  DType dtype;
  UsmType usm_type;
};

/// An array that a call on the host returns.
struct RecordedReturn {
  int storage;  ///< of the views, or -1
  int output;   ///< or of an output
  LayoutRef layout;
  DType dtype;
};

/// A call on the host, between the launches before it and those after it.
struct RecordedHostCall {
  std::shared_ptr<const RecordedCall> call;
  std::vector<RecordedView> views;
  std::vector<uint16_t> numbers;  ///< symbols
  std::vector<RecordedOutput> outputs;
  std::vector<RecordedReturn> returns;
};

/// A kernel, a copy of a whole memory, the launch of a recipe, or a call on the host.
struct RecordedStep {
  enum class Kind : uint8_t { kLaunch, kCopy, kRecipe, kCall } kind = Kind::kLaunch;
  Kernel kernel;
  std::string name, device;
  NdRange range = Range(1);
  llvm::SmallVector<uint64_t, 16> slots;
  llvm::SmallVector<RecordedAddress, 8> addresses;
  llvm::SmallVector<RecordedNumber, 2> numbers;
  int64_t bytes = 0, elements = 0;
  int64_t walked = 0;                          ///< KernelCall::walks()
  std::shared_ptr<const RecordedKernel> part;  ///< null if it cannot be joined with others

  std::shared_ptr<const Recipe> recipe;
  LayoutRef layout;
  DType dtype = DType::kBool, compute = DType::kBool;
  UsmType usm_type = UsmType::kDevice;
  std::vector<RecordedOperand> operands;

  std::shared_ptr<const RecordedHostCall> call;

  int target = -1;  ///< memory that a copy or a recipe makes
  /// Whether the step allocates the memory itself.
  bool makes(uint16_t memory) const noexcept;
  /// Sorts the numbers by symbol and dtype, so that write_numbers() converts each once.
  void sort_numbers();
  /// Writes the numbers of a run in slots.
  void write_numbers(const Scalar* of_run, uint64_t* to) const;
  std::vector<uint16_t> uses;       ///< memories, each once
  std::vector<uint16_t> allocates;  ///< before the step
  std::vector<uint16_t> last_uses;  ///< memories that are freed after the step
};

class RecordedWork {
 public:
  struct Argument {
    LayoutRef layout;  ///< of the array
    DType dtype;
    UsmType usm_type;
    bool read_only;
    int alias;           ///< the first argument with the same value
    int storage;         ///< the first argument with the same storage
    int64_t distance;    ///< in bytes, between its element 0 and the alias's
    int alignment;       ///< of element 0: address modulo 64
    bool written;        ///< the function gives its storage another value
    int64_t into;        ///< written: offset in bytes of element 0 in the memory
    size_t bytes;        ///< written: size of the memory
    LayoutRef whole;     ///< written: layout of the value
    int value = -1;      ///< written: index into `values`
    bool named = false;  ///< a result is the argument or a view of its elements
  };
  struct Made {
    size_t bytes;
    UsmType usm_type;
  };
  /// A value that a run makes, or an argument's.
  struct MadeValue {
    int memory;
    int64_t offset;
    LayoutRef layout;
    DType dtype;
  };
  struct Result {
    int argument = -1;  ///< the storage of an argument
    int value = -1;     ///< or of a value; results with the same `storage` share one
    int storage = 0;
    LayoutRef layout;
    DType dtype;
  };

  bool run(std::span<const Array* const> arguments, std::span<const Scalar> numbers,
           std::vector<Array>& results) const;
  bool run_steps(std::span<const Array* const> arguments, std::span<const int> feedback,
                 std::span<const Scalar> numbers, int64_t steps, std::vector<Array>& results) const;
  /// The steps of the next `runs` runs, which this call counts. After the first few runs, small
  /// launches that follow each other are joined to one, which has to be compiled. Under the graph
  /// lock of the queue.
  const std::vector<RecordedStep>& steps_of(int64_t runs) const;

  std::optional<Queue> queue;
  std::vector<Argument> arguments;
  std::vector<Made> made;           ///< memories from number arguments.size() on
  std::vector<Scalar::Kind> kinds;  ///< of the numbers that steps use; in their order
  std::vector<RecordedStep> steps;
  std::vector<RecordedNumber> integers;  ///< the numbers of steps that have integer dtypes
  std::vector<uint16_t> unused;  ///< memories of values that no step writes: without elements
  std::vector<MadeValue> values;
  std::vector<Result> results;
  int storages = 0;
  bool has_calls = false;

 private:
  mutable int64_t runs_ = 0;
  mutable bool is_joined_ = false;
  mutable std::vector<RecordedStep> joined_;  ///< empty if nothing is joined
};

}  // namespace hither::array
