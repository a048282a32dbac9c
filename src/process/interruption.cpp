#include "process/interruption.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>

namespace hither::process {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{20};      ///< interval of checks for SIGINT
constexpr milliseconds kAgain{1};      ///< interval of signals to threads, and of looks for answers
constexpr int kLooksForAnswer = 100;   ///< of raises(), at intervals of kAgain
constexpr int kLooksBeforeRest = 100;  ///< checks without a wait until the watcher sleeps
const int kLeave = SIGRTMIN + 9;       ///< the signal that makes a thread leave a kernel
constexpr uint64_t kAnyLaunch = ~uint64_t{0};
constexpr uint64_t kOfOtherThread = kAnyLaunch - 1;  ///< a launch that only kAnyLaunch includes

/// A thread that has run kernel code.
struct Runner {
  pthread_t thread = pthread_self();
  std::atomic<uint64_t> launch{0};  ///< the launch whose code it runs, or 0
  sigjmp_buf out;
};

struct Watch {
  std::atomic<uint64_t> waited_for{0};   ///< the launch that the thread waits for
  std::atomic<uint64_t> waits{0};        ///< number of waits so far
  std::atomic<uint64_t> judged{0};       ///< the last call for which `raises` was asked
  std::atomic<uint64_t> interrupted{0};  ///< the last call that is interrupted
  std::atomic<bool> rests{false};
  bool (*raises)() = nullptr;
  std::mutex mutex;  ///< protects the members below, and the installed handler
  std::condition_variable wake;
  bool is_started = false;
  std::vector<Runner*> runners;
  const Watch* parents = nullptr;  ///< of the process that forked this one; is never destroyed
};

std::atomic<Watch*> the_watch{nullptr};
std::atomic<uint64_t> calls{0};         ///< number of calls of the watched thread so far
std::atomic<uint64_t> call{0};          ///< its call now, or 0
std::atomic<uint64_t> sigint_call{0};   ///< its call when SIGINT came last
void (*python_handler)(int) = nullptr;  ///< protected by Watch::mutex
struct sigaction program_handler;       ///< written while note_sigint is not installed
thread_local bool thread_is_watched = false;
thread_local bool is_in_handler = false;

/// Never destroyed. A child of fork() makes its own, because it lacks the parent's other threads.
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

thread_local Runner* running = nullptr;  ///< for the signal handler, which must not allocate

/// The instruction at which a signal has interrupted this thread.
void* interrupted_at(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
  return reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(context.uc_mcontext.pc);
#else
#error "name the program counter of this architecture"
#endif
}

void leave_kernel(int, siginfo_t*, void* context) noexcept {
  const int error = errno;
  Runner* const runner = running;
  const Watch* const all = the_watch.load(std::memory_order_relaxed);
  if (runner && all) {
    const uint64_t launch = runner->launch.load(std::memory_order_relaxed);
    const uint64_t awaited = all->waited_for.load(std::memory_order_relaxed);
    const bool is_interrupted = call.load() == all->interrupted.load();
    const void* const at = interrupted_at(*static_cast<const ucontext_t*>(context));
    Dl_info library;
    // Code outside all libraries is compiled kernel code.
    if (launch != 0 && is_interrupted && (awaited == kAnyLaunch || awaited == launch) &&
        dladdr(at, &library) == 0)
      siglongjmp(runner->out, 1);
  }
  errno = error;
}

void note_sigint(int signal, siginfo_t* info, void* context) noexcept {
  sigint_call.store(call.load(std::memory_order_relaxed), std::memory_order_relaxed);
  // Another library may have installed its handler after note_sigint, and note_sigint then another
  // time. LLVM's restores the one that it found and raises the signal again.
  if (std::exchange(is_in_handler, true)) {
    if (python_handler) python_handler(signal);
    return;
  }
  if (program_handler.sa_flags & SA_SIGINFO)
    program_handler.sa_sigaction(signal, info, context);
  else
    program_handler.sa_handler(signal);
  is_in_handler = false;
}

/// Installs note_sigint before the present handler.
void install_handler() noexcept {
  struct sigaction found{};
  if (sigaction(SIGINT, nullptr, &found) != 0) return;
  // A child of fork() may inherit note_sigint from its parent.
  if (found.sa_sigaction == note_sigint) return;
  if (found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN) return;
  // Python has one handler in C for all of its handlers, and was there first.
  if (!python_handler) python_handler = found.sa_handler;
  program_handler = found;
  struct sigaction leave{};
  leave.sa_sigaction = leave_kernel;
  leave.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;  // the jump must not leave it blocked
  sigaction(kLeave, &leave, nullptr);
  struct sigaction noting = found;
  noting.sa_sigaction = note_sigint;
  noting.sa_flags |= SA_SIGINFO;
  sigaction(SIGINT, &noting, nullptr);
}

void remove_handler() noexcept {
  struct sigaction now{};
  if (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_sigaction == note_sigint)
    sigaction(SIGINT, &program_handler, nullptr);
}

/// Makes threads leave the kernels that the interrupted call waits for, until it ends.
void make_threads_leave(Watch& all, uint64_t interrupted) {
  for (; call.load() == interrupted; std::this_thread::sleep_for(kAgain)) {
    std::lock_guard lock(all.mutex);
    for (const Runner* runner : all.runners)
      if (runner->launch.load(std::memory_order_relaxed)) pthread_kill(runner->thread, kLeave);
  }
}

/// One check for SIGINT.
void look(Watch& all) {
  const uint64_t now = call.load();
  if (now == 0) return;
  if (sigint_call.load() == now && all.judged.load() != now) {
    const bool ends = all.raises();
    if (ends) all.interrupted.store(now);
    all.judged.store(now);
    if (ends) make_threads_leave(all, now);
  }
  std::lock_guard lock(all.mutex);
  install_handler();  // the program may have installed its own since
}

[[noreturn]] void watch_waits(Watch& all) {
  int looks = 0;
  for (;;) {
    const uint64_t wait = all.waits.load();
    std::this_thread::sleep_for(kLook);
    look(all);
    looks = all.waited_for.load() || all.waits.load() != wait ? 0 : looks + 1;
    if (looks < kLooksBeforeRest) continue;
    std::unique_lock lock(all.mutex);
    remove_handler();
    all.rests.store(true);
    all.wake.wait(lock, [&] { return all.waits.load() != wait; });
    all.rests.store(false);
  }
}

/// The first wait of the process starts the watcher; later waits wake it.
void wake_watcher(Watch& all) {
  std::lock_guard lock(all.mutex);
  if (!all.is_started) {
    sigset_t every, mask;  // signals are handled by the program's threads
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &mask);
    try {
      std::thread([&all] { watch_waits(all); }).detach();
      all.is_started = true;
    } catch (const std::exception&) {
      // No thread can be started: waits are not interruptible now.
    }
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    if (!all.is_started) return;
  }
  all.rests.store(false);
  install_handler();
  all.wake.notify_one();
}

const int at_fork = pthread_atfork(nullptr, nullptr, [] {
  const Watch* const parents = the_watch.load();
  if (!parents) return;
  auto* own = new Watch;
  own->rests.store(true);
  own->raises = parents->raises;
  own->parents = parents;
  if (running) own->runners.push_back(running);
  the_watch.store(own);
});

}  // namespace

void make_this_thread_interruptible(bool (*raises)()) noexcept {
  if (thread_is_watched) return;
  thread_is_watched = true;
  watch().raises = raises;
  watch().rests.store(true);
  struct sigaction found{};
  if (sigaction(SIGINT, nullptr, &found) == 0 && found.sa_handler != SIG_DFL &&
      found.sa_handler != SIG_IGN)
    python_handler = found.sa_handler;
}

bool this_thread_is_interruptible() noexcept { return thread_is_watched; }

InterruptibleCall::InterruptibleCall() noexcept
    : is_outermost_(thread_is_watched && call.load(std::memory_order_relaxed) == 0) {
  if (!is_outermost_) return;
  const uint64_t number = calls.load(std::memory_order_relaxed) + 1;  // only this thread writes it
  calls.store(number, std::memory_order_relaxed);
  call.store(number, std::memory_order_release);
}

InterruptibleCall::~InterruptibleCall() {
  if (is_outermost_) call.store(0, std::memory_order_release);
}

InterruptibleWait::InterruptibleWait(For what) noexcept
    : is_watched_(thread_is_watched), launch_(kOfOtherThread) {
  if (!is_watched_) return;
  Watch& all = watch();
  // Only this thread writes both. The exchange orders the second one before the load of `rests`.
  launch_ = all.waits.load(std::memory_order_relaxed) + 1;
  before_ = all.waited_for.load(std::memory_order_relaxed);
  all.waited_for.store(what == For::kAnyLaunch ? kAnyLaunch : launch_, std::memory_order_relaxed);
  all.waits.exchange(launch_);
  if (all.rests.load()) wake_watcher(all);
}

InterruptibleWait::~InterruptibleWait() {
  if (is_watched_) watch().waited_for.store(before_, std::memory_order_release);
}

bool InterruptibleWait::is_interrupted() const noexcept {
  const uint64_t now = call.load();
  if (!is_watched_ || sigint_call.load() != now) return false;
  const Watch& all = watch();
  // The watcher needs the GIL for its answer. The caller may hold it, so this wait has a limit.
  for (int i = 0; i < kLooksForAnswer && all.judged.load() != now; ++i)
    std::this_thread::sleep_for(kAgain);
  return all.interrupted.load() == now;
}

bool run_interruptibly(uint64_t launch, void (*call)(void*), void* data) noexcept {
  Runner* const runner = running ? running : running = &this_runner();
  if (sigsetjmp(runner->out, 0) != 0) {
    runner->launch.store(0, std::memory_order_relaxed);
    return false;
  }
  runner->launch.store(launch, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  call(data);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  runner->launch.store(0, std::memory_order_relaxed);
  return true;
}

}  // namespace hither::process
