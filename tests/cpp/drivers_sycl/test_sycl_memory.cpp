#include <thread>

#include <hither/memory.h>

#include "runtime/context_state.h"
#include "spirv_kernels.h"

using namespace hither;

TEST_CASE("sycl memory: released memory is reused after its last use has ended") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(Context({*device}), *device, {.in_order = false});
  const PoolUse before = pool_use(queue.context());
  CHECK(before.live_bytes == 0);
  void* first = nullptr;
  {
    const Memory memory(queue, 1000, UsmType::kDevice);
    first = memory.data();
  }
  std::atomic<bool> go{false};
  const Event use = queue.submit_host([&] {
    while (!go) std::this_thread::yield();
  });
  {
    const Memory memory(queue, 990, UsmType::kDevice);
    CHECK(memory.data() == first);
    memory.release_after(use);
  }
  CHECK(pool_use(queue.context()).live_bytes == 0);
  {
    const Memory memory(queue, 1000, UsmType::kDevice);
    CHECK(memory.data() != first);
    go = true;
    use.wait();
    const Memory another(queue, 1000, UsmType::kDevice);
    CHECK(another.data() == first);
    CHECK(pool_use(queue.context()).live_allocations == 2);
  }
  CHECK(pool_use(queue.context()).held_bytes > 0);
  trim_pools(queue.context());
  CHECK(pool_use(queue.context()).held_bytes == 0);
}

TEST_CASE("sycl memory: every type, size and alignment is known by its addresses") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  for (UsmType type : {UsmType::kDevice, UsmType::kShared, UsmType::kHost})
    for (size_t bytes : {0, 1, 255, 257, 5000, 1'000'001})
      for (size_t alignment : {1, 64, 4096}) {
        const Memory memory(queue, bytes, type, alignment);
        const auto address = reinterpret_cast<uintptr_t>(memory.data());
        CHECK(address % std::max<size_t>(64, alignment) == 0);
        const auto info =
            pointer_info(static_cast<char*>(memory.data()) + bytes / 2, queue.context());
        REQUIRE(info);
        CHECK(info->type == type);
        CHECK(info->base == memory.data());
        CHECK(info->bytes == bytes);
        CHECK(info->device == *device);
      }
  CHECK(!pointer_info(&queue, queue.context()));
}

TEST_CASE("sycl memory: a request beyond the memory is an error") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  CHECK_THROWS_WITH_AS(Memory(queue, size_t{1} << 60, UsmType::kDevice),
                       doctest::Contains("cannot give"), Error);
  CHECK_THROWS_AS(Memory(queue, SIZE_MAX - 10, UsmType::kHost), Error);
}

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
