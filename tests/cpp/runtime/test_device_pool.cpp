#include "runtime/device_pool.h"

#include <cstdlib>
#include <set>

#include <doctest/doctest.h>

using namespace hither;
using namespace hither::runtime;

namespace {

struct Heap final : NativeHeap {
  size_t least_alignment() const noexcept override { return 64; }
  Piece allocate(size_t bytes, size_t alignment, UsmType) override {
    if (bytes > size_t{1} << 20) return {};
    void* data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    given.insert(data);
    return {data, data};
  }
  void free(const Piece& piece, UsmType) noexcept override {
    CHECK(given.erase(piece.native) == 1);
    std::free(piece.native);
  }
  std::set<void*> given;
};

/// The `number`-th task of an in-order queue, which ends when the test ends it.
struct Task final : EventState {
  Task(uint64_t queue, int n) : order_number(queue), number(n) {}
  EventStatus status() const noexcept override {
    return ended ? EventStatus::kComplete : EventStatus::kRunning;
  }
  void wait() noexcept override { ended = true; }
  const Error* error() const noexcept override { return nullptr; }
  std::optional<ProfilingTimes> times() const noexcept override { return {}; }
  void on_end(std::function<void()>) override { FAIL("nothing is left pending here"); }
  bool follows(const EventState& earlier) const noexcept override {
    const auto& other = static_cast<const Task&>(earlier);
    return order_number != 0 && other.order_number == order_number && other.number < number;
  }
  uint64_t order() const noexcept override { return order_number; }

  const uint64_t order_number;
  const int number;
  bool ended = false;
};

struct Pool {
  std::shared_ptr<Heap> heap = std::make_shared<Heap>();
  DevicePool::Siblings siblings;
  DevicePool pool{{heap}, size_t{1} << 20, siblings};

  Block take(size_t bytes, uint64_t order = 0) {
    Block block{.bytes = bytes, .order = order};
    REQUIRE(pool.allocate(block));
    return block;
  }
  void give(const Block& block, std::vector<Event> uses) { pool.release(block, uses); }
};

}  // namespace

TEST_CASE("memory that an in-order queue still uses is reused by that queue only") {
  Pool p;
  const auto task = std::make_shared<Task>(1, 0);
  const Block first = p.take(1000, 1);
  p.give(first, {Event(task)});
  const Block others = p.take(1000, 2), anybodys = p.take(1000), larger = p.take(5000, 1);
  CHECK(others.data != first.data);
  CHECK(anybodys.data != first.data);
  CHECK(larger.data != first.data);
  const Block again = p.take(990, 1);  // of the same class
  CHECK(again.data == first.data);
  CHECK(p.pool.find(again.data)->bytes == 990);
  for (const Block& block : {others, anybodys, larger, again}) p.give(block, {});
  task->ended = true;
}

TEST_CASE("a pool keeps the unfinished uses of memory that it reuses") {
  Pool p;
  const auto task = std::make_shared<Task>(1, 0), later = std::make_shared<Task>(1, 1);
  const Block first = p.take(1000, 1);
  p.give(first, {Event(task)});
  SUBCASE("without a later use") {
    p.give(p.take(1000, 1), {});
    const Block other = p.take(1000);
    CHECK(other.data != first.data);
    p.give(other, {});
  }
  SUBCASE("after a completed use in another queue") {
    const auto elsewhere = std::make_shared<Task>(2, 5);
    elsewhere->ended = true;
    p.give(p.take(1000, 1), {Event(elsewhere)});
    const Block other = p.take(1000);
    CHECK(other.data != first.data);
    p.give(other, {});
  }
  SUBCASE("until a later task of the queue has ended") {
    p.give(p.take(1000, 1), {Event(), Event(later)});
    later->ended = true;
    const Block other = p.take(1000);
    CHECK(other.data == first.data);
    p.give(other, {});
  }
  task->ended = later->ended = true;
}

TEST_CASE("memory used in several queues is reused after all uses have ended") {
  Pool p;
  const auto one = std::make_shared<Task>(1, 0), two = std::make_shared<Task>(2, 0);
  const Block first = p.take(1000, 1);
  p.give(first, {Event(one), Event(), Event(two)});
  const Block second = p.take(1000, 1);
  CHECK(second.data != first.data);
  one->ended = two->ended = true;
  const Block third = p.take(1000);
  CHECK(third.data == first.data);
  p.give(second, {});
  p.give(third, {});
}

TEST_CASE("a loop that runs ahead of its device reuses the same memory") {
  Pool p;
  std::vector<std::shared_ptr<Task>> tasks;
  Block last = p.take(100'000, 1);
  for (int i = 0; i < 500; ++i) {
    const Block next = p.take(100'000, 1);
    tasks.push_back(std::make_shared<Task>(1, i));
    p.give(last, {Event(tasks.back())});
    last = next;
  }
  CHECK(p.heap->given.size() == 2);
  CHECK(p.pool.use().live_allocations == 1);
  p.give(last, {});
  for (const auto& task : tasks) task->ended = true;
  p.pool.trim();
  CHECK(p.heap->given.empty());
  CHECK(p.pool.use().held_bytes == 0);
}

TEST_CASE("an exhausted pool reports it and frees its unused memory") {
  Pool p;
  p.give(p.take(1000), {});
  CHECK(p.heap->given.size() == 1);
  Block block{.bytes = size_t{1} << 30};
  CHECK(!p.pool.allocate(block));
  CHECK(p.heap->given.empty());
}

TEST_CASE("a request for cached memory takes none from the system") {
  Pool p;
  p.give(p.take(1000), {});
  Block cached{.bytes = 1000, .only_cached = true}, fresh{.bytes = 5000, .only_cached = true};
  CHECK(p.pool.allocate(cached));
  CHECK(!p.pool.allocate(fresh));
  CHECK(p.heap->given.size() == 1);
}
