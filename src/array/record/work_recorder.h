// Records the work that a thread submits, for Recording.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include <hither/recording.h>
#include <llvm/ADT/ArrayRef.h>

#include "array/kernel_table.h"
#include "array/record/launch_recording.h"
#include "array/record/recorded_work.h"
#include "runtime/work_observer.h"

namespace hither::array {

class CallOperands;

class WorkRecorder final : public runtime::WorkObserver {
 public:
  explicit WorkRecorder(std::span<const Array> arguments);

  /// The recorder of this thread, or null.
  static WorkRecorder* of_this_thread() noexcept {
    return static_cast<WorkRecorder*>(runtime::WorkObserver::of_this_thread());
  }

  void allocated(const Memory& memory) override;
  void submitted(const Queue& queue) noexcept override;

  /// The kernel, which is about to be launched, has been made from this module.
  void found(const Kernel& kernel, std::string_view key,
             llvm::function_ref<target::KernelModule()> make);
  /// The kernel has been submitted with these arguments.
  void launched(const Queue& queue, const ReadyKernel& kernel, const NdRange& range,
                llvm::ArrayRef<uint64_t> slots, const AddressSlots& addresses,
                llvm::ArrayRef<RecordedNumber> numbers, int64_t bytes, int64_t elements,
                int64_t walked);
  /// All of `from` has been copied to new memory.
  void copied(const Memory& to, const Memory& from);
  /// Around the launch of a recipe. The second takes the recipe over if its work was not made of
  /// array kernels alone.
  void begin_recipe();
  void end_recipe(Value& value, std::span<const Operated> operands);

  /// See Recorder::call().
  std::optional<std::vector<Array>> call(std::shared_ptr<const RecordedCall> call,
                                         std::span<const Array> operands,
                                         std::span<const Scalar> numbers);

  /// A node has been made; an array that is written, or a value that is read, while it is recorded
  /// has to be made of these or of the arguments.
  void made(const Value& node) { made_.insert(&node); }
  void reads(const Value& value) {
    if (value.is_pending() && !made_.contains(&value)) refuse(kUnknown);
  }
  void writes(const Array& x);

  /// The first reason is kept.
  void refuse(std::string_view reason);
  /// The work depends on the value of the number.
  void fix(uint16_t symbol) {
    if (symbol != 0) fixed_.insert(symbol);
  }

  std::shared_ptr<const RecordedWork> finish(std::span<const Array> results,
                                             std::span<const Scalar> numbers);
  void abandon() noexcept;
  /// After finish(): drops the references to the arguments and to their former values.
  void forget_arguments() noexcept {
    arguments_.clear();
    before_.clear();
  }
  const std::string& refusal() const noexcept { return refusal_; }
  const std::set<uint16_t>& fixed() const noexcept { return fixed_; }

 private:
  struct Place {
    int memory;  ///< -1: unknown
    int64_t offset;
  };
  Place find(const void* address) const noexcept;
  int memory_of(const Value& value) const noexcept;
  void add(RecordedStep step);
  bool add_view(const Array& x, std::vector<Reference<Storage>>& storages, RecordedHostCall& call);
  int add_output(const ValueRef& value, int storage, RecordedHostCall& call);
  void add_outputs(std::span<const Reference<Storage>> storages, const CallOperands& operands,
                   std::vector<Array>& results, RecordedHostCall& call);
  bool describe_arguments();
  int add_value(const Value& value);
  bool add_result(const Array& x);
  void find_lifetimes();

  std::shared_ptr<RecordedWork> work_;
  std::vector<Array> arguments_;
  std::vector<ValueRef> before_;  ///< the arguments' values at first
  struct Known {
    const void* state;
    const char* data;
    size_t bytes;
  };
  std::vector<Known> known_;  ///< the work's memories, at their addresses
  int64_t submissions_ = 0, accounted_ = 0;
  bool unknown_address_ = false;
  struct RecipeMark {
    size_t steps;
    int64_t submissions, accounted;
    bool unknown_address;
  } mark_{};
  static constexpr std::string_view kUnknown =
      "it uses an array that is neither an argument nor found in its scope";
  static constexpr std::string_view kTooLarge = "the work is too large";
  static constexpr std::string_view kErrorOfCall = "a call has raised an error";
  static constexpr size_t kMostMemories = 60000;
  std::set<const Value*> made_;
  std::map<const void*, std::shared_ptr<const RecordedKernel>> parts_;  ///< by the kernel's state
  std::string refusal_;
  std::set<uint16_t> fixed_;
  std::vector<const Storage*> stored_;  ///< of the results, in order
  std::vector<const Value*> added_;     ///< those of the work's values, in order
};

/// The address of element 0 of an array with this value.
inline const char* first_element(const Array& x, const Value& v) {
  return address_of(v) + x.layout()->offset * x.itemsize();
}

/// Throws Error kType while the thread records, because the elements of an array are about to be
/// read. Does nothing after refuse(), because such calls run the plain function.
void refuse_reading(std::string_view where);

}  // namespace hither::array
