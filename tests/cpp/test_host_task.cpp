#include <hither/host_task.h>

#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>
#include <hither/ops.h>

using namespace hither;

namespace {

std::vector<double> values(const Array& x) {
  std::vector<double> out(static_cast<size_t>(x.size()));
  to_host(x, out.data());
  return out;
}

Array counting(int64_t count, const Queue& queue) {
  return iota(count, 0, 1, DType::kFloat64, {queue});
}

}  // namespace

TEST_CASE("a host task runs after pending work on its arrays and before later work") {
  for (const bool in_order : {true, false}) {
    const Queue queue("native_cpu", {.in_order = in_order});
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Array x = counting(1000, queue) + 1, y = counting(1000, queue) * 0;
      const Array before = y + 7;
      const ArrayUse uses[] = {{&x, Access::kRead}, {&y}};
      host_task(uses, [](std::span<void* const> data) {
        const auto* in = static_cast<const double*>(data[0]);
        auto* out = static_cast<double*>(data[1]);
        for (int i = 0; i < 1000; ++i) out[i] = 2 * in[i];
      });
      CHECK(values(y + 0.5)[999] == 2000.5);
      CHECK(values(before)[999] == 7);
      CHECK(values(x)[999] == 1000);
    }
  }
}

TEST_CASE("an exception of a host task is the error of the arrays that it writes only") {
  const Queue queue = Queue::default_for(Device::select("native_cpu"));
  const Array x = counting(3, queue), y = counting(3, queue);
  const ArrayUse uses[] = {{&x, Access::kRead}, {&y}};
  const Event event =
      host_task(uses, [](std::span<void* const>) { throw std::runtime_error("no luck"); });
  CHECK(event.wait_for_error().has_value());
  CHECK_THROWS_AS(values(y + 1), Error);
  CHECK(values(x)[2] == 2);
  CHECK_THROWS_AS(queue.wait(), Error);
}

TEST_CASE("host tasks over arrays of different queues are refused") {
  const Device cpu = Device::select("native_cpu");
  const Array x = counting(3, Queue(cpu)), y = counting(3, Queue(Context({cpu}), cpu));
  const ArrayUse uses[] = {{&x}, {&y}};
  bool ran = false;
  CHECK_THROWS_AS(host_task(uses, [&](std::span<void* const>) { ran = true; }), Error);
  CHECK_THROWS_AS(host_task({}, [&](std::span<void* const>) { ran = true; }), Error);
  CHECK_THROWS_AS(host_task(std::span(uses).first(1), nullptr), Error);
  CHECK_FALSE(ran);
}

TEST_CASE("read-only memory may be read by tasks and kernels") {
  const Queue queue = Queue::default_for(Device::select("native_cpu"));
  const double numbers[] = {1, 2, 3};
  const Memory memory =
      Memory::foreign(queue, const_cast<double*>(numbers), sizeof numbers, UsmType::kHost, [] {});
  const Array x = from_memory(memory, 0, {3}, {1}, DType::kFloat64, queue, true);
  double sum = 0;
  const auto add = [&](std::span<void* const> data) {
    for (int i = 0; i < 3; ++i) sum += static_cast<const double*>(data[0])[i];
  };
  const ArrayUse reads[] = {{&x, Access::kRead}}, writes[] = {{&x}};
  host_task(reads, add).wait();
  CHECK(sum == 6);
  CHECK_THROWS_WITH_AS(host_task(writes, add),
                       "host_task: array 0 is read-only memory; only read it, or pass copy(x)",
                       Error);
}
