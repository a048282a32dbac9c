// NVIDIA GPUs through libcuda, which is part of NVIDIA's driver.
#include "runtime/driver.h"

#include <cstdlib>

#include <fmt/format.h>

#include "drivers/cuda/checked.h"
#include "drivers/cuda/device.h"
#include "process/environment.h"
#include "runtime/host_threads.h"

namespace hither::drivers::cuda {
namespace {

class CudaDriver final : public runtime::Driver {
 public:
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices() override {
    std::vector<std::shared_ptr<runtime::DriverDevice>> found;
    if (!Api::process()) {
      absence_ = Api::absence();
      return found;
    }
    int count = 0;
    api().cuDeviceGetCount(&count);
    for (int i = 0; i < count; ++i) add(i, found);
    if (found.empty() && absence_.empty())
      absence_ = fmt::format("the NVIDIA driver for CUDA {} shows this process no GPU",
                             version_text(api().version));
    // libcuda shuts down at exit, so no host task may start after that.
    if (!found.empty()) std::atexit([] { runtime::HostThreads::process().stop(); });
    return found;
  }

  std::string absence() const override { return absence_; }

 private:
  void add(int index, std::vector<std::shared_ptr<runtime::DriverDevice>>& found) {
    try {
      CUdevice device = 0;
      check(api().cuDeviceGet(&device, index), "cuDeviceGet", "Device");
      if (!attribute(device, kMemoryPoolsSupported) || !attribute(device, kUnifiedAddressing))
        throw Error(ErrorKind::kUnsupported, "Device",
                    "it has no memory pools or no unified addresses");
      found.push_back(std::make_shared<CudaDevice>(device));
    } catch (const Error& error) {
      absence_ = fmt::format("GPU {} is left out: {}", index, error.message());
    }
  }

  std::string absence_;
};

}  // namespace

std::unique_ptr<runtime::Driver> make_driver() {
  if (process::environment(process::variable::kCuda) == "0") return nullptr;
  return std::make_unique<CudaDriver>();
}

}  // namespace hither::drivers::cuda
