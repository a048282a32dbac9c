// Tests of both kinds of queue, unless the name of a test limits it.
#include <atomic>
#include <thread>

#include <hither/memory.h>

#include "spirv_kernels.h"

using namespace hither;

namespace {

/// y = a * x + y, repeatedly; each launch depends on the previous one.
Event add_up(const Queue& queue, const Kernel& kernel, const Memory& x, const Memory& y, int64_t n,
             int times, Event last) {
  for (int i = 0; i < times; ++i) {
    const test::AxpyArguments arguments{2, static_cast<const double*>(x.data()),
                                        static_cast<double*>(y.data())};
    last = queue.submit(kernel, Range(n), test::packed(arguments), std::span(&last, 1));
  }
  return last;
}

}  // namespace

TEST_CASE("sycl queue: kernels, fills and copies run in order of their dependencies") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order});
    const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
    for (int64_t n : {1, 63, 64, 65, 1000, 100'003, 1'000'017}) {
      const Memory x(queue, n * 8, UsmType::kDevice), y(queue, n * 8, UsmType::kShared);
      std::vector<double> back(static_cast<size_t>(n));
      const double one = 1, zero = 0;
      const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &zero, 8, n)};
      const Event last =
          add_up(queue, kernel, x, y, n, 10, queue.submit_barrier(std::span(filled)));
      queue.copy(back.data(), y.data(), n * 8, std::span(&last, 1)).wait();
      CHECK(std::count(back.begin(), back.end(), 20.0) == n);
    }
  }
}

TEST_CASE("sycl queue: patterns of every size") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  const char pattern[] = "0123456789abcdef";
  for (size_t bytes : {1, 2, 4, 8, 16}) {
    const Memory memory(queue, 33 * bytes, UsmType::kDevice);
    std::string back(33 * bytes, '-');
    queue.fill(memory.data(), pattern, bytes, 33);
    queue.copy(back.data(), memory.data(), back.size()).wait();
    std::string expected;
    for (int i = 0; i < 33; ++i) expected.append(pattern, bytes);
    CHECK(back == expected);
  }
}

TEST_CASE("sycl queue: host tasks are ordered with device tasks") {
  const auto device = test::sycl_device();
  if (!device) return;
  const int64_t n = 300'000;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order});
    const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
    const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
    auto* const values = static_cast<double*>(y.data());
    const double one = 1, zero = 0;
    const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &zero, 8, n)};
    double seen = -1;
    std::atomic<bool> go{false};
    const Event first = add_up(queue, kernel, x, y, n, 2, queue.submit_barrier(std::span(filled)));
    const Event host = queue.submit_host(
        [&] {
          while (!go) std::this_thread::yield();
          seen = values[n - 1];
          values[n - 1] = 100;
        },
        std::span(&first, 1));
    const Event last = add_up(queue, kernel, x, y, n, 3, host);
    CHECK(!last.is_complete());
    go = true;
    last.wait();
    CHECK(seen == 4);
    CHECK(values[0] == 10);
    CHECK(values[n - 1] == 106);
  }
}

TEST_CASE("sycl queue: dependencies on other drivers work in both directions") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device), cpu("native_cpu", {.in_order = false});
  const int64_t n = 1000;
  const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
  const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
  std::atomic<bool> go{false};
  const Event filled = cpu.submit_host([&] {
    while (!go) std::this_thread::yield();
    std::fill_n(static_cast<double*>(x.data()), n, 1.0);
    std::fill_n(static_cast<double*>(y.data()), n, 5.0);
  });
  const Event added = add_up(queue, kernel, x, y, n, 2, filled);
  double seen = 0;
  const Event read =
      cpu.submit_host([&] { seen = static_cast<double*>(y.data())[n - 1]; }, std::span(&added, 1));
  CHECK(!added.is_complete());
  go = true;
  read.wait();
  CHECK(seen == 9);
}

TEST_CASE(
    "sycl queue: a host task's exception becomes its event's error, and wait raises it once") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order});
    const Event failed = queue.submit_host([] { throw Error(ErrorKind::kValue, "here", "first"); });
    queue.submit_host([] { throw std::runtime_error("second"); });
    CHECK_THROWS_WITH(failed.wait(), "here: first");
    CHECK_THROWS_WITH(failed.wait(), "here: first");
    std::atomic<bool> ran = false;
    const Event dependent = queue.submit_host([&] { ran = true; }, std::span(&failed, 1));
    const Event further = queue.submit_barrier(std::span(&dependent, 1));
    CHECK_THROWS_WITH(dependent.wait(), "here: first");
    CHECK_THROWS_WITH(further.wait(), "here: first");
    CHECK(!ran);
    queue.submit_host([&] { ran = true; }).wait();  // unrelated
    CHECK(ran);
    CHECK_THROWS_WITH(queue.wait(), "here: first");
    CHECK_THROWS_WITH(queue.wait(), "host task: second");
    CHECK_NOTHROW(queue.wait());
  }
}

TEST_CASE("sycl queue, in order: work submitted by its host task runs after it") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  std::vector<int> order;
  Event inner;
  queue
      .submit_host([&] {
        inner = queue.submit_host([&] { order.push_back(2); });
        queue.wait();  // does not wait for the host task itself
        CHECK(!inner.is_complete());
        order.push_back(1);
      })
      .wait();
  inner.wait();
  CHECK(order == std::vector{1, 2});
}

TEST_CASE("sycl queue, in order: submissions of several threads are serialised") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device);
  std::atomic<int> inside{0}, overlaps{0};
  int64_t sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        queue.submit_host([&] {
          if (inside.fetch_add(1) != 0) ++overlaps;
          ++sum;
          inside.fetch_sub(1);
        });
    });
  for (auto& thread : threads) thread.join();
  queue.wait();
  CHECK(overlaps == 0);
  CHECK(sum == 800);
}

TEST_CASE("sycl queue, out of order: host tasks that wait for tasks do not block one another") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device, {.in_order = false});
  std::atomic<int> done{0}, arrived{0};
  for (int i = 0; i < 8; ++i)
    queue.submit_host([&] {
      ++arrived;
      while (arrived < 8) std::this_thread::yield();
      std::vector<Event> inner;
      for (int j = 0; j < 8; ++j) inner.push_back(queue.submit_host([&] { ++done; }));
      for (const Event& event : inner) event.wait();
    });
  queue.submit_barrier().wait();
  queue.wait();
  CHECK(done == 64);
}

TEST_CASE("sycl queue, out of order: a barrier ends after everything before it") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue queue(*device, {.in_order = false});
  const int64_t n = 1'000'000;
  const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
  const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
  const double one = 1;
  queue.fill(x.data(), &one, 8, n);
  queue.fill(y.data(), &one, 8, n);
  const Event filled = queue.submit_barrier();
  std::atomic<int> done{0};
  for (int i = 0; i < 100; ++i) queue.submit_host([&] { ++done; });
  add_up(queue, kernel, x, y, n, 3, filled);
  queue.submit_barrier().wait();
  CHECK(done == 100);
  CHECK(static_cast<double*>(y.data())[n - 1] == 7);
}

TEST_CASE("sycl queue: a long chain uses no recursion and keeps no memory") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order});
    std::atomic<bool> go{false};
    Event last = queue.submit_host([&] {
      while (!go) std::this_thread::yield();
    });
    int64_t count = 0;
    for (int i = 0; i < 10'000; ++i)
      last = queue.submit_host([&] { ++count; }, std::span(&last, 1));
    go = true;
    last.wait();
    CHECK(count == 10'000);
  }
}

TEST_CASE("sycl queue: profiling times are in order") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order, .enable_profiling = true});
    const Memory memory(queue, 1 << 20, UsmType::kDevice);
    const Event fill = queue.fill(memory.data(), "x", 1, 1 << 20);
    const Event host = queue.submit_host(
        [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, std::span(&fill, 1));
    const Event again = queue.fill(memory.data(), "y", 1, 1 << 20, std::span(&host, 1));
    for (const Event& event : {fill, host, again}) {
      CHECK(event.profiling_submit() <= event.profiling_start());
      CHECK(event.profiling_start() <= event.profiling_end());
    }
    CHECK(host.profiling_end() - host.profiling_start() >= 2'000'000);
    CHECK_THROWS_AS(Queue(*device).submit_host([] {}).profiling_end(), Error);
  }
}

TEST_CASE("sycl queue: it may be destroyed before its tasks have ended") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    std::atomic<int> done{0};
    Event last;
    {
      const Queue queue(*device, {.in_order = in_order});
      for (int i = 0; i < 10; ++i) last = queue.submit_host([&] { ++done; }, std::span(&last, 1));
    }
    last.wait();
    CHECK(done == 10);
  }
}
