#include <atomic>
#include <thread>

#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "cpu_kernels.h"
#include "drivers/subject.h"

using namespace hither;

TEST_CASE("out-of-order queue: two tasks run concurrently") {
  const Queue queue("cpu", {.in_order = false});
  std::atomic<int> arrived{0};
  const auto rendezvous = [&] {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  };
  queue.submit_host(rendezvous);
  queue.submit_host(rendezvous);
  queue.wait();  // this thread helps, so it works with a single worker too
  CHECK(arrived == 2);
}

TEST_CASE("sub-device: both kinds of queue run on it") {
  const Device cpu = Device::select("cpu");
  for (const Device& device : cpu.create_sub_devices_equally(1))
    for (bool in_order : {true, false}) {
      const Queue queue(device, {.in_order = in_order});
      const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
      const int64_t n = 300'000;
      const Memory x(queue, n * 8, UsmType::kDevice), y(queue, n * 8, UsmType::kShared);
      const double one = 1;
      const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &one, 8, n)};
      const test::AxpyArguments arguments{4, static_cast<double*>(x.data()),
                                          static_cast<double*>(y.data())};
      queue.submit(kernel, Range(n), test::packed(arguments), filled).wait();
      CHECK(arguments.y[0] == 5);
      CHECK(arguments.y[n - 1] == 5);
      CHECK_THROWS_AS(Queue("cpu").submit(kernel, Range(n), test::packed(arguments)), Error);
    }
}
