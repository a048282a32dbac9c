#include "array/scan_tiles.h"

#include <algorithm>
#include <bit>

#include "array/emit_scan_tiles.h"
#include "array/flush.h"
#include "array/kernel_call.h"

namespace hither::array {

namespace {

constexpr int64_t kMostItems = 256, kFewestItems = 32;
// Bytes that an item keeps in registers: so much is under way to hide the wait for other tiles.
constexpr int64_t kItemBytes = 128, kMostRounds = 32;
// Fewer lines than this would leave most lanes idle; then each is scanned by itself.
constexpr int64_t kSideBySide = 8;

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

int power_for(int64_t needed, int64_t most) {
  return static_cast<int>(
      std::bit_ceil(static_cast<uint64_t>(std::clamp<int64_t>(needed, 1, most))));
}

ScanTiles kernel_for(const Value& value, const Combiner& combiner, const ScanShape& shape,
                     bool initial) {
  const bool across = shape.inner >= kSideBySide;
  const int64_t most = std::min(kMostRounds, kItemBytes / size_of(combiner.dtype()));
  const int64_t pieces = across ? shape.along : divide_up(shape.along, kFewestItems);
  const int rounds = power_for(pieces, most);
  const int items = static_cast<int>(kFewestItems) *
                    power_for(divide_up(pieces, rounds), kMostItems / kFewestItems);
  return {.combiner = combiner,
          .read = value.inputs[0].dtype,
          .stored = value.dtype,
          .across = across,
          .unit = shape.inner == 1,
          .initial = initial,
          .chained = pieces * kFewestItems > int64_t{rounds} * items,
          .items = items,
          .rounds = rounds};
}

}  // namespace

void scan_in_tiles(Value& value, Value& x, const Combiner& combiner, const ScanShape& shape,
                   bool initial) {
  const ScanTiles kernel = kernel_for(value, combiner, shape, initial);
  const Queue& queue = value.queue;
  const int64_t chunks = divide_up(shape.along, kernel.length());
  const int64_t lines = shape.outer * divide_up(shape.inner, kernel.width());
  const ReadyKernel ready = find_kernel(
      queue, kernel.key(), [&] { return emit(kernel); },
      [&] {
        return std::string(combiner.reduction() == Reduction::kSum ? "cumulative_sum"
                                                                   : "cumulative_prod");
      });
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  call.reads(x);
  const Layout* layout = value.inputs[0].layout.get();
  call.shift((layout ? layout->offset : 0) * size_of(x.dtype));
  for (int64_t extent : {shape.along, shape.inner, chunks}) call.integer(extent);
  if (kernel.chained) {
    const auto words = static_cast<size_t>(kernel.state_words(lines, chunks));
    const Memory state(queue, words * 8, UsmType::kDevice);
    const uint64_t zero = 0;
    call.reads(state, queue.fill(state.data(), &zero, sizeof zero, words));
    call.integer(lines);
  }
  const int64_t elements = shape.outer * shape.along * shape.inner;
  value.written =
      call.submit(queue, ready, NdRange(Range(lines * chunks * kernel.items), Range(kernel.items)),
                  elements * (size_of(kernel.read) + size_of(kernel.stored)));
}

}  // namespace hither::array
