// USM that another library of the process allocated in a context.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device.h"
#include "runtime/driver.h"

namespace hither::drivers::sycl {

/// Asks SYCL what an address is, and OpenCL where its allocation begins and ends. Level Zero's is
/// taken to begin at the address and not to end.
class ForeignMemory {
 public:
  ForeignMemory(const ::sycl::context& context,
                const std::vector<std::shared_ptr<SyclDevice>>& devices);
  ~ForeignMemory();
  ForeignMemory(const ForeignMemory&) = delete;
  ForeignMemory& operator=(const ForeignMemory&) = delete;

  /// Empty for what is no USM of the context.
  std::optional<runtime::Block> find(const void* pointer) const;

 private:
  struct OpenCl;
  const ::sycl::context context_;
  const std::vector<std::shared_ptr<SyclDevice>> devices_;
  const std::unique_ptr<OpenCl> opencl_;  ///< null on other back ends
};

}  // namespace hither::drivers::sycl
