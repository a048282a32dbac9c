// A device that records commands instead of running kernels, for tests and timings of the code
// above the drivers.

#include "drivers/null/device.h"

#include "process/environment.h"

namespace hither::drivers::null {
namespace {

class NullDriver final : public runtime::Driver {
 public:
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices() override {
    return {std::make_shared<NullDevice>()};
  }
};

}  // namespace

std::unique_ptr<runtime::Driver> make_driver() {
  if (process::environment(process::variable::kNullDevice) != "1") return nullptr;
  return std::make_unique<NullDriver>();
}

}  // namespace hither::drivers::null
