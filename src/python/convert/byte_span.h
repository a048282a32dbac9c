// A run of bytes that Python handed over: USM, or memory of the host.
#pragma once

#include <cstddef>
#include <optional>

#include <hither/event.h>
#include <hither/memory.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Memory of hither, a C-contiguous object with __sycl_usm_array_interface__, or a contiguous
/// object with the buffer protocol. Holds the object, and the buffer while it lives. Needs the GIL,
/// also to destroy.
class ByteSpan {
 public:
  /// Error kType, with `where`, for anything else; kBuffer when `writable` is asked of read-only
  /// memory.
  ByteSpan(nb::handle object, bool writable, const char* where);
  ByteSpan(const ByteSpan&) = delete;
  ByteSpan& operator=(const ByteSpan&) = delete;
  ~ByteSpan();

  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  /// What other libraries have to end before the memory is touched; often nothing.
  const Event& before() const { return before_; }

  /// Keeps the memory alive until `event` ended: at once for hither's own, by waiting for others'.
  /// Raises the task's error when it waits.
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
