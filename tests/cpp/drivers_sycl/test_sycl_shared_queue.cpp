// Queues to which other users of SYCL submit host tasks, as dpctl does.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <hither/memory.h>
#include <hither/native.h>
#include <sycl/sycl.hpp>

#include "spirv_kernels.h"

using namespace hither;

namespace {

/// A foreign host task that lasts until open(), or until a timeout that makes the test fail.
class Gate {
 public:
  explicit Gate(const Queue& queue) {
    ::sycl::queue native = *static_cast<const ::sycl::queue*>(native_queue(queue));
    native.submit([&](::sycl::handler& handler) {
      handler.host_task([state = state_] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!state->open && std::chrono::steady_clock::now() < end)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        state->has_ended = true;
      });
    });
  }
  ~Gate() { open(); }
  void open() { state_->open = true; }
  bool has_ended() const { return state_->has_ended; }

 private:
  struct State {
    std::atomic<bool> open{false}, has_ended{false};
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace

TEST_CASE("sycl queue, shared, out of order: foreign host tasks delay no command of hither") {
  const auto device = test::sycl_device();
  if (!device || device->backend() != Backend::kOpenCl) return;
  const Queue queue(*device, {.in_order = false});
  const Memory x(queue, 1024, UsmType::kShared);
  Gate gate(queue);
  const Event fill = queue.fill(x.data(), "x", 1, 1024);
  const Event barrier = queue.submit_barrier(std::span(&fill, 1));
  barrier.wait();
  CHECK(static_cast<const char*>(x.data())[1023] == 'x');
  event_of_foreign_work(queue).wait();
  queue.wait();
  CHECK_FALSE(gate.has_ended());
}

TEST_CASE(
    "sycl queue, out of order: work that depends on a command that SYCL delays in another queue") {
  const auto device = test::sycl_device();
  if (!device) return;
  const Queue in_order(*device), other(*device, {.in_order = false});
  const Memory x(in_order, 1024, UsmType::kShared), y(other, 1024, UsmType::kShared);
  in_order.fill(x.data(), "a", 1, 1024).wait();
  Gate gate(in_order);
  const Event held = in_order.fill(x.data(), "b", 1, 1024);
  const Event copy = other.copy(y.data(), x.data(), 1024, std::span(&held, 1));
  const Event after = other.submit_barrier(std::span(&copy, 1));
  CHECK_FALSE(after.is_complete());
  CHECK_FALSE(gate.has_ended());
  gate.open();
  after.wait();
  CHECK(static_cast<const char*>(y.data())[1023] == 'b');
}

TEST_CASE("sycl queue, shared: profiling times of barriers are in order") {
  const auto device = test::sycl_device();
  if (!device) return;
  for (bool in_order : {true, false}) {
    const Queue queue(*device, {.in_order = in_order, .enable_profiling = true});
    const Memory x(queue, 1 << 20, UsmType::kShared);
    (void)native_queue(queue);
    const Event fill = queue.fill(x.data(), "x", 1, 1 << 20);
    const Event barrier = queue.submit_barrier(std::span(&fill, 1));
    barrier.wait();
    CHECK(barrier.profiling_submit() <= barrier.profiling_start());
    CHECK(barrier.profiling_start() <= barrier.profiling_end());
    CHECK(barrier.profiling_end() >= fill.profiling_end());
  }
}
