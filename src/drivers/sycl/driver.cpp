// Devices of the DPC++ runtime's OpenCL and Level Zero back ends. Its CUDA and native CPU back ends
// are not listed, because hither has its own drivers for them.
#include "runtime/driver.h"

#include <string_view>

#include <hither/version.h>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/device.h"
#include "drivers/sycl/native_objects.h"
#include "drivers/sycl/opencl_registration.h"
#include "drivers/sycl/process_exit.h"

namespace hither::drivers::sycl {
namespace {

class SyclDriver final : public runtime::Driver {
 public:
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices() override {
    std::vector<std::shared_ptr<runtime::DriverDevice>> found;
    const OpenClRegistration registration;
    bool runtime_found = false;
    try {
      for (const ::sycl::platform& platform : ::sycl::platform::get_platforms()) {
        if (!backend_of(platform.get_backend())) continue;
        const auto name = platform.get_info<::sycl::info::platform::name>();
        runtime_found |= name.find("Intel(R) OpenCL") == 0;
        for (const ::sycl::device& device : platform.get_devices()) add(device, found);
      }
    } catch (const ::sycl::exception& exception) {
      absence_ = exception.what();
    }
    wait_for_queues_at_exit();
    if (!registration.fault().empty())
      absence_ = registration.fault();
    else if (!registration.runtime().empty() && !runtime_found)
      absence_ = registration.runtime() +
                 " was not found by OpenCL, which was in use before hither; use hither first, or "
                 "name the file in OCL_ICD_FILENAMES";
    else if (found.empty() && absence_.empty())
      absence_ =
          "libsycl finds no OpenCL or Level Zero device; a CPU device comes with "
          "pip install intel-opencl-rt";
    if (!found.empty()) natives_ = std::make_unique<SyclObjects>(found);
    return found;
  }

  std::string absence() const override { return absence_; }
  runtime::NativeObjects* native_objects() override { return natives_.get(); }

 private:
  void add(const ::sycl::device& device,
           std::vector<std::shared_ptr<runtime::DriverDevice>>& found) {
    try {
      found.push_back(std::make_shared<SyclDevice>(device, true));
    } catch (const ::sycl::exception& exception) {
      absence_ = exception.what();  // the device cannot be queried
    }
  }

  std::string absence_;
  std::unique_ptr<SyclObjects> natives_;
};

}  // namespace
}  // namespace hither::drivers::sycl

/// The entry point of the plugin; null if the plugin was built for another version.
extern "C" HITHER_EXPORT hither::runtime::Driver* hither_sycl_make_driver(const char* version) {
  if (std::string_view(version) != hither::version()) return nullptr;
  return new hither::drivers::sycl::SyclDriver;
}
