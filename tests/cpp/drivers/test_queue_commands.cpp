// Copies, fills and kernels of every driver's queues.
#include <algorithm>
#include <string>

#include <hither/memory.h>

#include "subject.h"

using namespace hither;

TEST_CASE("driver: kernels, fills and copies run in order of their dependencies") {
  test::for_each_kernel_queue([](const test::Subject& subject, const Queue& queue) {
    const Kernel axpy = test::load(subject, queue, "axpy");
    for (int64_t n : {1, 63, 64, 65, 1000, 100'003, 1'000'017}) {
      CAPTURE(n);
      const Memory x(queue, n * 8, UsmType::kDevice), y(queue, n * 8, UsmType::kShared);
      std::vector<double> back(static_cast<size_t>(n));
      const double one = 1, zero = 0;
      const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &zero, 8, n)};
      const Event last = test::add_up(queue, axpy, x.data(), y.data(), n, 10,
                                      queue.submit_barrier(std::span(filled)));
      queue.copy(back.data(), y.data(), n * 8, std::span(&last, 1)).wait();
      CHECK(std::count(back.begin(), back.end(), 20.0) == n);
    }
  });
}

TEST_CASE("driver: kernels copy their arguments") {
  test::for_each_kernel_queue([](const test::Subject& subject, const Queue& queue) {
    const Kernel axpy = test::load(subject, queue, "axpy");
    const int64_t n = 200'000;
    const Memory x(queue, n * 8, UsmType::kShared), y(queue, n * 8, UsmType::kShared);
    const double one = 1, zero = 0;
    const Event filled[] = {queue.fill(x.data(), &one, 8, n), queue.fill(y.data(), &zero, 8, n)};
    test::AxpyArguments arguments{3, static_cast<const double*>(x.data()),
                                  static_cast<double*>(y.data())};
    const Event last = queue.submit(axpy, Range(n), test::packed(arguments), filled);
    arguments = {};
    last.wait();
    const auto* const values = static_cast<const double*>(y.data());
    CHECK(std::count(values, values + n, 3.0) == n);
  });
}

TEST_CASE("driver: invalid launches are refused before they run") {
  test::for_each_kernel_queue([](const test::Subject& subject, const Queue& queue) {
    const Kernel axpy = test::load(subject, queue, "axpy");
    const Memory y(queue, 8, UsmType::kShared);
    auto& value = *static_cast<double*>(y.data());
    value = 0;
    const test::AxpyArguments arguments{3, &value, &value};
    CHECK_THROWS_AS(queue.submit(Kernel(), Range(1), test::packed(arguments)), Error);
    CHECK_THROWS_AS(queue.submit(axpy, Range(1), test::packed(arguments).first(16)), Error);
    CHECK_THROWS_AS(queue.submit(axpy, Range(-1), test::packed(arguments)), Error);
    CHECK_THROWS_AS(queue.submit(axpy, NdRange(Range(3), Range(2)), test::packed(arguments)),
                    Error);
    CHECK_THROWS_AS(queue.submit(axpy, Range(INT64_MAX, 4), test::packed(arguments)), Error);
    queue.submit(axpy, Range(0), test::packed(arguments));
    CHECK_THROWS_AS(queue.prefetch(nullptr, 8), Error);
    queue.prefetch(nullptr, 0);
    queue.wait();
    CHECK(value == 0);
  });
}

TEST_CASE("driver: fills with patterns of every size") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
    const char pattern[] = "0123456789abcdef";
    for (size_t bytes : {1, 2, 4, 8, 16})
      for (size_t count : {1, 33, 8191, 8193, 500'001}) {
        CAPTURE(bytes);
        CAPTURE(count);
        const Memory memory(queue, count * bytes, UsmType::kDevice);
        std::string back(count * bytes, '-');
        Event event = queue.fill(memory.data(), pattern, bytes, count);
        event = queue.copy(back.data(), memory.data(), back.size(), std::span(&event, 1));
        event.wait();
        size_t wrong = 0;
        for (size_t i = 0; i < back.size(); ++i) wrong += back[i] != pattern[i % bytes];
        CHECK(wrong == 0);
      }
  });
}

TEST_CASE("driver: copies of pageable memory of every size work in both directions") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
    for (size_t bytes : {1, 4095, 65'536, 65'537, 4 << 20, (8 << 20) + 3, 33'000'001}) {
      CAPTURE(bytes);
      std::string there(bytes, ' '), back(bytes, '-'), again(bytes, '-');
      for (size_t i = 0; i < bytes; ++i) there[i] = static_cast<char>(i * 7 + i / 251);
      const Memory memory(queue, bytes, UsmType::kDevice);
      Event event = queue.copy(memory.data(), there.data(), bytes);
      event = queue.copy(back.data(), memory.data(), bytes, std::span(&event, 1));
      event = queue.copy(again.data(), back.data(), bytes, std::span(&event, 1));
      event.wait();
      CHECK(back == there);
      CHECK(again == there);
    }
  });
}

TEST_CASE("driver: prefetches keep the order of the queue") {
  test::for_each_queue([](const test::Subject&, const Queue& queue) {
    for (UsmType type : {UsmType::kDevice, UsmType::kShared, UsmType::kHost}) {
      const Memory memory(queue, 5000, type);
      Event event = queue.fill(memory.data(), "p", 1, 5000);
      event = queue.prefetch(memory.data(), 5000, std::span(&event, 1));
      std::string back(5000, '-');
      queue.copy(back.data(), memory.data(), 5000, std::span(&event, 1)).wait();
      CHECK(back == std::string(5000, 'p'));
    }
  });
}
