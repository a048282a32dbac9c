#include "runtime/driver_list.h"

// The drivers are declared here and not included, so that the runtime depends on no driver.
#define HITHER_BACKEND(constant, name)
#define HITHER_DRIVER(folder, name, backends)     \
  namespace hither::drivers::folder {             \
  std::unique_ptr<runtime::Driver> make_driver(); \
  }
#include <hither/backend_table.def>
#undef HITHER_DRIVER

namespace hither::runtime {

const std::vector<DriverEntry>& driver_list() {
#define HITHER_DRIVER(folder, name, backends) {name, drivers::folder::make_driver},
  static const auto& list = *new std::vector<DriverEntry>{
#include <hither/backend_table.def>
  };
#undef HITHER_DRIVER
  return list;
}

}  // namespace hither::runtime
