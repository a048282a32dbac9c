#include "process/mutex.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using hither::process::Mutex;
using namespace std::chrono_literals;

TEST_CASE("one thread at a time holds a mutex") {
  Mutex mutex;
  int64_t count = 0;  // not atomic
  constexpr int kThreads = 4, kRounds = 20'000;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(count == kThreads * kRounds);
  CHECK_FALSE(mutex.is_locked());
}

TEST_CASE("unlocking a mutex wakes every waiting thread in the end") {
  Mutex mutex;
  std::atomic<int> ended{0};
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex);
    CHECK(mutex.is_locked());
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        CHECK_FALSE(mutex.try_lock());
        const std::lock_guard inner(mutex);
        ++ended;
      });
    std::this_thread::sleep_for(50ms);  // the threads sleep now
    CHECK(ended == 0);
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(ended == 3);
  CHECK(mutex.try_lock());
  mutex.unlock();
}
