#include <hither/profile.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/queue.h>

using namespace hither;

namespace {

Profile ended() {
  CHECK(end_profile(10));
  return take_profile();
}

const ProfileEvent& find(const Profile& profile, const std::string& kind) {
  const auto found = std::ranges::find(profile.events, kind, &ProfileEvent::kind);
  REQUIRE(found != profile.events.end());
  return *found;
}

}  // namespace

TEST_CASE("a profile has the tasks of all kinds of queues") {
  for (const QueueProperties properties :
       {QueueProperties{}, {.in_order = false}, {.enable_profiling = true}}) {
    const Queue queue("native_cpu", properties);
    const Memory memory(queue, 1 << 20, UsmType::kDevice);
    std::vector<char> host(1 << 20);
    begin_profile();
    const char one = 1;
    const Event filled = queue.fill(memory.data(), &one, 1, 1 << 20);
    const Event copied = queue.copy(host.data(), memory.data(), 1 << 20, {&filled, 1});
    queue.submit_host([] {}, {&copied, 1}).wait();
    const Profile profile = ended();
    CHECK(host.back() == 1);
    CHECK(profile.dropped == 0);
    CHECK(find(profile, "fill").bytes == 1 << 20);
    CHECK(find(profile, "copy").bytes == 1 << 20);
    CHECK(find(profile, "copy").start >= find(profile, "fill").end);
    CHECK(find(profile, "host task").start >= find(profile, "copy").end);
    for (const ProfileEvent& event : profile.events) {
      CHECK(event.host_end >= event.host_start);
      CHECK(event.line.empty());
      if (event.kind == "wait") continue;
      CHECK(event.clock == "device");
      CHECK(event.end >= event.start);
      CHECK(event.queue_number == profile.events.front().queue_number);
    }
  }
}

TEST_CASE("threads record at the same time, up to the limit") {
  constexpr int kThreads = 4, kTasks = 200;
  begin_profile(kThreads * kTasks - 100);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([] {
      const Queue queue("native_cpu", {.in_order = false});
      for (int task = 0; task < kTasks; ++task) (void)queue.submit_host([] {});
      queue.wait();
    });
  for (std::thread& thread : threads) thread.join();
  const Profile profile = ended();
  CHECK(profile.events.size() == kThreads * kTasks - 100);
  CHECK(profile.dropped >= 100);
}

TEST_CASE("profiles do not nest, and end before they are taken") {
  CHECK_THROWS_AS(take_profile(), Error);
  begin_profile();
  CHECK_THROWS_WITH_AS(begin_profile(), doctest::Contains("already running"), Error);
  CHECK_THROWS_AS(take_profile(), Error);
  CHECK(ended().events.empty());
  CHECK_THROWS_AS(take_profile(), Error);
}

TEST_CASE("the end of a profile does not wait longer than it is told to") {
  const Queue queue("native_cpu", {.in_order = false});
  std::atomic<bool> go = false;
  begin_profile();
  const Event event = queue.submit_host([&] {
    while (!go) std::this_thread::yield();
  });
  CHECK(!end_profile(0.01));
  go = true;
  CHECK(end_profile(10));
  const Profile profile = take_profile();
  CHECK(find(profile, "host task").end > find(profile, "host task").start);
  event.wait();
}
