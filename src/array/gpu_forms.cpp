#include "array/gpu_forms.h"

namespace hither::array {

namespace {

thread_local bool wanted_everywhere = false;

}  // namespace

bool takes_gpu_forms(const Queue& queue) {
  return wanted_everywhere || queue.device().type() == DeviceType::kGpu;
}

GpuForms::GpuForms() noexcept { wanted_everywhere = true; }
GpuForms::~GpuForms() { wanted_everywhere = false; }

}  // namespace hither::array
