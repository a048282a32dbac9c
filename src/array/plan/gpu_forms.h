// Kernels have forms of their own on GPUs, whose items go side by side through memory.
#pragma once

#include <hither/queue.h>

namespace hither::array {

/// Whether this queue's kernels get them.
bool takes_gpu_forms(const Queue& queue);

/// Items of every sub-group of the device but the last of a group; 0 where kernels differ in it.
int sub_group_of(const Device& device);

/// While it lives those of every queue do, in this thread: for tests on CPUs.
class GpuForms {
 public:
  GpuForms() noexcept;
  ~GpuForms();
  GpuForms(const GpuForms&) = delete;
  GpuForms& operator=(const GpuForms&) = delete;
};

}  // namespace hither::array
