#include "array/flush.h"

#include <chrono>
#include <future>
#include <stdexcept>

#include <doctest/doctest.h>
#include <hither/ops.h>

using namespace hither;
using namespace hither::array;

namespace {

struct Throwing final : Recipe {
  void launch(Value&, std::span<const Operated>) const override {
    throw std::length_error("too long");
  }
  std::string describe(const Value&) const override { return "throwing"; }
};

Array ones(const Queue& queue) {
  return full({100}, 1.0, DType::kFloat64, {queue, UsmType::kDevice});
}

}  // namespace

TEST_CASE("an exception of any kind becomes the value's error") {
  const Queue queue("native_cpu");
  ValueRef value(new Value(contiguous_layout(queue, {3}), DType::kFloat64));
  value->kind = ValueKind::kRecipe;
  value->recipe = std::make_unique<Throwing>();
  submit(*value);
  CHECK_THROWS_WITH_AS(require_ready(*value), doctest::Contains("too long"), Error);
}

TEST_CASE("unfinished work of other queues is waited for without the graph lock") {
  const Queue queue("native_cpu"), other("native_cpu", {.in_order = false});
  const auto check = [&](auto&& call) {
    Array x = ones(queue);
    x.synchronize();
    bool queue_works = false;
    std::future<void> other_thread;
    const Event writes = other.submit_host([&] {
      other_thread = std::async(std::launch::async, [&] { (ones(queue) + 1).synchronize(); });
      queue_works = other_thread.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
    });
    note_write(x.storage()->present(), writes);
    call(x);
    x.synchronize();
    other_thread.wait();
    CHECK(queue_works);
  };
  check([](const Array& x) { (x + 1).synchronize(); });
  check([](const Array& x) { assign(strided_view(x, {50}, {2}, 0), 2.0); });
  check([](const Array& x) {
    const Array y = x + 1;
    (void)x.data();  // y keeps the old memory
    y.synchronize();
  });
}
