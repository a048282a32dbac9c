#include "runtime/interruption.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>

namespace hither::runtime {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{100};    ///< a wait that is worth a handler of our own
constexpr milliseconds kLook{20};     ///< how often the watcher looks whether SIGINT has come
constexpr milliseconds kAgain{1};     ///< and tells threads that were outside of kernel code
constexpr int kLooksBeforeRest = 20;  ///< without a wait
const int kLeave = SIGRTMIN + 9;      ///< what makes a thread leave a kernel
constexpr uint64_t kAnyLaunch = ~uint64_t{0};
constexpr uint64_t kOfOtherThreads = kAnyLaunch - 1;  ///< a launch that nobody interrupts

/// A thread that has run kernel code.
struct Runner {
  pthread_t thread = pthread_self();
  std::atomic<uint64_t> launch{0};  ///< whose code it is in
  sigjmp_buf out;
};

struct Watch {
  std::atomic<uint64_t> waited_for{0};  ///< the launch that the thread waits for
  std::atomic<uint64_t> waits{0};       ///< that it has begun
  std::atomic<uint64_t> left{0};        ///< the launch that threads are to leave
  std::atomic<bool> rests{false};
  bool (*raises)() = nullptr;
  std::mutex mutex;  ///< of what follows
  std::condition_variable wake;
  bool is_started = false;
  std::vector<Runner*> runners;
};

std::atomic<Watch*> the_watch{nullptr};
std::atomic<bool> sigint_came{false};
struct sigaction before_ours;  ///< written where ours is not installed
thread_local bool is_watched = false;

/// Never destroyed; a child of fork() has its own, without the parent's other threads.
Watch& watch() noexcept {
  Watch* found = the_watch.load(std::memory_order_acquire);
  if (found) return *found;
  auto* made = new Watch;
  if (the_watch.compare_exchange_strong(found, made)) return *made;
  delete made;
  return *found;
}

class Registration {
 public:
  Registration() {
    Watch& all = watch();
    std::lock_guard lock(all.mutex);
    all.runners.push_back(&runner);
  }
  ~Registration() {
    Watch& all = watch();
    std::lock_guard lock(all.mutex);
    std::erase(all.runners, &runner);
  }
  Runner runner;
};

Runner& this_runner() noexcept {
  static thread_local Registration registration;
  return registration.runner;
}

thread_local Runner* running = nullptr;  ///< for the handler, which must make nothing

void leave_kernel(int, siginfo_t*, void* context) noexcept {
  const int error = errno;
  Runner* const runner = running;
  const Watch* const all = the_watch.load(std::memory_order_relaxed);
  if (runner && all) {
    const uint64_t launch = runner->launch.load(std::memory_order_relaxed);
    const uint64_t left = all->left.load(std::memory_order_relaxed);
    const auto at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
    Dl_info library;
    // In no library's code, it is in what the compiler made.
    if (launch != 0 && (left == kAnyLaunch || left == launch) &&
        dladdr(reinterpret_cast<void*>(at), &library) == 0)
      siglongjmp(runner->out, 1);
  }
  errno = error;
}

void note_sigint(int signal, siginfo_t* info, void* context) noexcept {
  sigint_came.store(true, std::memory_order_relaxed);
  if (before_ours.sa_flags & SA_SIGINFO)
    before_ours.sa_sigaction(signal, info, context);
  else
    before_ours.sa_handler(signal);
}

/// False where SIGINT is ignored, or ends the process anyway.
bool put_handler_first() noexcept {
  if (sigaction(SIGINT, nullptr, &before_ours) != 0) return false;
  if (!(before_ours.sa_flags & SA_SIGINFO) &&
      (before_ours.sa_handler == SIG_DFL || before_ours.sa_handler == SIG_IGN))
    return false;
  struct sigaction leave{};
  leave.sa_sigaction = leave_kernel;
  leave.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;  // the jump leaves it unblocked
  sigaction(kLeave, &leave, nullptr);
  struct sigaction ours = before_ours;
  ours.sa_sigaction = note_sigint;
  ours.sa_flags |= SA_SIGINFO;
  sigint_came.store(false);
  return sigaction(SIGINT, &ours, nullptr) == 0;
}

void take_handler_away() noexcept {
  struct sigaction now{};
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_sigaction == note_sigint)
    sigaction(SIGINT, &before_ours, nullptr);
}

/// Until the wait that is number `wait` ends.
void make_threads_leave(Watch& all, uint64_t wait) {
  while (const uint64_t launch = all.waited_for.load()) {
    if (all.waits.load() != wait) break;
    all.left.store(launch);
    {
      std::lock_guard lock(all.mutex);
      for (const Runner* runner : all.runners)
        if (runner->launch.load(std::memory_order_relaxed)) pthread_kill(runner->thread, kLeave);
    }
    std::this_thread::sleep_for(kAgain);
  }
  all.left.store(0);
}

void see_to(Watch& all, uint64_t wait) {
  if (!put_handler_first()) return;
  while (all.waited_for.load() && all.waits.load() == wait) {
    if (sigint_came.exchange(false) && all.raises()) make_threads_leave(all, wait);
    std::this_thread::sleep_for(kLook);
  }
  take_handler_away();
}

[[noreturn]] void watch_waits(Watch& all) {
  int looks = 0;
  for (;;) {
    const uint64_t wait = all.waits.load();
    const bool waits = all.waited_for.load() != 0;
    std::this_thread::sleep_for(kLong);
    looks = waits || all.waits.load() != wait ? 0 : looks + 1;
    if (waits && all.waited_for.load() && all.waits.load() == wait) see_to(all, wait);
    if (looks < kLooksBeforeRest) continue;
    std::unique_lock lock(all.mutex);
    all.rests.store(true);
    all.wake.wait(lock, [&] { return all.waits.load() != wait; });
    all.rests.store(false);
  }
}

/// The first wait of a process starts the watcher, a later one wakes it.
void rouse(Watch& all) {
  std::lock_guard lock(all.mutex);
  if (!all.is_started) {
    sigset_t every, mask;  // signals are for the program's own threads
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &mask);
    try {
      std::thread([&all] { watch_waits(all); }).detach();
      all.is_started = true;
    } catch (const std::exception&) {
      // No more threads: nobody watches until there are.
    }
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    if (!all.is_started) return;
  }
  all.rests.store(false);
  all.wake.notify_one();
}

const int at_fork = pthread_atfork(nullptr, nullptr, [] {
  const Watch* const parents = the_watch.load();
  if (!parents) return;
  auto* own = new Watch;
  own->rests.store(true);
  own->raises = parents->raises;
  if (running) own->runners.push_back(running);
  the_watch.store(own);
});

}  // namespace

void make_this_thread_interruptible(bool (*raises)()) noexcept {
  if (is_watched) return;
  is_watched = true;
  watch().raises = raises;
  watch().rests.store(true);
}

InterruptibleWait::InterruptibleWait(For what) noexcept
    : is_watched_(is_watched), launch_(kOfOtherThreads) {
  if (!is_watched_) return;
  Watch& all = watch();
  launch_ = all.waits.fetch_add(1) + 1;
  before_ = all.waited_for.exchange(what == For::kAnyLaunch ? kAnyLaunch : launch_);
  if (all.rests.load()) rouse(all);
}

InterruptibleWait::~InterruptibleWait() {
  if (is_watched_) watch().waited_for.store(before_);
}

bool run_interruptibly(uint64_t launch, void (*call)(void*), void* data) noexcept {
  running = &this_runner();
  if (sigsetjmp(running->out, 0) != 0) {
    running->launch.store(0, std::memory_order_relaxed);
    return false;
  }
  running->launch.store(launch, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  call(data);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  running->launch.store(0, std::memory_order_relaxed);
  return true;
}

}  // namespace hither::runtime
