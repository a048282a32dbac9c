// Kernel forms for GPUs, where consecutive items access consecutive memory.
#pragma once

#include <hither/queue.h>

namespace hither::array {

/// Whether kernels of this queue use GPU forms.
bool takes_gpu_forms(const Queue& queue);

/// The size of every sub-group but the last of a group; 0 where it differs between kernels.
int sub_group_of(const Device& device);

/// For tests on CPUs: during its lifetime kernels of every queue use GPU forms in this thread.
class GpuForms {
 public:
  GpuForms() noexcept;
  ~GpuForms();
  GpuForms(const GpuForms&) = delete;
  GpuForms& operator=(const GpuForms&) = delete;
};

}  // namespace hither::array
