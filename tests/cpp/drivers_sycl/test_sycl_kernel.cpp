#include "drivers/subject.h"
#include "spirv_kernels.h"

using namespace hither;

namespace {

const test::Registration sycl_driver{{.driver = "sycl",
                                      .device = test::first_sycl_device,
                                      .code = test::spirv_code,
                                      .has_host_threads = true,
                                      .has_device_pool = true}};

}  // namespace

TEST_CASE("sycl kernel: invalid SPIR-V is refused with the build log") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  auto image = test::axpy_image();
  image->entry_name = "nowhere";
  CHECK_THROWS_WITH_AS(runtime::load_kernel(queue.context(), image), doctest::Contains("nowhere"),
                       Error);
  image = test::axpy_image();
  image->bytes.assign(40, 'x');
  CHECK_THROWS_AS(runtime::load_kernel(queue.context(), image), Error);
}
