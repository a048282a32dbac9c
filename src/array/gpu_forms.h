// Kernels have forms of their own on GPUs, whose items go side by side through memory.
#pragma once

#include <hither/queue.h>

namespace hither::array {

/// Whether this queue's kernels get them.
bool takes_gpu_forms(const Queue& queue);

/// While it lives those of every queue do, in this thread: for tests on CPUs.
class GpuForms {
 public:
  GpuForms() noexcept;
  ~GpuForms();
  GpuForms(const GpuForms&) = delete;
  GpuForms& operator=(const GpuForms&) = delete;
};

}  // namespace hither::array
