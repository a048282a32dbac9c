// The order of tasks in every driver's queues.
#include <atomic>
#include <thread>

#include <hither/memory.h>

#include "subject.h"

using namespace hither;

namespace {

/// Lets a host task run on. It is open from the start where the submission of a task waits for the
/// host task.
class Gate {
 public:
  explicit Gate(const Queue& queue) : open_(test::submission_waits(queue)) {}
  ~Gate() { open(); }
  void open() { open_ = true; }
  void pass() const {
    while (!open_) std::this_thread::yield();
  }

 private:
  std::atomic<bool> open_;
};

}  // namespace

TEST_CASE("driver: host tasks are ordered with device tasks") {
  test::for_each_kernel_queue([](const test::Subject& subject, const Queue& queue) {
    const int64_t n = 300'000;
    const Kernel axpy = test::load(subject, queue, "axpy");
    const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
    auto* const values = static_cast<double*>(y.data());
    const double one = 1, zero = 0;
    const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &zero, 8, n)};
    double seen = -1;
    Gate gate(queue);
    const Event first =
        test::add_up(queue, axpy, x.data(), values, n, 2, queue.submit_barrier(std::span(filled)));
    const Event host = queue.submit_host(
        [&] {
          gate.pass();
          seen = values[n - 1];
          values[n - 1] = 100;
        },
        std::span(&first, 1));
    const Event last = test::add_up(queue, axpy, x.data(), values, n, 3, host);
    CHECK(last.is_complete() == test::submission_waits(queue));
    gate.open();
    last.wait();
    CHECK(seen == 4);
    CHECK(values[0] == 10);
    CHECK(values[n - 1] == 106);
  });
}

TEST_CASE("driver: dependencies on other drivers work in both directions") {
  test::for_each_queue([](const test::Subject& subject, const Queue& queue) {
    const Queue cpu("native_cpu", {.in_order = false});
    const int64_t n = 1000;
    const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
    Gate gate(queue);
    const Event filled = cpu.submit_host([&] {
      gate.pass();
      std::fill_n(static_cast<double*>(x.data()), n, 1.0);
      std::fill_n(static_cast<double*>(y.data()), n, 5.0);
    });
    const Event added = subject.code ? test::add_up(queue, test::load(subject, queue, "axpy"),
                                                    x.data(), y.data(), n, 2, filled)
                                     : queue.copy(x.data(), y.data(), n * 8, std::span(&filled, 1));
    const Memory& result = subject.code ? y : x;
    double seen = 0;
    const Event read = cpu.submit_host([&] { seen = static_cast<double*>(result.data())[n - 1]; },
                                       std::span(&added, 1));
    CHECK(added.is_complete() == test::submission_waits(queue));
    gate.open();
    read.wait();
    CHECK(seen == (subject.code ? 9 : 5));
  });
}

TEST_CASE("driver: dependencies order host tasks within and across queues") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    const Queue queue(device, {.in_order = false}), other(device, {.in_order = false});
    const Queue in_order(device);
    for (int round = 0; round < 50; ++round) {
      std::vector<int> order;
      Gate gate(queue);
      const Event a = queue.submit_host([&] {
        gate.pass();
        order.push_back(1);
      });
      const Event b = other.submit_host([&] { order.push_back(2); }, std::span(&a, 1));
      const Event both[] = {a, b};
      const Event c = queue.submit_host([&] { order.push_back(3); }, both);
      CHECK(c.is_complete() == test::submission_waits(queue));
      gate.open();
      in_order.submit_host([&] { order.push_back(4); }, std::span(&c, 1)).wait();
      CHECK(order == std::vector{1, 2, 3, 4});
      CHECK(c.is_complete());
    }
  });
}

TEST_CASE("driver: work that a host task submits to its in-order queue runs after it") {
  test::for_each_device([](const test::Subject& subject, const Device& device) {
    if (!subject.orders_host_tasks) return;
    const Queue queue(device);
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
  });
}

TEST_CASE("driver: an in-order queue serialises the submissions of several threads") {
  test::for_each_device([](const test::Subject& subject, const Device& device) {
    if (!subject.orders_host_tasks) return;
    const Queue queue(device);
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
  });
}

TEST_CASE("driver: host tasks that wait for tasks do not block an out-of-order queue") {
  test::for_each_device([](const test::Subject& subject, const Device& device) {
    const Queue queue(device, {.in_order = false});
    std::atomic<int> done{0}, arrived{subject.has_host_threads ? 0 : 8};
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
  });
}

TEST_CASE("driver: a barrier ends after everything before it") {
  test::for_each_queue([](const test::Subject& subject, const Queue& queue) {
    const int64_t n = 1'000'000;
    const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
    const double one = 1;
    queue.fill(x.data(), &one, 8, n);
    queue.fill(y.data(), &one, 8, n);
    const Event filled = queue.submit_barrier();
    std::atomic<int> done{0};
    for (int i = 0; i < 100; ++i) queue.submit_host([&] { ++done; });
    if (subject.code)
      test::add_up(queue, test::load(subject, queue, "axpy"), x.data(), y.data(), n, 3, filled);
    queue.submit_barrier().wait();
    CHECK(done == 100);
    CHECK(static_cast<double*>(y.data())[n - 1] == (subject.code ? 7 : 1));
  });
}

TEST_CASE("driver: threads wait while others submit") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
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
  });
}

TEST_CASE("driver: a long chain uses no recursion and keeps no memory") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
    Gate gate(queue);
    Event last = queue.submit_host([&] { gate.pass(); });
    int64_t count = 0;
    for (int i = 0; i < 10'000; ++i)
      last = queue.submit_host([&] { ++count; }, std::span(&last, 1));
    gate.open();
    last.wait();
    CHECK(count == 10'000);
  });
}

TEST_CASE("driver: profiling times are in order") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    for (bool in_order : {true, false}) {
      const Queue queue(device, {.in_order = in_order, .enable_profiling = true});
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
      CHECK_THROWS_AS(Queue(device).submit_host([] {}).profiling_end(), Error);
    }
  });
}

TEST_CASE("driver: a queue may be destroyed before its tasks have ended") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    for (bool in_order : {true, false}) {
      std::atomic<int> done{0};
      Event last;
      {
        const Queue queue(device, {.in_order = in_order});
        for (int i = 0; i < 10; ++i) last = queue.submit_host([&] { ++done; }, std::span(&last, 1));
      }
      last.wait();
      CHECK(done == 10);
    }
  });
}
