#include "drivers/native_cpu/arena.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <latch>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>
#include <tbb/version.h>

#include "drivers/native_cpu/hand_over.h"
#include "process/exit_gate.h"

namespace hither::drivers::native_cpu {
namespace {

/// fork() copies no threads, so a child whose parent used oneTBB has no workers. It runs everything
/// on the calling thread, as does a process that cannot start workers.
std::atomic<bool> workers_were_started{false};
std::atomic<bool> workers_are_lost{false};

/// Whether the process has the address space and the right to start `count` threads at once. Each
/// allocates before the next one starts: glibc reserves address space for a thread's first
/// allocation, keeps it, and the workers of oneTBB would otherwise take what others need to start.
bool threads_can_start(int count) {
  std::latch all_started(1);
  std::atomic<int> allocated{0};
  std::vector<std::jthread> threads;
  bool started = true;
  try {
    for (int n = 0; n < count; ++n) {
      threads.emplace_back([&] {
        void* volatile memory = std::malloc(1);
        std::free(memory);
        allocated.fetch_add(1);
        allocated.notify_one();
        all_started.wait();
      });
      allocated.wait(n);
    }
  } catch (const std::exception&) {  // std::system_error or std::bad_alloc
    started = false;
  }
  all_started.count_down();
  return started;
}

int allowed_threads() {
  return static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

/// Starts all workers of oneTBB, while there is room for them: waits until each runs a task, or
/// until no other one has started for a while, because other work may occupy some of them. The
/// while is a number of short sleeps, about three seconds; on a loaded machine, where threads start
/// later, these take longer. Workers that have started sleep, so that they do not delay the others.
void start_workers(int count) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(count) + 1);
  count = std::min(count, allowed_threads() - 1);  // the program may have set another limit
  if (count < 1) return;
  constexpr int kSleeps = 30'000;
  constexpr std::chrono::microseconds kSleep(50);
  struct Start {
    std::atomic<int> to_come;
    std::atomic<bool> ended{false};  // a worker that comes later shall not wait
  };
  const auto start = std::make_shared<Start>(count);
  tbb::task_arena arena(count + 1, 1);
  for (int n = 0; n < count; ++n)
    arena.enqueue([start, kSleep] {
      start->to_come.fetch_sub(1);
      while (!start->ended.load()) std::this_thread::sleep_for(kSleep);
    });
  int seen = count;
  for (int sleeps = 0; sleeps < kSleeps && seen > 0; ++sleeps) {
    std::this_thread::sleep_for(kSleep);
    if (const int now = start->to_come.load(); now != seen) seen = now, sleeps = 0;
  }
  start->ended.store(true);
}

/// Called before each use of the workers. Returns false if there are none. oneTBB starts workers
/// late, in places from which it cannot report a failure, and ends the process instead; so the
/// first use starts them all. Before version 2021.11 it could request the workers of one arena
/// before it had noted that those of another arena were free. Then it started up to twice as many.
bool workers_are_ready() {
  static const bool tried = [] {
    constexpr int kExact = 12'110;
    const int arenas = TBB_runtime_interface_version() < kExact ? 2 : 1;
    const int count = arenas * tbb::info::default_concurrency();  // see one_more_worker()
    if (threads_can_start(count))
      start_workers(count);
    else
      workers_are_lost.store(true);
    return true;
  }();
  (void)tried;
  return !workers_are_lost.load(std::memory_order_relaxed);
}

/// oneTBB runs one worker fewer than there are processors, for a caller that takes part. The thread
/// that waits for an enqueued task does not: if each part of a device runs one, all processors need
/// a worker. A program that allows more workers keeps them, unless it sets its limit later.
void one_more_worker() {
  static const bool tried = [] {
    const int wanted = tbb::info::default_concurrency() + 1;
    if (allowed_threads() < wanted)
      new tbb::global_control(tbb::global_control::max_allowed_parallelism,  // for ever
                              static_cast<size_t>(wanted));
    return true;
  }();
  (void)tried;
}

void note_workers() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (workers_were_started.load()) workers_are_lost.store(true);
  });
  (void)registered;
  workers_were_started.store(true, std::memory_order_relaxed);
}

/// The indices of a loop, divided into one share for each thread. A thread runs its own share
/// first. The static partitioner gives a thread the same share in each loop, so its data is still
/// in its cache, which is up to four times faster. After a short delay for threads that start
/// later, a thread helps with the other shares, so that uneven work is balanced. A loop that may be
/// abandoned takes no more indices when the process begins to exit.
class Shares {
 public:
  Shares(int64_t count, int threads, bool may_be_abandoned)
      : size_(static_cast<int>(std::min<int64_t>(count, threads))),
        may_be_abandoned_(may_be_abandoned),
        shares_(std::make_unique<Share[]>(static_cast<size_t>(size_))) {
    for (int s = 0; s < size_; ++s) {
      shares_[s].next.store(count * s / size_, std::memory_order_relaxed);
      shares_[s].end = count * (s + 1) / size_;
    }
  }
  int size() const noexcept { return size_; }
  bool is_abandoned() const noexcept {
    return may_be_abandoned_ && process::InsideLibrary::is_closed();
  }

  void run(int first, void (*body)(void* data, int64_t i), void* data) noexcept {
    const auto start = Clock::now();
    work_through(shares_[first], body, data);
    const auto end = Clock::now();
    const auto grace = std::min<Clock::duration>((end - start) / 2, kLongestGrace);
    while (work_is_left() && Clock::now() - end < grace) pause();
    for (int k = 1; k < size_; ++k) work_through(shares_[(first + k) % size_], body, data);
  }

 private:
  struct alignas(64) Share {
    std::atomic<int64_t> next;
    int64_t end;
  };
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kLongestGrace{10};

  void work_through(Share& share, void (*body)(void* data, int64_t i), void* data) noexcept {
    while (share.next.load(std::memory_order_relaxed) < share.end && !is_abandoned()) {
      const int64_t i = share.next.fetch_add(1, std::memory_order_relaxed);
      if (i < share.end) body(data, i);
    }
  }
  bool work_is_left() const noexcept {
    for (int s = 0; s < size_; ++s)
      if (shares_[s].next.load(std::memory_order_relaxed) < shares_[s].end) return true;
    return false;
  }
  static void pause() noexcept {
    for (int i = 0; i < 16; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  const int size_;
  const bool may_be_abandoned_;
  const std::unique_ptr<Share[]> shares_;
};

/// Binds the workers of an arena to its units. The caller's thread keeps its affinity.
class Pin : public tbb::task_scheduler_observer {
 public:
  Pin(tbb::task_arena& arena, const Units& units) : tbb::task_scheduler_observer(arena) {
    CPU_ZERO(&set_);
    for (int unit : units)
      if (unit < CPU_SETSIZE) CPU_SET(unit, &set_);
    observe(true);
  }
  ~Pin() override { observe(false); }
  void on_scheduler_entry(bool is_worker) override {
    if (!is_worker) return;
    pthread_getaffinity_np(pthread_self(), sizeof before, &before);
    pthread_setaffinity_np(pthread_self(), sizeof set_, &set_);
  }
  void on_scheduler_exit(bool is_worker) override {
    if (is_worker) pthread_setaffinity_np(pthread_self(), sizeof before, &before);
  }

 private:
  cpu_set_t set_;
  static thread_local cpu_set_t before;
};
thread_local cpu_set_t Pin::before;

}  // namespace

struct Arena::Threads {
  explicit Threads(int concurrency) : loops(concurrency, 1), tasks(concurrency + 1, 1) {}
  /// For for_each() of a sub-device. One slot is reserved for the caller. If all slots were taken
  /// by tasks that wait for a lock of the caller, it could never start.
  tbb::task_arena loops;
  /// For enqueue(). It has a slot for a worker on each unit. One more is reserved for waiting
  /// threads, which help: oneTBB gives a lone worker to an arena that has no other slot.
  tbb::task_arena tasks;
  std::unique_ptr<Pin> pin_loops, pin_tasks;
};

/// The arena whose enqueued task this thread is running.
static thread_local const Arena* running_in = nullptr;

Arena::Arena(const Units& units, Placement placement)
    : concurrency_(static_cast<int>(units.size())),
      is_whole_device_(placement == Placement::kWholeDevice),
      threads_(std::make_unique<Threads>(concurrency_)) {
  if (placement != Placement::kBound) return;
  threads_->pin_loops = std::make_unique<Pin>(threads_->loops, units);
  threads_->pin_tasks = std::make_unique<Pin>(threads_->tasks, units);
}

Arena::~Arena() = default;

void Arena::for_each(int64_t count, void (*body)(void* data, int64_t i), void* data) {
  if (count <= 1 || concurrency_ == 1) {
    for (int64_t i = 0; i < count; ++i) body(data, i);
    return;
  }
  if (!run_on_workers(count, body, data)) const process::InsideLibrary never_returns;
}

bool Arena::run_on_workers(int64_t count, void (*body)(void* data, int64_t i), void* data) {
  // Exit destroys what oneTBB needs to start a loop. It may wait for enqueued tasks, whose threads
  // have started, and the thread that exits may run loops while it does.
  std::optional<process::InsideLibrary> inside;
  if (!running_in) inside.emplace();
  if (!workers_are_ready()) {
    for (int64_t i = 0; i < count; ++i) body(data, i);
    return true;
  }
  note_workers();
  Shares shares(count, concurrency_, inside && !process::InsideLibrary::is_closed());
  handed_over(data);  // and its shares
  const auto take_part = [&shares, body, data](int first_share) {
    taken(data);
    shares.run(first_share, body, data);
    handed_over(data);
  };
  const auto run = [&] {
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(0, shares.size(), take_part, tbb::static_partitioner()); });
    taken(data);
  };
  // The caller's arena has the least overhead, and shares workers fairly with other libraries.
  if (is_whole_device_ || running_in == this)
    run();
  else
    threads_->loops.execute(run);
  return !shares.is_abandoned();
}

void Arena::enqueue(void (*task)(void* data), void* data) {
  std::optional<process::InsideLibrary> inside;
  if (!running_in) inside.emplace();
  if (!workers_are_ready()) {
    inside.reset();
    return task(data);
  }
  if (!is_whole_device_) one_more_worker();
  note_workers();
  handed_over(data);
  threads_->tasks.enqueue([this, task, data] {
    taken(data);
    const Arena* const before = std::exchange(running_in, this);
    task(data);
    running_in = before;
  });
}

}  // namespace hither::drivers::native_cpu
