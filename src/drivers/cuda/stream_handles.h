// A library's handles, one for each stream, because a handle has one workspace.
#pragma once

#include <map>
#include <mutex>

#include "drivers/cuda/api.h"

namespace hither::drivers::cuda {

/// Thread-safe. `Handle` is a pointer.
template <class Handle>
class StreamHandles {
 public:
  /// The stream's handle, made by create() if there is none.
  template <class Create>
  Handle get(CUstream stream, Create&& create) {
    std::lock_guard lock(mutex_);
    Handle& handle = handles_[stream];
    if (!handle) handle = create();
    return handle;
  }

  /// Calls destroy(handle) if the stream has one. The stream's context is current.
  template <class Destroy>
  void forget(CUstream stream, Destroy&& destroy) noexcept {
    std::lock_guard lock(mutex_);
    const auto found = handles_.find(stream);
    if (found == handles_.end()) return;
    CUcontext current = nullptr;  // stays null at process exit
    if (found->second && api().cuCtxGetCurrent(&current) == kSuccess) destroy(found->second);
    handles_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::map<CUstream, Handle> handles_;
};

}  // namespace hither::drivers::cuda
