// A contiguous range of bytes in USM or host memory.
#pragma once

#include <cstddef>
#include <optional>

#include <hither/event.h>
#include <hither/memory.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// A hither.Memory, a C-contiguous object with __sycl_usm_array_interface__, or a contiguous object
/// with the buffer protocol. Holds the object, and its buffer. Needs the GIL, also to destroy.
class ByteSpan {
 public:
  /// Error kType, with `where`, for other objects; kBuffer if `writable` and the memory is
  /// read-only.
  ByteSpan(nb::handle object, bool writable, const char* where);
  ByteSpan(const ByteSpan&) = delete;
  ByteSpan& operator=(const ByteSpan&) = delete;
  ~ByteSpan();

  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  /// Work of other libraries that must be complete before the memory is accessed; often none.
  const Event& before() const { return before_; }

  /// Keeps the memory alive until `event` is complete. It returns at once for hither's memory. For
  /// other memory it waits, and raises the task's error.
  void hold_until(const Event& event) const;

 private:
  void take_buffer(nb::handle object, bool writable, const char* where);

  nb::object owner_;
  std::optional<Memory> memory_;
  Py_buffer buffer_{};
  void* data_ = nullptr;
  size_t bytes_ = 0;
  Event before_;
};

}  // namespace hither::python
