// Failures of tasks, on every driver.
#include <atomic>
#include <thread>

#include "subject.h"

using namespace hither;

TEST_CASE("driver: a host task's exception becomes its event's error, and wait raises it once") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
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
  });
}

TEST_CASE("driver: a failure becomes the error of dependent tasks only, on all queues") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
    const Queue other(queue.device()), cpu("native_cpu");
    std::atomic<bool> ran{false};
    const Event bad = queue.submit_host([] { throw Error(ErrorKind::kDevice, "task", "broke"); });
    const Event dependent = queue.submit_host([&] { ran = true; }, std::span(&bad, 1));
    const Event further = other.submit_barrier(std::span(&dependent, 1));
    const Event last = cpu.submit_host([&] { ran = true; }, std::span(&further, 1));
    const Event unrelated = queue.submit_host([] {});
    const Event barrier = queue.submit_barrier();
    CHECK_NOTHROW(unrelated.wait());
    CHECK_NOTHROW(barrier.wait());
    for (const Event& event : {dependent, further, last}) {
      REQUIRE(event.wait_for_error());
      CHECK(*event.wait_for_error() == *bad.wait_for_error());
    }
    CHECK(!ran);
    for (const Queue& each : {queue, other, cpu}) {
      CHECK_THROWS_WITH(each.wait(), "task: broke");
      CHECK_NOTHROW(each.wait());  // dependents have the same failure
    }
  });
}

TEST_CASE("driver: wait raises failures by submission number") {
  test::for_each_device([](const test::Subject&, const Device& device) {
    const Queue queue(device, {.in_order = false});
    std::atomic<bool> go{test::submission_waits(queue)};
    const Event slow = queue.submit_host([&] {
      while (!go) std::this_thread::yield();
      throw Error(ErrorKind::kDevice, "task", "first");
    });
    const Event quick =
        queue.submit_host([] { throw Error(ErrorKind::kDevice, "task", "second"); });
    // Do not wait: this thread might run the slow task itself.
    std::thread starter([&] {
      quick.wait_for_error();
      go = true;
    });
    CHECK_THROWS_WITH(queue.wait(), "task: first");
    CHECK_THROWS_WITH(queue.wait(), "task: second");
    CHECK_NOTHROW(queue.wait());
    starter.join();
  });
}

TEST_CASE("driver: the error that a kernel reports is the one of its event and its dependents") {
  test::for_each_kernel_queue([](const test::Subject& subject, const Queue& queue) {
    const Queue other(queue.device()), cpu("native_cpu");
    const Kernel reads = test::load(subject, queue, "reads");
    const auto text = [&](int64_t code) -> std::string {
      const Event event = queue.submit(reads, Range(80, 80), test::packed(code));
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
      for (const Queue& each : {queue, other, cpu}) {
        CHECK_THROWS_AS(each.wait(), Error);
        CHECK_NOTHROW(each.wait());
      }
      return error->message();
    };
    CHECK(text(0).empty());
    CHECK(text(target::kIndexOutOfBounds) ==
          "index out of bounds in kernel reads at work.py:12, work-item (3, 4)");
    CHECK(text(target::kFirstMessage) ==
          "the moon is full in kernel reads at work.py:12, work-item (3, 4)");
    CHECK(text(0).empty());
  });
}

TEST_CASE("driver: wait raises unreported errors of kernels in submission order") {
  test::for_each_kernel_queue([](const test::Subject& subject, const Queue& queue) {
    const Kernel reads = test::load(subject, queue, "reads");
    for (int64_t i = 0; i < 2000; ++i) {
      const int64_t code = i == 700 ? target::kZeroDivision : i == 1500 ? target::kOverflow : 0;
      queue.submit(reads, Range(8, 8), test::packed(code));
    }
    CHECK_THROWS_WITH_AS(queue.wait(), doctest::Contains("division by zero"), Error);
    CHECK_THROWS_WITH_AS(queue.wait(), doctest::Contains("overflow"), Error);
    CHECK_NOTHROW(queue.wait());
  });
}

TEST_CASE("driver: the error of a kernel whose queue is gone reaches its dependents") {
  test::for_each_kernel_device([](const test::Subject& subject, const Device& device) {
    const Queue last(device);
    const Kernel reads = test::load(subject, last, "reads");
    for (bool in_order : {true, false}) {
      Event event;
      {
        const Queue queue(device, {.in_order = in_order});
        for (int i = 0; i < 100; ++i) {
          const int64_t code = i == 99 ? target::kZeroDivision : 0;
          event = queue.submit(reads, Range(80, 80), test::packed(code));
        }
      }
      const auto error = last.submit_barrier(std::span(&event, 1)).wait_for_error();
      REQUIRE(error);
      CHECK(error->native_code() == target::kZeroDivision);
      CHECK_THROWS_AS(last.wait(), Error);
    }
  });
}
