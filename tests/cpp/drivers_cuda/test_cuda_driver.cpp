// Tests for every machine, with or without a GPU, and the subject of the conformance tests.
#include <doctest/doctest.h>

#include "drivers/cuda/api.h"
#include "drivers/cuda/checked.h"
#include "drivers/subject.h"
#include "ptx_kernels.h"
#include "runtime/driver_list.h"

using namespace hither;
using namespace hither::drivers::cuda;

namespace {

const test::Registration cuda{{.driver = "cuda",
                               .device = test_cuda::first_gpu,
                               .code = test_cuda::ptx_code,
                               .has_host_threads = true,
                               .has_device_pool = true}};

}  // namespace

TEST_CASE("cuda driver: it finds a GPU or gives the reason") {
  for (const runtime::DriverEntry& entry : runtime::driver_list()) {
    if (entry.name != std::string("cuda")) continue;
    const auto driver = entry.make();
    if (!driver) return;  // HITHER_CUDA=0
    const auto devices = driver->devices();
    if (devices.empty()) CHECK(!driver->absence().empty());
    if (Api::process()) {
      CHECK(Api::absence().empty());
      CHECK(Api::process()->version >= kLeastVersion);
    } else {
      CHECK(driver->absence() == Api::absence());
      CHECK(driver->absence().find("CUDA") != std::string::npos);
    }
    for (const auto& device : devices) {
      CHECK(device->facts().backend == Backend::kCuda);
      CHECK(device->facts().target.arch.starts_with("sm_"));
      CHECK(device->facts().has(Aspect::kGpu));
    }
    return;
  }
  FAIL("there is no cuda driver in the list");
}

TEST_CASE("cuda driver: versions are formatted as by NVIDIA") {
  CHECK(version_text(12000) == "12.0");
  CHECK(version_text(12080) == "12.8");
  CHECK(version_text(13010) == "13.1");
}

TEST_CASE("cuda driver: faults that lose a context are distinguished from others") {
  for (CUresult lost : {kIllegalAddress, kLaunchFailed, kAssert, kEccUncorrectable, kUnknown, 716})
    CHECK(is_sticky(lost));
  for (CUresult passing : {kSuccess, kInvalidValue, kOutOfMemory, kNotReady, kInvalidPtx, 701})
    CHECK(!is_sticky(passing));
}
