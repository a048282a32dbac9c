#include "drivers/native_cpu/kernel.h"

#include <algorithm>
#include <chrono>

#include "process/before_blocking.h"
#include "process/interruption.h"
#include "runtime/error_report.h"
#include "target/interrupted.h"

namespace hither::drivers::native_cpu {
namespace {

using Clock = std::chrono::steady_clock;

/// The assumed time of an unknown kernel: an operation on a few arrays that are not in the cache.
constexpr float kUnknownNanoseconds = 0.5F;
/// Launches shorter than this run on the calling thread, because waking a worker and waiting for it
/// takes a few microseconds.
constexpr float kInlineNanoseconds = 8'000;
/// The part of a kernel's first launch that loads its code and touches new pages. If it counted as
/// work, some kernels of a thousand items would start the workers at their second launch.
constexpr float kFirstNanoseconds = 20'000;
/// Shorter launches are not timed, because reading the clock twice costs too much.
constexpr float kUntimedNanoseconds = 1'000;
/// Limits of a part: its shortest time, and the number of parts for each thread.
constexpr float kPartNanoseconds = 2'000;
constexpr int64_t kPartsPerThread = 4;
/// Alignment of innermost boundaries, so that threads share no vectors or cache lines.
constexpr int64_t kBoundary = 64;
/// Items that take longer may be parts of their own.
constexpr float kLongItemNanoseconds = 500;

/// The iteration space divided into boxes, numbered row by row.
struct Parts {
  int64_t step[3];
  int64_t count[3];
  int64_t total() const noexcept { return count[0] * count[1] * count[2]; }
};

/// Makes about `wanted` boxes; the outer dimensions are divided first.
Parts cut(const target::WorkRange& whole, int innermost, int64_t boundary,
          int64_t wanted) noexcept {
  Parts parts;
  for (int d = 0; d < 3; ++d) {
    const int64_t extent = whole.end[d];
    const int64_t unit = d == innermost ? boundary : 1;
    const int64_t units = (extent + unit - 1) / unit;
    const int64_t count = std::clamp<int64_t>(wanted, 1, units);
    const int64_t per_part = (units + count - 1) / count;
    parts.step[d] = per_part * unit;
    parts.count[d] = (units + per_part - 1) / per_part;
    wanted = (wanted + parts.count[d] - 1) / parts.count[d];
  }
  return parts;
}

struct Launch {
  const target::CodeImage& image;
  const std::byte* arguments;
  target::WorkRange whole;
  target::ErrorRecord error;
  uint64_t wait = 0;  ///< InterruptibleWait::launch(); 0: not interruptible
  std::atomic<bool> is_interrupted{false};
  Parts parts;  ///< set only if there are several: most launches are short
  std::atomic<int64_t> parts_nanoseconds{0};  ///< the sum of the parts' times

  Launch(const target::CodeImage& i, const std::byte* a, const target::WorkRange& w) noexcept
      : image(i), arguments(a), whole(w) {}
  void run(const target::WorkRange& part) noexcept {
    if (wait == 0) return image.entry(arguments, &part, &error);
    if (is_interrupted.load(std::memory_order_relaxed)) return;
    struct Call {
      Launch& launch;
      const target::WorkRange& part;
    } call{*this, part};
    const auto enter = [](void* data) {
      const auto& [launch, range] = *static_cast<Call*>(data);
      launch.image.entry(launch.arguments, &range, &launch.error);
    };
    if (!process::run_interruptibly(wait, enter, &call))
      is_interrupted.store(true, std::memory_order_relaxed);
  }
  void run_part(int64_t i) noexcept {
    target::WorkRange part = whole;
    for (int d = 2; d >= 0; --d) {
      const int64_t at = i % parts.count[d];
      i /= parts.count[d];
      part.begin[d] = at * parts.step[d];
      part.end[d] = std::min(whole.end[d], part.begin[d] + parts.step[d]);
    }
    const auto start = Clock::now();
    run(part);
    parts_nanoseconds.fetch_add(std::chrono::nanoseconds(Clock::now() - start).count(),
                                std::memory_order_relaxed);
  }
};

/// The whole range, in work-items or, for kernels with groups, in work-groups.
target::WorkRange whole_range(const NdRange& range, bool in_groups) noexcept {
  target::WorkRange whole;
  for (int d = 0; d < 3; ++d) {
    const bool used = d < range.global.dimensions;
    whole.begin[d] = 0;
    whole.global_size[d] = used ? range.global.size[d] : 1;
    whole.local_size[d] = used && range.local[d] > 0 ? range.local[d] : 1;
    whole.end[d] = in_groups ? whole.global_size[d] / whole.local_size[d] : whole.global_size[d];
  }
  return whole;
}

int64_t boundary(const target::CodeImage& image, float nanoseconds_per_item) noexcept {
  if (image.uses_groups) return 1;
  return nanoseconds_per_item > kLongItemNanoseconds ? image.strip_items : kBoundary;
}

void remember_cost(const CpuKernel& kernel, float before, float measured) noexcept {
  // Use the mean: a slowly decreasing estimate would keep the first launch's page faults too long.
  const float after = before == 0 ? measured : 0.5F * (before + measured);
  kernel.nanoseconds_per_item.store(std::max(after, 1e-3F), std::memory_order_relaxed);
}

/// The expected time of a launch, in nanoseconds, from earlier launches of the kernel.
struct ExpectedTime {
  float per_item;  ///< 0: unknown
  float whole;

  ExpectedTime(const CpuKernel& kernel, const NdRange& range) noexcept
      : per_item(kernel.nanoseconds_per_item.load(std::memory_order_relaxed)),
        whole(static_cast<float>(range.global.items()) *
              (per_item == 0 ? kUnknownNanoseconds : per_item)) {}
};

/// Runs the launch on a number of threads that depends on the expected time.
void run_launch(Launch& launch, const CpuKernel& kernel, const NdRange& range, Arena& arena,
                const ExpectedTime& time) {
  const target::CodeImage& image = *kernel.image;
  const auto [known, expected] = time;
  if (known != 0 && expected < kUntimedNanoseconds) return launch.run(launch.whole);
  if (expected >= kInlineNanoseconds) process::before_blocking();
  const auto start = Clock::now();
  if (expected < kInlineNanoseconds || arena.concurrency() == 1) {
    launch.run(launch.whole);
  } else {
    const int64_t most = arena.concurrency() * kPartsPerThread;
    const auto worth = static_cast<int64_t>(std::min(expected / kPartNanoseconds, 1e9F));
    launch.parts = cut(launch.whole, range.global.dimensions - 1, boundary(image, known),
                       std::clamp<int64_t>(worth, 2, most));
    arena.for_each(
        launch.parts.total(),
        [](void* data, int64_t i) { static_cast<Launch*>(data)->run_part(i); }, &launch);
  }
  if (launch.is_interrupted.load(std::memory_order_relaxed)) return;
  const std::chrono::duration<float, std::nano> spent = Clock::now() - start;
  // The time until workers wake up is no work: it would make short launches look long.
  const auto in_parts =
      static_cast<float>(launch.parts_nanoseconds.load(std::memory_order_relaxed));
  const float took = in_parts > 0 ? in_parts : spent.count();
  const float overhead = known == 0 ? kFirstNanoseconds : 0;
  // A tenth at least, because both are only estimates.
  const float work = std::max(took - overhead, 0.1F * took);
  remember_cost(kernel, known, work / static_cast<float>(range.global.items()));
}

}  // namespace

std::optional<Error> run_kernel(const CpuKernel& kernel, const NdRange& range,
                                const std::byte* arguments, Arena& arena) {
  using process::InterruptibleWait;
  const target::CodeImage& image = *kernel.image;
  Launch launch{image, arguments, whole_range(range, image.uses_groups)};
  const ExpectedTime time(kernel, range);
  // An array operation that ends soon need not be interruptible.
  if (time.per_item != 0 && time.whole < kInlineNanoseconds && image.source_file.empty()) {
    run_launch(launch, kernel, range, arena, time);
  } else {
    const InterruptibleWait wait(InterruptibleWait::For::kOneLaunch);
    launch.wait = wait.launch();
    run_launch(launch, kernel, range, arena, time);
  }
  if (launch.error.code != 0) return runtime::kernel_error(kernel, range, launch.error);
  if (!launch.is_interrupted.load(std::memory_order_relaxed)) return std::nullopt;
  return target::interrupted(
      "kernel " + kernel.name,
      "Ctrl-C (SIGINT) ended it before all work-items had run; compute the arrays that it wrote "
      "again");
}

}  // namespace hither::drivers::native_cpu
