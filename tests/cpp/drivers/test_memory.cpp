// Devices, and the memory of their contexts, on every driver.
#include <algorithm>
#include <atomic>
#include <thread>

#include <hither/memory.h>

#include "runtime/device_state.h"
#include "subject.h"

using namespace hither;

TEST_CASE("driver: a device has the descriptors that drivers must set") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    for (const char* name :
         {"name", "vendor", "version", "driver_version", "platform_name", "max_compute_units",
          "max_work_group_size", "global_mem_size", "local_mem_size"}) {
      CAPTURE(name);
      CHECK_NOTHROW((void)device.info(name));
    }
    const runtime::DeviceFacts& facts = device.state()->facts();
    CHECK(std::get<int64_t>(device.info("max_work_group_size")) == facts.max_work_group_size);
    CHECK(std::get<int64_t>(device.info("local_mem_size")) == facts.local_mem_bytes);
    CHECK(facts.backend == device.backend());
  });
}

TEST_CASE("driver: memory of every type, size and alignment is known by its addresses") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    const Queue queue(device);
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
          CHECK(info->device == device);
        }
    CHECK(!pointer_info(&queue, queue.context()));
  });
}

TEST_CASE("driver: a request beyond the memory is an error") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    const Queue queue(device);
    CHECK_THROWS_WITH_AS(Memory(queue, size_t{1} << 60, UsmType::kDevice),
                         doctest::Contains("cannot give"), Error);
    CHECK_THROWS_AS(Memory(queue, SIZE_MAX - 10, UsmType::kHost), Error);
  });
}

TEST_CASE("driver: released memory is not reused before its last use has ended") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    const Queue queue(Context({device}), device, {.in_order = false});
    if (test::submission_waits(queue)) return;
    std::atomic<bool> go{false};
    const Event use = queue.submit_host([&] {
      while (!go) std::this_thread::yield();
    });
    void* first = nullptr;
    {
      const Memory memory(queue, 1000, UsmType::kDevice);
      first = memory.data();
      memory.release_after(use);
    }
    const Memory memory(queue, 1000, UsmType::kDevice);
    CHECK(memory.data() != first);
    go = true;
    use.wait();
  });
}

TEST_CASE("driver: a device pool reuses released memory after its last use") {
  test::for_each_device([](const test::Subject& subject, const Device& device) {
    if (!subject.has_device_pool) return;
    const Queue queue(Context({device}), device, {.in_order = false});
    CHECK(pool_use(queue.context()).live_bytes == 0);
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
  });
}
