// What _hither lends to _numba_hook, a module of its own because it needs more of CPython than the
// stable ABI has.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstdint>

#include <hither/error.h>
#include <hither/queue.h>

namespace hither::python {

/// A device context, as an OpenContext has it.
struct OffloadContext {
  const Queue* queue;  ///< lives as long as the OpenContext
  int on_serial;       ///< see hither.device_context
  int64_t keep_below;  ///< see hither.device_context
};

/// All calls need the GIL.
struct OffloadApi {
  static constexpr const char* kName = "hither._hither.offload_api";

  const std::atomic<int64_t>* open_contexts;  ///< in any thread or task
  PyObject* variable;                         ///< the contextvar that holds an OpenContext or None
  OffloadContext (*context_of)(PyObject* open_context);
  void (*raise)(const Error& error) noexcept;
  const std::atomic<int64_t>* python_work;  ///< see host_task.h
};

}  // namespace hither::python
