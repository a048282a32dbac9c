// Queries of USM that other libraries of the process have allocated in a context.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device.h"
#include "runtime/driver.h"

namespace hither::drivers::sycl {

/// SYCL gives the type of an address, OpenCL the begin and end of its allocation. On Level Zero the
/// allocation is assumed to begin at the address and to have no end.
class ForeignMemory {
 public:
  ForeignMemory(const ::sycl::context& context,
                const std::vector<std::shared_ptr<SyclDevice>>& devices);
  ~ForeignMemory();
  ForeignMemory(const ForeignMemory&) = delete;
  ForeignMemory& operator=(const ForeignMemory&) = delete;

  /// Empty if `pointer` is not USM of the context.
  std::optional<runtime::Block> find(const void* pointer) const;

 private:
  struct OpenCl;
  const ::sycl::context context_;
  const std::vector<std::shared_ptr<SyclDevice>> devices_;
  const std::unique_ptr<OpenCl> opencl_;  ///< null on other back ends
};

}  // namespace hither::drivers::sycl
