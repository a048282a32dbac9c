#include "profiling/record.h"

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <hither/error.h>

#include "profiling/ranges.h"

namespace hither::profiling {
namespace {

constexpr const char* kKindNames[] = {"kernel",    "copy",        "fill", "library",
                                      "host task", "compilation", "wait", "fallback"};

struct Record {
  Kind kind;
  bool measured = true;
  uint32_t name, line, track;  // numbers of texts and tracks
  uint32_t thread;
  const char* source;
  int64_t items, bytes;
  Interval host, run;
};

/// Each text is stored once.
class Texts {
 public:
  uint32_t number_of(std::string_view text) {
    const auto found = numbers_.find(std::string(text));
    if (found != numbers_.end()) return found->second;
    texts_.emplace_back(text);
    return numbers_[texts_.back()] = static_cast<uint32_t>(texts_.size() - 1);
  }
  const std::string& operator[](uint32_t number) const { return texts_[number]; }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::deque<std::string> texts_;
};

struct Recording {
  size_t limit;
  uint64_t start, end = 0;
  size_t dropped = 0;
  std::deque<Record> records;
  Texts texts;
  std::deque<Track> tracks;
  std::unordered_map<uint64_t, uint32_t> track_numbers;  // queue -> its place in tracks, from 1
};

struct Store {
  std::mutex mutex;
  std::unique_ptr<Recording> recording;
  uint64_t profile = 0;  ///< number of the recording
};

/// Never destroyed: tasks may end while the process exits.
Store& store() {
  static auto* const instance = new Store;
  return *instance;
}

std::atomic<uint32_t> threads{0};
thread_local uint32_t this_thread = 0;
thread_local Handle last_task;
thread_local Interval last_run;

uint32_t number_of(Recording& r, const Track* track) {
  if (!track) return 0;
  uint32_t& number = r.track_numbers[track->number];
  if (number == 0) {
    r.tracks.push_back(*track);
    number = static_cast<uint32_t>(r.tracks.size());
  }
  return number;
}

std::string line_here() {
  const LineHook hook = line_hook.load(std::memory_order_relaxed);
  return hook ? hook() : std::string();
}

bool is_task(Kind kind) { return kind <= Kind::kHostTask; }

}  // namespace

constinit std::atomic<bool> on = false;
constinit std::atomic<LineHook> line_hook = nullptr;

uint64_t now() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

Handle add(const Event& event) noexcept try {
  if (is_task(event.kind)) last_task = {};
  if (!is_on()) return {};
  const std::string line = line_here();  // before the lock, because it runs Python's code
  if (this_thread == 0) this_thread = threads.fetch_add(1) + 1;
  Store& s = store();
  std::lock_guard lock(s.mutex);
  Recording* const r = s.recording.get();
  if (!r || r->end != 0 || event.host.start < r->start) return {};
  if (r->records.size() >= r->limit) {
    ++r->dropped;
    return {};
  }
  r->records.push_back({.kind = event.kind,
                        .name = r->texts.number_of(event.name),
                        .line = r->texts.number_of(line),
                        .track = number_of(*r, event.track),
                        .thread = this_thread,
                        .source = event.source,
                        .items = event.items,
                        .bytes = event.bytes,
                        .host = event.host,
                        .run = {}});
  const Handle handle{s.profile, r->records.size() - 1};
  if (is_task(event.kind)) last_task = handle;
  return handle;
} catch (...) {  // memory is exhausted: the event is lost
  return {};
}

void describe_last(std::string_view name, const char* source, int64_t items, int64_t bytes) noexcept
    try {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  if (!s.recording || last_task.profile != s.profile) return;
  Record& record = s.recording->records[last_task.index];
  record.name = s.recording->texts.number_of(name);
  record.source = source;
  record.items = items;
  record.bytes = bytes;
} catch (...) {  // memory is exhausted: the event keeps the name of its kernel
}

void set_run(Handle handle, Interval run, bool measured) noexcept {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  if (!s.recording || handle.profile != s.profile) return;
  Record& record = s.recording->records[handle.index];
  record.run = run;
  record.measured = measured;
}

void add_past(Kind kind, std::string_view name, const char* source, double seconds, int64_t items,
              int64_t bytes) noexcept {
  if (!is_on()) return;
  const uint64_t end = now();
  const auto spent = static_cast<uint64_t>(1e9 * seconds);
  add({.kind = kind,
       .name = name,
       .source = source,
       .items = items,
       .bytes = bytes,
       .host = {end - spent, end}});
}

void add_compilation(std::string_view name, const char* source, double seconds) noexcept {
  if (source != std::string_view("memory")) add_past(Kind::kCompilation, name, source, seconds);
}

void note_run(Interval run) noexcept { last_run = run; }

Interval take_run() noexcept { return std::exchange(last_run, {}); }

void begin(size_t limit) {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  if (s.recording)
    throw Error(ErrorKind::kValue, "profile",
                "a profile is already running in this process, and profiles do not nest; leave its "
                "block first");
  s.recording = std::make_unique<Recording>();
  s.recording->limit = limit;
  ++s.profile;
  s.recording->start = now();
  on.store(true);
  observe(true);
}

void end() {
  Store& s = store();
  std::lock_guard lock(s.mutex);
  on.store(false);
  observe(false);
  if (s.recording && s.recording->end == 0) s.recording->end = now();
}

Profile take() {
  std::unique_ptr<Recording> r;
  {
    Store& s = store();
    std::lock_guard lock(s.mutex);
    if (!s.recording || s.recording->end == 0)
      throw Error(ErrorKind::kValue, "take_profile", "no profile has ended");
    r = std::move(s.recording);
  }
  const auto since = [&](uint64_t time) { return static_cast<int64_t>(time - r->start); };
  Profile profile;
  profile.dropped = r->dropped;
  profile.nanoseconds = since(r->end);
  profile.events.reserve(r->records.size());
  for (const Record& record : r->records) {
    ProfileEvent& event = profile.events.emplace_back();
    event.kind = kKindNames[static_cast<size_t>(record.kind)];
    event.name = r->texts[record.name];
    event.line = r->texts[record.line];
    event.source = record.source;
    if (record.track != 0) {
      event.queue_number = r->tracks[record.track - 1].number;
      event.queue = r->tracks[record.track - 1].name;
    }
    event.thread = record.thread;
    event.items = record.items;
    event.bytes = record.bytes;
    event.host_start = since(record.host.start);
    event.host_end = since(record.host.end);
    if (record.run.end == 0) continue;
    event.clock = record.measured ? "device" : "host";
    event.start = since(record.run.start);
    event.end = since(record.run.end);
  }
  return profile;
}

}  // namespace hither::profiling
