#include "disk_cache/disk_cache.h"
#include "drivers/sycl/cached_binary.h"
#include "drivers/sycl/kernel.h"
#include "spirv_kernels.h"

using namespace hither;
namespace driver = hither::drivers::sycl;

namespace {

/// The context of the first OpenCL device that supports SPIR-V.
std::optional<::sycl::context> context_of_opencl() {
  for (::sycl::device device : ::sycl::device::get_devices())
    if (device.get_backend() == ::sycl::backend::opencl &&
        device.ext_oneapi_can_build(::sycl::ext::oneapi::experimental::source_language::spirv))
      return ::sycl::context(device);
  return std::nullopt;
}

}  // namespace

TEST_CASE("cached binary: the binary of an image is found again") {
  const auto device = test::sycl_device();
  const auto context = device ? context_of_opencl() : std::nullopt;
  if (!context) return;
  const auto image = test::axpy_image();
  const auto devices = context->get_devices();
  const driver::CachedBinary binary(*context, devices, *image,
                                    "-cl-fp32-correctly-rounded-divide-sqrt");
  REQUIRE(!binary.key().empty());
  CHECK(binary.key() != driver::CachedBinary(*context, devices, *image, "").key());

  auto& disk = disk_cache::DiskCache::process();
  disk.store(binary.key(), "no program");  // which OpenCL refuses
  if (!disk.load(binary.key())) return;    // there is no disk cache
  CHECK(!binary.load());
  driver::build(*context, devices, *image);
  const auto found = binary.load();
  REQUIRE(found);
  CHECK(found->get_info<::sycl::info::kernel::num_args>() == 3);

  ::sycl::queue queue(*context, context->get_devices().front());
  constexpr int64_t n = 1000;
  auto* const x = ::sycl::malloc_shared<double>(2 * n, queue);
  for (int64_t i = 0; i < 2 * n; ++i) x[i] = static_cast<double>(i);
  queue
      .submit([&](::sycl::handler& handler) {
        handler.set_args(2.0, x, x + n);
        handler.parallel_for(::sycl::range<1>(n), *found);
      })
      .wait();
  for (int64_t i = 0; i < n; ++i) CHECK(x[n + i] == static_cast<double>(3 * i + n));
  ::sycl::free(x, queue);
}
