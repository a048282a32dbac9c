#include "ptx_kernels.h"

using namespace hither;

TEST_CASE("cuda kernel: invalid PTX is refused with the driver's message") {
  const auto device = test_cuda::cuda_device();
  if (!device) return;
  const Queue queue(*device);
  auto image = test_cuda::axpy_image();
  image->entry_name = "nowhere";
  CHECK_THROWS_WITH_AS(runtime::load_kernel(queue.context(), image),
                       doctest::Contains("CUDA_ERROR_NOT_FOUND"), Error);
  image = test_cuda::axpy_image();
  image->bytes.assign(40, 'x');
  CHECK_THROWS_WITH_AS(runtime::load_kernel(queue.context(), image),
                       doctest::Contains("CUDA_ERROR_INVALID_IMAGE"), Error);
  const std::string wrong =
      ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry axpy() {x}";
  image->bytes.assign(wrong.begin(), wrong.end());
  CHECK_THROWS_WITH_AS(runtime::load_kernel(queue.context(), image),
                       doctest::Contains("CUDA_ERROR_INVALID_PTX"), Error);
}
