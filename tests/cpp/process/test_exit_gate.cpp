#include "process/exit_gate.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

using hither::process::InsideLibrary;
using namespace std::chrono_literals;

namespace {

/// Whether `test` returns true in a forked child, whose gate it may close.
bool holds_in_fork(bool (*test)()) {
  const pid_t child = fork();
  if (child == 0) _exit(test() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool closing_is_quick() {
  const auto begin = std::chrono::steady_clock::now();
  InsideLibrary::close();
  return std::chrono::steady_clock::now() - begin < 20s;  // it gives up after 30
}

}  // namespace

// ThreadSanitizer does not support threads that are started after a fork of a process with threads.
#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadsMayStart = false;
#else
constexpr bool kThreadsMayStart = true;
#endif

TEST_CASE("close() waits for the threads inside, and then only its caller may enter" *
          doctest::skip(!kThreadsMayStart)) {
  CHECK(holds_in_fork([] {
    static std::atomic<bool> in, done, again;
    std::thread([] {
      {
        const InsideLibrary inside;
        const InsideLibrary deeper;
        in = true;
        std::this_thread::sleep_for(100ms);
        const InsideLibrary after_closing;
        done = true;
      }
      const InsideLibrary new_call;
      again = true;
    }).detach();
    while (!in) std::this_thread::yield();
    const bool quick = closing_is_quick();
    const InsideLibrary inside;
    std::this_thread::sleep_for(50ms);
    return quick && done && !again && closing_is_quick();
  }));
}

TEST_CASE("A forked child does not wait for threads of its parent") {
  std::atomic<bool> in = false, leave = false;
  std::thread inside([&] {
    const InsideLibrary call;
    in = true;
    while (!leave) std::this_thread::sleep_for(1ms);
  });
  while (!in) std::this_thread::yield();
  const InsideLibrary own;
  CHECK(holds_in_fork(closing_is_quick));
  leave = true;
  inside.join();
}
