#include <hither/memory.h>

#include "drivers/subject.h"
#include "spirv_kernels.h"

using namespace hither;

TEST_CASE("sycl context: devices of two platforms cannot share a context") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (const Device& other : Device::all()) {
    if (other.backend() != Backend::kOpenCl && other.backend() != Backend::kLevelZero) continue;
    if (other.info("platform_name") == device->info("platform_name")) continue;
    CHECK_THROWS_WITH_AS(Context({*device, other}), doctest::Contains("one platform"), Error);
  }
}

TEST_CASE("sycl context: one of several sub-devices shares memory and kernels among their queues") {
  const auto device = test::sycl_device();
  if (!device || std::get<int64_t>(device->info("max_compute_units")) < 2) return;
  const std::vector<int64_t> counts{1, 1};
  const std::vector<Device> parts = device->create_sub_devices_by_counts(counts);
  REQUIRE(parts.size() == 2);
  const Context context(parts);
  const Kernel kernel = runtime::load_kernel(context, test::axpy_image());
  const Queue first(context, parts[0]), second(context, parts[1]);
  const int64_t n = 10'000;
  const Memory x(first, n * 8, UsmType::kShared), y(second, n * 8, UsmType::kShared);
  const double one = 1;
  const Event filled[] = {first.fill(x.data(), &one, 8, n), second.fill(y.data(), &one, 8, n)};
  const test::AxpyArguments arguments{3, static_cast<const double*>(x.data()),
                                      static_cast<double*>(y.data())};
  const Event once = first.submit(kernel, Range(n), test::packed(arguments), filled);
  second.submit(kernel, Range(n), test::packed(arguments), std::span(&once, 1)).wait();
  CHECK(arguments.y[0] == 7);
  CHECK(arguments.y[n - 1] == 7);
  CHECK(pointer_info(y.data(), context)->device == parts[1]);
  CHECK_THROWS_AS(Queue(*device).submit(kernel, Range(n), test::packed(arguments)), Error);
}
