#include "runtime/driver_list.h"

// The only list of drivers. They are declared here and not included, so that the runtime depends on
// no driver.
namespace hither::drivers::native_cpu {
std::unique_ptr<runtime::Driver> make_driver();
}
namespace hither::drivers::cuda {
std::unique_ptr<runtime::Driver> make_driver();
}
namespace hither::drivers::sycl_loader {
std::unique_ptr<runtime::Driver> make_driver();
}
namespace hither::drivers::null {
std::unique_ptr<runtime::Driver> make_driver();
}

namespace hither::runtime {

const std::vector<DriverEntry>& driver_list() {
  static const auto& list = *new std::vector<DriverEntry>{
      {"native_cpu", drivers::native_cpu::make_driver},
      {"cuda", drivers::cuda::make_driver},
      {"sycl", drivers::sycl_loader::make_driver},
      {"null", drivers::null::make_driver},
  };
  return list;
}

}  // namespace hither::runtime
