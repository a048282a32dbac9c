// The built-in CPU device, which uses oneTBB and needs no installed driver.
#include "runtime/driver.h"
#include "drivers/native_cpu/device.h"

namespace hither::drivers::native_cpu {
namespace {

class CpuDriver final : public runtime::Driver {
 public:
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices() override {
    return {std::make_shared<CpuDevice>(Topology::machine().units, Placement::kWholeDevice)};
  }
};

}  // namespace

std::unique_ptr<runtime::Driver> make_driver() { return std::make_unique<CpuDriver>(); }

}  // namespace hither::drivers::native_cpu
