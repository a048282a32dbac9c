#include "runtime/profile.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "process/before_blocking.h"
#include "runtime/event_state.h"
#include "runtime/queue_state.h"

namespace hither {
namespace runtime {
namespace {

using profiling::Interval;

/// How often the ends of tasks are looked for.
constexpr std::chrono::microseconds kPause{50};
/// How long after the end of a task its driver may still measure it, in nanoseconds.
constexpr uint64_t kMeasuredWithin = 10'000'000;

/// A task whose end nobody has observed yet.
struct Open {
  std::shared_ptr<EventState> task;
  profiling::Handle handle;
  uint64_t begun = 0;      ///< the start of the submission
  uint64_t submitted = 0;  ///< the end of the submission, which may have compiled the kernel
  uint64_t started = 0;    ///< when it was first seen running; of an out-of-order queue
  uint64_t ended = 0;      ///< when its end was first seen
};

struct Track {
  bool in_order = true;
  uint64_t last_end = 0;
  std::deque<Open> open;
};

/// Observes the ends of tasks by asking for their status. It never waits for a task: a wait in
/// another thread would change how a back end runs it.
class Observer {
 public:
  static Observer& process() {
    static auto* const instance = new Observer;  // tasks may end while the process exits
    return *instance;
  }

  void add(const Queue& queue, Open open) {
    std::lock_guard lock(mutex_);
    Track& track = tracks_[queue.state()->number];
    track.in_order = queue.properties().in_order;
    track.open.push_back(std::move(open));
    if (!watching_) {
      watching_ = true;
      std::thread([this] { watch(); }).detach();
    }
    arrived_.notify_one();
  }

  /// Returns whether tasks remain.
  bool observe() {
    Ended ended;  // destroyed without the lock
    std::lock_guard lock(mutex_);
    return observe_locked(ended);
  }
  /// Ends the thread once no task remains.
  void stop() {
    std::lock_guard lock(mutex_);
    arrived_.notify_one();
  }

  void forget() {
    std::map<uint64_t, Track> gone;
    std::lock_guard lock(mutex_);
    gone.swap(tracks_);
  }

 private:
  using Ended = std::vector<Open>;

  bool observe_locked(Ended& ended) {
    for (auto& [number, track] : tracks_)
      track.in_order ? in_order(track, ended) : out_of_order(track, ended);
    return std::ranges::any_of(tracks_, [](const auto& t) { return !t.second.open.empty(); });
  }

  /// Whether it has ended, and its driver has measured it or will not.
  static bool has_ended(Open& open, uint64_t now) {
    if (open.ended == 0) {
      if (open.task->status() != EventStatus::kComplete) return false;
      open.ended = now;
    }
    const auto times = open.task->profiled_times();
    return !times || times->end != 0 || now - open.ended > kMeasuredWithin;
  }

  /// The times that the driver has measured, if it has, not earlier than `earliest`. A device's
  /// clock is compared with the host's, on a busy host with an error that could place the work
  /// before its submission or before the end of the task before it.
  static std::optional<Interval> measured(const Open& open, uint64_t earliest = 0) {
    const auto times = open.task->profiled_times();
    if (!times || times->end == 0) return std::nullopt;
    const uint64_t start = std::max({times->start, open.begun, earliest});
    return Interval{start, start + (times->end - std::min(times->start, times->end))};
  }
  static std::optional<Interval> record_measured(const Open& open, uint64_t earliest = 0) {
    const auto run = measured(open, earliest);
    if (run) profiling::set_run(open.handle, *run, true);
    return run;
  }

  /// Tasks of an in-order queue run one after the other. Those that have ended since the last look
  /// share the time since then.
  static void in_order(Track& track, Ended& ended) {
    const size_t first = ended.size();
    const uint64_t now = profiling::now();
    while (!track.open.empty() && has_ended(track.open.front(), now)) {
      ended.push_back(std::move(track.open.front()));
      track.open.pop_front();
    }
    for (auto open = ended.begin() + static_cast<ptrdiff_t>(first); open != ended.end();) {
      if (const auto run = record_measured(*open, track.last_end)) {
        track.last_end = run->end;
        ++open;
        continue;
      }
      const auto next =
          std::find_if(open, ended.end(), [](const Open& o) { return measured(o).has_value(); });
      const uint64_t limit = next == ended.end() ? now : measured(*next)->start;
      for (; open != next; ++open) {
        const uint64_t from = std::max(track.last_end, open->submitted);
        const uint64_t to = std::max(from, std::min(open->ended, limit));
        const auto sharing = static_cast<uint64_t>(next - open);
        track.last_end = from + (to - from) / sharing;
        profiling::set_run(open->handle, {from, track.last_end}, false);
      }
    }
  }

  static void out_of_order(Track& track, Ended& ended) {
    const uint64_t now = profiling::now();
    std::erase_if(track.open, [&](Open& open) {
      if (open.started == 0 && open.task->status() == EventStatus::kRunning) open.started = now;
      if (!has_ended(open, now)) return false;
      const uint64_t start = open.started != 0 ? open.started : open.submitted;
      if (!record_measured(open)) profiling::set_run(open.handle, {start, open.ended}, false);
      ended.push_back(std::move(open));
      return true;
    });
  }

  void watch() {
    Ended ended;
    std::unique_lock lock(mutex_);
    for (;;) {
      if (observe_locked(ended) || !ended.empty()) {
        lock.unlock();
        ended.clear();
        std::this_thread::sleep_for(kPause);
        lock.lock();
      } else if (profiling::is_on()) {
        arrived_.wait(lock);
      } else {
        watching_ = false;
        return;
      }
    }
  }

  std::mutex mutex_;  ///< protects the members below
  std::condition_variable arrived_;
  bool watching_ = false;
  std::map<uint64_t, Track> tracks_;  ///< by the number of the queue
};

profiling::Track track_of(const Queue& queue) { return {queue.state()->number, describe(queue)}; }

}  // namespace

RecordedSubmission::RecordedSubmission() noexcept : start_(profiling::now()) {
  (void)profiling::take_run();
}

void RecordedSubmission::submitted(const Queue& queue, const ProfiledTask& task,
                                   const Event& event) noexcept try {
  if (!profiling::is_on()) return;
  const Interval host{start_, profiling::now()};
  Interval run = profiling::take_run();
  const profiling::Track track = track_of(queue);
  const profiling::Handle handle = profiling::add({.kind = task.kind,
                                                   .name = task.name,
                                                   .track = &track,
                                                   .items = task.items,
                                                   .bytes = task.bytes,
                                                   .host = host});
  if (handle.profile == 0) return;
  if (run.end == 0 && event.state())
    return Observer::process().add(queue, {.task = event.state(),
                                           .handle = handle,
                                           .begun = host.start,
                                           .submitted = host.end,
                                           .started = 0});
  profiling::set_run(handle, run.end != 0 ? run : host, true);
} catch (...) {  // memory is exhausted: the event is lost
}

void record_wait(std::string_view name, uint64_t start, const Queue* queue) noexcept try {
  if (!profiling::is_on()) return;
  const uint64_t end = profiling::now();
  (void)Observer::process().observe();
  const profiling::Track track = queue ? track_of(*queue) : profiling::Track();
  (void)profiling::add({.kind = profiling::Kind::kWait,
                        .name = name,
                        .track = queue ? &track : nullptr,
                        .host = {start, end}});
} catch (...) {  // memory is exhausted: the event is lost
}

}  // namespace runtime

void begin_profile(size_t limit) { profiling::begin(limit); }

bool end_profile(double seconds) {
  profiling::end();
  auto& observer = runtime::Observer::process();
  observer.stop();
  const uint64_t end = profiling::now() + static_cast<uint64_t>(1e9 * std::max(0.0, seconds));
  while (observer.observe()) {
    if (profiling::now() >= end) return false;
    process::before_blocking();
    std::this_thread::sleep_for(runtime::kPause);
  }
  return true;
}

Profile take_profile() {
  Profile profile = profiling::take();
  runtime::Observer::process().forget();
  return profile;
}

}  // namespace hither
