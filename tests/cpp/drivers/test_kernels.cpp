// Ranges and groups of kernels, on every driver that runs them.
#include <cstring>

#include <hither/memory.h>

#include "subject.h"

using namespace hither;

namespace {

Memory zeroed(const Queue& queue, int64_t n) {
  Memory memory(queue, static_cast<size_t>(n) * 4, UsmType::kShared);
  std::memset(memory.data(), 0, memory.bytes());
  return memory;
}

int64_t wrong_visits(const Memory& visits, int64_t n, int64_t expected) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i)
    wrong += static_cast<const int32_t*>(visits.data())[i] != expected;
  return wrong;
}

}  // namespace

TEST_CASE("driver: a kernel visits every item of every shape once") {
  test::for_each_kernel_device([](const test::Subject& subject, const Device& device) {
    const Queue queue(device);
    const Kernel visit = test::load(subject, queue, "visit3");
    for (const Range& range :
         {Range(1), Range(70'001), Range(1, 20'000), Range(20'000, 1), Range(3, 5'001),
          Range(701, 333), Range(2, 3, 4'000), Range(40, 50, 61), Range(9'000, 1, 2),
          Range(1, 200'000, 1), Range(90'000, 1, 2), Range(2, 3, 40'000)}) {
      const Memory visits = zeroed(queue, range.items());
      const void* const pointer = visits.data();
      for (int repeat = 1; repeat <= 3; ++repeat) {
        queue.submit(visit, range, test::packed(pointer));
        queue.wait();
        CHECK(wrong_visits(visits, range.items(), repeat) == 0);
      }
    }
  });
}

TEST_CASE("driver: dimensions that a kernel does not use repeat it") {
  test::for_each_kernel_device([](const test::Subject& subject, const Device& device) {
    const Queue queue(device);
    const Kernel visit = test::load(subject, queue, "visit1");
    for (const Range& range : {Range(100), Range(100, 7), Range(100, 3, 5)}) {
      const Memory visits = zeroed(queue, 100);
      const void* const pointer = visits.data();
      queue.submit(visit, range, test::packed(pointer));
      queue.wait();
      CHECK(wrong_visits(visits, 100, range.items() / 100) == 0);
    }
  });
}

TEST_CASE("driver: groups share local memory whose size is an argument") {
  test::for_each_kernel_device([](const test::Subject& subject, const Device& device) {
    const Queue queue(device);
    const Kernel reverse = test::load(subject, queue, "reverse");
    const Memory x(queue, 640 * 4, UsmType::kHost);
    auto* const values = static_cast<int32_t*>(x.data());
    for (int i = 0; i < 640; ++i) values[i] = i;
    struct {
      void* x;
      int64_t local_bytes;
      int64_t last;
    } const arguments{x.data(), 64 * 4, 63};
    CHECK_THROWS_WITH_AS(queue.submit(reverse, Range(640), test::packed(arguments)),
                         doctest::Contains("NdRange"), Error);
    queue.submit(reverse, NdRange(Range(640), Range(64)), test::packed(arguments));
    queue.wait();
    int wrong = 0;
    for (int i = 0; i < 640; ++i) wrong += values[i] != i / 64 * 64 + 63 - i % 64;
    CHECK(wrong == 0);
    auto greedy = arguments;
    greedy.local_bytes = std::get<int64_t>(device.info("local_mem_size")) + 1;
    CHECK_THROWS_WITH_AS(
        queue.submit(reverse, NdRange(Range(640), Range(64)), test::packed(greedy)),
        doctest::Contains("local_mem_size"), Error);
    CHECK_THROWS_WITH_AS(
        queue.submit(reverse, NdRange(Range(1 << 20), Range(1 << 20)), test::packed(arguments)),
        doctest::Contains("max_work_group_size"), Error);
  });
}

TEST_CASE("driver: code for another kind of device is refused") {
  test::for_each_kernel_device([](const test::Subject& subject, const Device& device) {
    const Queue queue(device);
    const auto image = test::image_of(subject, "axpy");
    const bool is_cpu = image->target.kind == target::TargetKind::kCpu;
    image->target.kind = is_cpu ? target::TargetKind::kPtx : target::TargetKind::kCpu;
    CHECK_THROWS_WITH_AS(runtime::load_kernel(queue.context(), image),
                         doctest::Contains("another kind of device"), Error);
  });
}
