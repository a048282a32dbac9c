// One launch of an array kernel: its arguments, its dependencies, and the bookkeeping after it.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "array/graph/value.h"
#include "array/kernel_table.h"
#include "array/plan/cluster.h"
#include "array/record/work_recorder.h"

namespace hither::array {

/// Packs arguments in the order of the kernel's parameters. Used for one launch. Calls whose values
/// other threads can reach are made under the graph lock.
class KernelCall {
 public:
  void pointer(const void* p) {
    if (slots_.size() < addresses_.size()) addresses_.set(slots_.size());
    slots_.push_back(reinterpret_cast<uint64_t>(p));
  }
  void integer(int64_t v) { slots_.push_back(static_cast<uint64_t>(v)); }
  void number(const Input& number);
  /// Adds the leaves' addresses, then the numbers, as ProducerEmitter declares them. The launch
  /// waits for pending writes to the leaves.
  void producers(const KernelForm& form, const Binding& binding);
  /// Adds the address of a value's element 0. The launch waits for the value's last write.
  void reads(Value& value) {
    pointer(address_of(value));
    after(value.written.event());
    read_.push_back(&value);
  }
  /// Adds the address of element 0 of an operand, whose elements are read as `dtype`.
  void reads(const Operated& x, DType dtype) {
    reads(*x.value);
    shift(x.offset * size_of(dtype));
  }
  /// Adds the address of memory that an earlier array kernel wrote.
  void reads(const Memory& memory, const Event& written);
  /// Adds `bytes` to the address that was added last.
  void shift(int64_t bytes) { slots_.back() += static_cast<uint64_t>(bytes); }
  /// Adds the address of new memory.
  void writes(const Memory& memory) {
    pointer(memory.data());
    written_.push_back(memory);
  }
  /// The items walk over so many elements together. Recordings need it, where these are more than
  /// the items.
  void walks(int64_t elements) { walked_ = elements; }
  void after(Event event) {
    if (event.state()) depends_.push_back(std::move(event));
  }

  /// Launches the kernel, records the reads, and adds the launch to the kernel history with `bytes`
  /// and `elements` (by default the number of work-items). Throws WaitFirst.
  Event submit(const Queue& queue, const ReadyKernel& kernel, const NdRange& range, int64_t bytes,
               int64_t elements = -1);

 private:
  llvm::SmallVector<uint64_t, 64> slots_;
  AddressSlots addresses_;
  llvm::SmallVector<RecordedNumber, 2> numbers_;
  llvm::SmallVector<Event, 4> depends_;
  llvm::SmallVector<Value*, 4> read_;
  llvm::SmallVector<Memory, 2> written_, held_;
  int64_t walked_ = 0;
};

}  // namespace hither::array
