#include <hither/memory.h>

#include "spirv_kernels.h"

using namespace hither;
using target::Parameter;

namespace {

int64_t wrong_visits(const Memory& visits, int64_t n, int32_t expected) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i)
    wrong += static_cast<const int32_t*>(visits.data())[i] != expected;
  return wrong;
}

Memory zeroed(const Queue& queue, int64_t n) {
  Memory memory(queue, static_cast<size_t>(n) * 4, UsmType::kShared);
  std::memset(memory.data(), 0, memory.bytes());
  return memory;
}

}  // namespace

TEST_CASE("sycl kernel: every item of every shape is visited once") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  auto image = test::spirv_image("visit3", {Parameter::kPointer});
  image->dimensions = 3;
  const Kernel kernel = runtime::load_kernel(queue.context(), image);
  for (const Range& range :
       {Range(1), Range(70'001), Range(1, 20'000), Range(20'000, 1), Range(3, 5'001),
        Range(701, 333), Range(2, 3, 4'000), Range(40, 50, 61), Range(9'000, 1, 2)}) {
    const Memory visits = zeroed(queue, range.items());
    const void* const pointer = visits.data();
    for (int repeat = 1; repeat <= 3; ++repeat) {
      queue.submit(kernel, range, test::packed(pointer));
      queue.wait();
      CHECK(wrong_visits(visits, range.items(), repeat) == 0);
    }
  }
}

TEST_CASE("sycl kernel: dimensions that the kernel does not use repeat it") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  const Kernel kernel =
      runtime::load_kernel(queue.context(), test::spirv_image("visit1", {Parameter::kPointer}));
  for (const Range& range : {Range(100), Range(100, 7), Range(100, 3, 5)}) {
    const Memory visits = zeroed(queue, 100);
    const void* const pointer = visits.data();
    queue.submit(kernel, range, test::packed(pointer));
    queue.wait();
    CHECK(wrong_visits(visits, 100, static_cast<int32_t>(range.items() / 100)) == 0);
  }
}

TEST_CASE("sycl kernel: groups share local memory whose size is an argument") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  auto image = test::spirv_image("reverse",
                                 {Parameter::kPointer, Parameter::kLocalBytes, Parameter::kInt16});
  image->uses_groups = true;
  const Kernel kernel = runtime::load_kernel(queue.context(), image);
  const Memory x(queue, 640 * 4, UsmType::kHost);
  auto* const values = static_cast<int32_t*>(x.data());
  for (int i = 0; i < 640; ++i) values[i] = i;
  struct {
    void* x;
    int64_t local_bytes;
    int64_t last;
  } const arguments{x.data(), 64 * 4, 63};
  CHECK_THROWS_WITH_AS(queue.submit(kernel, Range(640), test::packed(arguments)),
                       doctest::Contains("NdRange"), Error);
  queue.submit(kernel, NdRange(Range(640), Range(64)), test::packed(arguments));
  queue.wait();
  int wrong = 0;
  for (int i = 0; i < 640; ++i) wrong += values[i] != i / 64 * 64 + 63 - i % 64;
  CHECK(wrong == 0);
  auto greedy = arguments;
  greedy.local_bytes = std::get<int64_t>(device->info("local_mem_size")) + 1;
  CHECK_THROWS_WITH_AS(queue.submit(kernel, NdRange(Range(640), Range(64)), test::packed(greedy)),
                       doctest::Contains("local_mem_size"), Error);
}

TEST_CASE("sycl kernel: a reported error is the error of its event and its dependents") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order}), other(*device), cpu("native_cpu");
    auto image = test::spirv_image("reads", {Parameter::kInt32});
    image->dimensions = 2;
    image->reports_errors = true;
    image->source_file = "work.py";
    image->messages = {"the moon is full"};
    const Kernel kernel = runtime::load_kernel(queue.context(), image);
    const auto text = [&](int64_t code) -> std::string {
      const Event event = queue.submit(kernel, Range(80, 80), test::packed(code));
      bool ran = false;
      const Event next = other.submit_barrier(std::span(&event, 1));
      const Event last = cpu.submit_host([&] { ran = true; }, std::span(&next, 1));
      const auto error = last.wait_for_error();
      CHECK(ran == !error);
      if (!error) {
        CHECK_NOTHROW(queue.wait());
        return "";
      }
      CHECK(*event.wait_for_error() == *error);
      CHECK(error->kind() == ErrorKind::kKernel);
      CHECK(error->native_code() == code);
      for (const Queue& q : {queue, other, cpu}) {
        CHECK_THROWS_AS(q.wait(), Error);
        CHECK_NOTHROW(q.wait());
      }
      return error->message();
    };
    CHECK(text(0).empty());
    CHECK(text(target::kIndexOutOfBounds) ==
          "index out of bounds in kernel reads at work.py:12, work-item (3, 4)");
    CHECK(text(target::kFirstMessage) ==
          "the moon is full in kernel reads at work.py:12, work-item (3, 4)");
    CHECK(text(0).empty());
  }
}

TEST_CASE("sycl kernel: wait raises unreported errors in submission order") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  auto image = test::spirv_image("reads", {Parameter::kInt32});
  image->dimensions = 2;
  image->reports_errors = true;
  const Kernel kernel = runtime::load_kernel(queue.context(), image);
  for (int64_t i = 0; i < 2000; ++i) {
    const int64_t code = i == 700 ? target::kZeroDivision : i == 1500 ? target::kOverflow : 0;
    queue.submit(kernel, Range(8, 8), test::packed(code));
  }
  CHECK_THROWS_WITH_AS(queue.wait(), doctest::Contains("division by zero"), Error);
  CHECK_THROWS_WITH_AS(queue.wait(), doctest::Contains("overflow"), Error);
  CHECK_NOTHROW(queue.wait());
}

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
  image->target.kind = target::TargetKind::kCpu;
  CHECK_THROWS_WITH_AS(runtime::load_kernel(queue.context(), image),
                       doctest::Contains("another kind of device"), Error);
}
