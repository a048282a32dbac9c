// One launch of an array kernel: arguments, dependencies, and what they leave behind.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "array/cluster.h"
#include "array/kernel_table.h"
#include "array/value.h"

namespace hither::array {

/// Packs arguments in the order of the kernel's parameters. Used once, under the graph lock.
class KernelCall {
 public:
  void pointer(const void* p) { slots_.push_back(reinterpret_cast<uint64_t>(p)); }
  void integer(int64_t v) { slots_.push_back(static_cast<uint64_t>(v)); }
  void number(const Number& n);
  /// The leaves' addresses, then the numbers, as ProducerEmitter declares them; the leaves' pending
  /// writes come first.
  void producers(const Cluster& cluster);
  /// The address of a value's element 0, whose pending write comes first.
  void reads(Value& value);
  /// The address of memory that an earlier launch of ours wrote.
  void reads(const Memory& memory, const Event& written);
  /// Moves the address added last by so many bytes.
  void shift(int64_t bytes) { slots_.back() += static_cast<uint64_t>(bytes); }
  /// The address of new memory.
  void writes(const Memory& memory) {
    pointer(memory.data());
    written_.push_back(memory);
  }
  void after(const Event& event);

  /// Launches, notes the reads and the launch; `bytes` is what the history shows. Throws WaitFirst.
  Event submit(const Queue& queue, const ReadyKernel& kernel, const NdRange& range, int64_t bytes);

 private:
  llvm::SmallVector<uint64_t, 64> slots_;
  llvm::SmallVector<Event, 4> depends_;
  llvm::SmallVector<Value*, 4> read_;
  llvm::SmallVector<Memory, 2> written_, held_;
};

/// Address of element 0 of a ready value.
char* address_of(const Value& value);

}  // namespace hither::array
