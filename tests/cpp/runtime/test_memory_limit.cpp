#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/memory_info.h>

using namespace hither;

namespace {

constexpr size_t kMega = 1'000'000;

/// Limits the memory of a device, for the time of a test, to `bytes` more than is used. The tests
/// use contexts of their own, so the default context has all of what is used.
struct Limit {
  Limit(const Device& d, size_t bytes) : device(d) {
    set_memory_limit(device, memory_info(Context::default_for(device)).used + bytes);
  }
  ~Limit() { set_memory_limit(device, std::nullopt); }
  Device device;
};

Queue in_own_context() {
  const Device device = Queue("cpu").device();
  return {Context({device}), device};
}

bool is_given(const Queue& queue, size_t bytes, UsmType type = UsmType::kDevice) try {
  const Memory memory(queue, bytes, type);
  return true;
} catch (const Error& error) {
  CHECK(error.kind() == ErrorKind::kMemory);
  return false;
}

}  // namespace

TEST_CASE("memory limit: all types and contexts of a device count, to the byte") {
  const Queue queue = in_own_context(), other = in_own_context();
  CHECK(!memory_info(queue.context()).limit);
  {
    const Limit limit(queue.device(), 10 * kMega);
    const size_t bytes = *memory_info(other.context()).limit;
    CHECK(bytes == memory_info(Context::default_for(queue.device())).used + 10 * kMega);
    const Memory device(queue, 3 * kMega, UsmType::kDevice), host(other, 1000, UsmType::kHost);
    {
      const Memory shared(other, 2 * kMega, UsmType::kShared);
      for (const Queue& each : {queue, other}) {
        CHECK(is_given(each, 5 * kMega - 1000));
        CHECK(!is_given(each, 5 * kMega - 999));
      }
    }
    CHECK(is_given(queue, 7 * kMega - 1000, UsmType::kHost));
    CHECK(!is_given(queue, 7 * kMega - 999, UsmType::kHost));
    for (size_t huge : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2}) CHECK(!is_given(queue, huge));
    CHECK(is_given(queue, 7 * kMega - 1000));
  }
  CHECK(is_given(queue, 20 * kMega));
}

TEST_CASE("memory limit: foreign memory does not count, sub-devices do") {
  const Queue queue = in_own_context();
  const Limit limit(queue.device(), 10 * kMega);
  char buffer[8];
  const Memory foreign = Memory::foreign(queue, buffer, 50 * kMega, UsmType::kHost, {});
  CHECK(is_given(queue, 10 * kMega));
  const int64_t one = 1;
  const auto parts = queue.device().create_sub_devices_by_counts({&one, 1});
  const Queue part(parts[0]);
  CHECK(memory_info(part.context()).limit == memory_info(queue.context()).limit);
  const Memory memory(part, 4 * kMega, UsmType::kDevice);
  CHECK(!is_given(queue, 7 * kMega));
  CHECK(is_given(queue, 6 * kMega));
}

TEST_CASE("memory limit: threads get no byte more") {
  const Queue queue = in_own_context();
  constexpr int kThreads = 8, kGiven = 400;
  for (size_t bytes : {size_t{1000}, 3 * kMega}) {
    const Limit limit(queue.device(), kGiven * bytes + bytes / 2);
    std::atomic<int> given{0}, refused{0};
    std::vector<std::vector<Memory>> kept(kThreads);
    std::vector<std::thread> threads;
    for (auto& mine : kept)
      threads.emplace_back([&] {
        for (int i = 0; i < kGiven; ++i) try {
            mine.emplace_back(queue, bytes, UsmType::kDevice);
            ++given;
          } catch (const Error&) {
            ++refused;
          }
      });
    for (auto& thread : threads) thread.join();
    CHECK(given == kGiven);
    CHECK(refused == (kThreads - 1) * kGiven);
    kept.clear();
    CHECK(is_given(queue, kGiven * bytes));
  }
}

TEST_CASE("memory limit: cached memory is reused, or released before it exceeds the limit") {
  const Queue queue = in_own_context(), other = in_own_context();
  for (const Queue& keeper : {queue, other}) {
    trim_pools(queue.context());
    trim_pools(other.context());
    REQUIRE(is_given(keeper, 50 * kMega));
    CHECK(memory_info(keeper.context()).cached >= 50 * kMega);
    trim_pools(Context::default_for(queue.device()));
    const Limit limit(queue.device(), 70 * kMega);
    {
      const Memory again(keeper, 50 * kMega, UsmType::kDevice);
      CHECK(memory_info(keeper.context()).cached < 10 * kMega);
    }
    CHECK(memory_info(keeper.context()).cached >= 50 * kMega);
    const Memory smaller(queue, 30 * kMega, UsmType::kDevice);
    CHECK(memory_info(keeper.context()).cached < 10 * kMega);
  }
}
