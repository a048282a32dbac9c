// Python's garbage collector, disabled for a scope.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// For threads that read Python objects while a lock is held that a finaliser might wait for. Needs
/// the GIL.
class WithoutCollector {
 public:
  WithoutCollector() : enabled_(PyGC_Disable() == 1) {}
  WithoutCollector(const WithoutCollector&) = delete;
  WithoutCollector& operator=(const WithoutCollector&) = delete;
  ~WithoutCollector() {
    if (enabled_) PyGC_Enable();
  }

 private:
  const bool enabled_;
};

}  // namespace hither::python
