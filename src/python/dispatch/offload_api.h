// The interface of _hither for _numba_hook, which is a module of its own because it needs parts of
// CPython outside the stable ABI.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstdint>

#include <hither/error.h>
#include <hither/queue.h>

namespace hither::python {

/// The settings of the innermost device context of a stack.
struct OffloadContext {
  const Queue* queue = nullptr;  ///< lives as long as the stack; null without a context
  int on_serial = 0;             ///< see hither.device_context
  int64_t keep_below = 0;        ///< see hither.device_context
  bool dparray_results = false;  ///< arrays that functions make and return are dparrays
};

/// All calls need the GIL.
struct OffloadApi {
  static constexpr const char* kName = "hither._hither.offload_api";

  const std::atomic<int64_t>* open_contexts;  ///< in any thread or task
  PyObject* variable;                         ///< the contextvar that holds an OpenContext or None
  OffloadContext (*context_of)(PyObject* open_context);
  void (*raise)(const Error& error) noexcept;
  const std::atomic<int64_t>* python_work;  ///< see host_task.h
  PyObject* const* dparray_type;            ///< hither.dparray.DPArray; null before its import
  bool (*remember_line)() noexcept;         ///< see source_line.h
  void (*forget_line)() noexcept;
  bool (*count_as_without_gil)(bool counts) noexcept;  ///< see fork.h
};

}  // namespace hither::python
