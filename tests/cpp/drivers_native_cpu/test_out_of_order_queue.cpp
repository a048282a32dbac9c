#include <atomic>
#include <thread>

#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "axpy_kernel.h"

using namespace hither;

TEST_CASE("out-of-order queue: dependencies order tasks, within and across queues") {
  const Queue queue("cpu", {.in_order = false}), other("cpu", {.in_order = false}), in_order("cpu");
  for (int round = 0; round < 50; ++round) {
    std::vector<int> order;
    std::atomic<bool> go{false};
    const Event a = queue.submit_host([&] {
      while (!go) std::this_thread::yield();
      order.push_back(1);
    });
    const Event b = other.submit_host([&] { order.push_back(2); }, std::span(&a, 1));
    const Event both[] = {a, b};
    const Event c = queue.submit_host([&] { order.push_back(3); }, both);
    CHECK(!c.is_complete());
    go = true;
    in_order.submit_host([&] { order.push_back(4); }, std::span(&c, 1));
    CHECK(order == std::vector{1, 2, 3, 4});
    CHECK(c.is_complete());
  }
}

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

TEST_CASE("out-of-order queue: kernels copy their arguments") {
  const Queue queue("cpu", {.in_order = false});
  const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
  const int64_t n = 200'000;
  const Memory x(queue, n * 8, UsmType::kDevice), y(queue, n * 8, UsmType::kDevice);
  const double one = 1, zero = 0;
  const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &zero, 8, n)};
  Event last;
  {
    test::AxpyArguments arguments{2, static_cast<double*>(x.data()),
                                  static_cast<double*>(y.data())};
    last = queue.submit(kernel, Range(n), test::packed(arguments), filled);
    for (int i = 0; i < 9; ++i)
      last = queue.submit(kernel, Range(n), test::packed(arguments), std::vector{last});
    arguments = {};
  }
  last.wait();
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i) wrong += static_cast<double*>(y.data())[i] != 20;
  CHECK(wrong == 0);
}

TEST_CASE("out-of-order queue: a failure becomes the error of dependent tasks only") {
  const Queue queue("cpu", {.in_order = false}), other("cpu");
  std::atomic<bool> ran{false};
  const Event bad = queue.submit_host([] { throw Error(ErrorKind::kDevice, "task", "broke"); });
  const Event dependent = queue.submit_host([&] { ran = true; }, std::span(&bad, 1));
  const Event further = other.submit_host([&] { ran = true; }, std::span(&dependent, 1));
  const Event unrelated = queue.submit_host([] {});
  const Event barrier = queue.submit_barrier();
  CHECK_NOTHROW(unrelated.wait());
  CHECK_NOTHROW(barrier.wait());
  REQUIRE(further.wait_for_error());
  CHECK(*further.wait_for_error() == *bad.wait_for_error());
  CHECK(*dependent.wait_for_error() == *bad.wait_for_error());
  CHECK(!ran);
  CHECK_THROWS_WITH(queue.wait(), "task: broke");
  CHECK_NOTHROW(queue.wait());  // the dependent has the same failure
  CHECK_THROWS_WITH(other.wait(), "task: broke");
}

TEST_CASE("out-of-order queue: wait raises failures by submission number") {
  const Queue queue("cpu", {.in_order = false});
  std::atomic<bool> go{false};
  const Event slow = queue.submit_host([&] {
    while (!go) std::this_thread::yield();
    throw Error(ErrorKind::kDevice, "task", "first");
  });
  const Event quick = queue.submit_host([] { throw Error(ErrorKind::kDevice, "task", "second"); });
  // Do not wait: this thread might run the slow task itself.
  std::thread starter([&] {
    quick.wait_for_error();
    go = true;
  });
  CHECK_THROWS_WITH(queue.wait(), "task: first");
  CHECK_THROWS_WITH(queue.wait(), "task: second");
  CHECK_NOTHROW(queue.wait());
  starter.join();
}

TEST_CASE("out-of-order queue: a barrier ends after everything before it") {
  const Queue queue("cpu", {.in_order = false});
  std::atomic<int> done{0};
  for (int i = 0; i < 100; ++i) queue.submit_host([&] { ++done; });
  queue.submit_barrier().wait();
  CHECK(done == 100);
}

TEST_CASE("out-of-order queue: host tasks that wait for tasks do not block the arena") {
  const Queue queue("cpu", {.in_order = false});
  std::atomic<int> done{0};
  for (int i = 0; i < 16; ++i)
    queue.submit_host([&] {
      std::vector<Event> inner;
      for (int j = 0; j < 8; ++j) inner.push_back(queue.submit_host([&] { ++done; }));
      for (const Event& event : inner) event.wait();
    });
  queue.wait();
  CHECK(done == 128);
}

TEST_CASE("out-of-order queue: threads wait while others submit") {
  const Queue queue("cpu", {.in_order = false});
  constexpr int kBarriers = 300;
  std::atomic<int> left{3}, done{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kBarriers; ++i) {
        const Event task = queue.submit_host([&] { ++done; });
        queue.submit_barrier(std::span(&task, 1));
      }
      --left;
    });
  while (left > 0) queue.wait();
  for (std::thread& thread : threads) thread.join();
  queue.wait();
  CHECK(done == 3 * kBarriers);
}

TEST_CASE("out-of-order queue: a long chain uses no recursion and keeps no memory") {
  const Queue queue("cpu", {.in_order = false});
  std::atomic<bool> go{false};
  Event last = queue.submit_host([&] {
    while (!go) std::this_thread::yield();
  });
  int64_t count = 0;
  for (int i = 0; i < 20'000; ++i) last = queue.submit_host([&] { ++count; }, std::vector{last});
  go = true;
  last.wait();
  CHECK(count == 20'000);
}

TEST_CASE("out-of-order queue: profiling times") {
  const Queue queue("cpu", {.in_order = false, .enable_profiling = true});
  const Event a =
      queue.submit_host([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  const Event b = queue.submit_host([] {}, std::span(&a, 1));
  CHECK(b.profiling_start() >= a.profiling_end());
  CHECK(b.profiling_submit() <= b.profiling_start());
  CHECK(b.profiling_start() <= b.profiling_end());
}

TEST_CASE("out-of-order queue: it may be destroyed before its tasks have ended") {
  std::atomic<int> done{0};
  Event last;
  {
    const Queue queue("cpu", {.in_order = false});
    for (int i = 0; i < 10; ++i) last = queue.submit_host([&] { ++done; }, std::vector{last});
  }
  last.wait();
  CHECK(done == 10);
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
