#include "array/plan/gpu_forms.h"

namespace hither::array {

namespace {

thread_local bool wanted_everywhere = false;

}  // namespace

bool takes_gpu_forms(const Queue& queue) {
  return wanted_everywhere || queue.device().type() == DeviceType::kGpu;
}

int sub_group_of(const Device& device) {
  const InfoValue info = device.info("sub_group_sizes");
  const auto* sizes = std::get_if<std::vector<int64_t>>(&info);
  return sizes && sizes->size() == 1 ? static_cast<int>(sizes->front()) : 0;
}

GpuForms::GpuForms() noexcept { wanted_everywhere = true; }
GpuForms::~GpuForms() { wanted_everywhere = false; }

}  // namespace hither::array
