#include "drivers/native_cpu/arena.h"

#include <atomic>
#include <utility>

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include "drivers/native_cpu/hand_over.h"

namespace hither::drivers::native_cpu {
namespace {

/// fork() copies no thread, so in a child whose parent used oneTBB the workers are gone for good.
/// Such a child runs everything on the calling thread.
std::atomic<bool> workers_were_started{false};
std::atomic<bool> workers_are_lost{false};

void note_workers() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (workers_were_started.load()) workers_are_lost.store(true);
  });
  (void)registered;
  workers_were_started.store(true, std::memory_order_relaxed);
}

/// Keeps the workers of an arena on its units; the caller's thread stays where its owner put it.
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
    pthread_getaffinity_np(pthread_self(), sizeof before_, &before_);
    pthread_setaffinity_np(pthread_self(), sizeof set_, &set_);
  }
  void on_scheduler_exit(bool is_worker) override {
    if (is_worker) pthread_setaffinity_np(pthread_self(), sizeof before_, &before_);
  }

 private:
  cpu_set_t set_;
  static thread_local cpu_set_t before_;
};
thread_local cpu_set_t Pin::before_;

}  // namespace

struct Arena::Threads {
  explicit Threads(int concurrency) : loops(concurrency, 1), tasks(concurrency, 1) {}
  /// For for_each() of a part of the device. One slot is kept for the caller: were all of them taken
  /// by tasks that wait for a lock the caller holds, it could never start.
  tbb::task_arena loops;
  /// For enqueue(). Its kept slot is for nobody, as one processor is for the threads that wait for
  /// tasks, and help (oneTBB has one worker less than processors, and gives a lone one to an arena that
  /// has no other slot).
  tbb::task_arena tasks;
  std::unique_ptr<Pin> pin_loops, pin_tasks;
};

/// The arena whose enqueued task this thread is running.
static thread_local const Arena* running_in = nullptr;

Arena::Arena(Units units, bool is_whole_device)
    : concurrency_(static_cast<int>(units.size())), is_whole_device_(is_whole_device),
      threads_(std::make_unique<Threads>(concurrency_)) {
  if (is_whole_device) return;
  threads_->pin_loops = std::make_unique<Pin>(threads_->loops, units);
  threads_->pin_tasks = std::make_unique<Pin>(threads_->tasks, units);
}

Arena::~Arena() = default;

void Arena::for_each(int64_t count, void (*body)(void* data, int64_t i), void* data) {
  if (count <= 1 || concurrency_ == 1 || workers_are_lost.load(std::memory_order_relaxed)) {
    for (int64_t i = 0; i < count; ++i) body(data, i);
    return;
  }
  note_workers();
  handed_over(data);
  const auto part = [body, data](const tbb::blocked_range<int64_t>& range) {
    taken(data);
    for (int64_t i = range.begin(); i != range.end(); ++i) body(data, i);
    handed_over(data);
  };
  const auto run = [&] {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<int64_t>(0, count, 1), part, tbb::simple_partitioner());
    });
    taken(data);
  };
  // The caller's own arena is the cheapest, and shares the workers fairly with other libraries.
  if (is_whole_device_ || running_in == this) return run();
  threads_->loops.execute(run);
}

void Arena::enqueue(void (*task)(void* data), void* data) {
  if (workers_are_lost.load(std::memory_order_relaxed)) return task(data);
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
