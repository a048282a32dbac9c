#include <atomic>
#include <thread>

#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "axpy_kernel.h"

using namespace hither;

TEST_CASE("in-order queue: a kernel runs over every item and is complete on return") {
  const Queue queue("native_cpu");
  const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
  for (int64_t n : {1, 63, 64, 65, 1000, 100'003, 3'000'017}) {
    const Memory x(queue, n * 8, UsmType::kDevice), y(queue, n * 8, UsmType::kDevice);
    const double one = 1, two = 2;
    queue.fill(x.data(), &one, 8, n);
    queue.fill(y.data(), &two, 8, n);
    const test::AxpyArguments arguments{3, static_cast<double*>(x.data()),
                                        static_cast<double*>(y.data())};
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Event event = queue.submit(kernel, Range(n), test::packed(arguments));
      CHECK(event.is_complete());
      CHECK(!event.state());
    }
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) wrong += arguments.y[i] != 11;
    CHECK(wrong == 0);
  }
}

TEST_CASE("in-order queue: invalid launches are refused before they run") {
  const Queue queue("native_cpu");
  const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
  double x = 1, y = 0;
  const test::AxpyArguments arguments{3, &x, &y};
  CHECK_THROWS_AS(queue.submit(Kernel(), Range(1), test::packed(arguments)), Error);
  CHECK_THROWS_AS(queue.submit(kernel, Range(1), test::packed(arguments).first(16)), Error);
  CHECK_THROWS_AS(queue.submit(kernel, Range(-1), test::packed(arguments)), Error);
  CHECK_THROWS_AS(queue.submit(kernel, NdRange(Range(3), Range(2)), test::packed(arguments)),
                  Error);
  CHECK_THROWS_AS(queue.submit(kernel, Range(INT64_MAX, 4), test::packed(arguments)), Error);
  queue.submit(kernel, Range(0), test::packed(arguments));
  CHECK_THROWS_AS(queue.prefetch(nullptr, 8), Error);
  queue.prefetch(nullptr, 0);
  CHECK(y == 0);
}

TEST_CASE(
    "in-order queue: a host task's exception becomes its event's error, and wait raises it once") {
  const Queue queue("native_cpu");
  const Event failed = queue.submit_host([] { throw Error(ErrorKind::kValue, "here", "first"); });
  queue.submit_host([] { throw std::runtime_error("second"); });
  CHECK_THROWS_WITH(failed.wait(), "here: first");
  CHECK_THROWS_WITH(failed.wait(), "here: first");
  bool ran = false;
  const Event dependent = queue.submit_host([&] { ran = true; }, std::span(&failed, 1));
  CHECK_THROWS_WITH(dependent.wait(), "here: first");
  CHECK(!ran);
  queue.submit_host([&] { ran = true; });  // unrelated
  CHECK(ran);
  CHECK_THROWS_WITH(queue.wait(), "here: first");
  CHECK_THROWS_WITH(queue.wait(), "host task: second");
  CHECK_NOTHROW(queue.wait());
}

TEST_CASE("in-order queue: work submitted by its host task runs after it") {
  const Queue queue("native_cpu");
  std::vector<int> order;
  Event inner;
  queue.submit_host([&] {
    inner = queue.submit_host([&] { order.push_back(2); });
    CHECK(!inner.is_complete());
    order.push_back(1);
  });
  CHECK(inner.is_complete());
  CHECK(order == std::vector{1, 2});
}

TEST_CASE("in-order queue: submissions of several threads are serialised") {
  const Queue queue("native_cpu");
  std::atomic<int> inside{0}, overlaps{0};
  int64_t sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        queue.submit_host([&] {
          if (inside.fetch_add(1) != 0) ++overlaps;
          ++sum;
          inside.fetch_sub(1);
        });
    });
  for (auto& thread : threads) thread.join();
  CHECK(overlaps == 0);
  CHECK(sum == 2000);
}

TEST_CASE("in-order queue: profiling times are in order") {
  const Queue queue("native_cpu", {.enable_profiling = true});
  const Event event =
      queue.submit_host([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  CHECK(event.profiling_submit() <= event.profiling_start());
  CHECK(event.profiling_end() - event.profiling_start() >= 2'000'000);
  CHECK_THROWS_AS(Queue("native_cpu").submit_host([] {}).profiling_end(), Error);
}
