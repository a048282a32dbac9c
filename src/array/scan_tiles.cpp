#include "array/scan_tiles.h"

#include <algorithm>
#include <bit>

#include "array/emit/local_tile.h"
#include "array/emit/scan_tiles.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"

namespace hither::array {

namespace {

constexpr int64_t kMostItems = 256, kFewestItems = 32;
// Bytes that an item keeps in registers. Their loads are in flight while a tile waits for other
// tiles.
constexpr int64_t kItemBytes = 128, kMostRounds = 32;
// Run length for elements of 8 bytes, of which two would share a bank with gaps. A run of odd
// length needs no gaps, and five tiles of this length fit a multiprocessor.
constexpr int kRunOfLarge = 19;
// With fewer neighbouring lines most lanes would be idle, so each line is scanned by itself.
constexpr int64_t kSideBySide = 8;

int power_for(int64_t needed, int64_t most) {
  return static_cast<int>(
      std::bit_ceil(static_cast<uint64_t>(std::clamp<int64_t>(needed, 1, most))));
}

// Length of an item's run where the tile is in local memory, of which devices have at least 48 KiB.
int longest_run(DType read, DType stored) {
  constexpr int64_t kMostBytes = 150, kLongest = 64;
  const int64_t a = size_of(read), b = size_of(stored);
  const int64_t most = std::min(kLongest, kItemBytes / std::max(a, b));
  return static_cast<int>(a == b || (a + b) * most <= kMostBytes ? most : most / 2);
}

// Lines whose elements are neighbours in memory: several lines per tile, or several tiles per line.
void plan_neighbours(ScanTiles& k, const ScanShape& shape) {
  k.items = kMostItems;
  k.rounds = longest_run(k.read, k.stored);
  const int in_registers =
      std::min(k.rounds, static_cast<int>(kItemBytes / size_of(k.accumulation.dtype)));
  k.chained = shape.along > int64_t{in_registers} * k.items;
  k.gaps = k.chained;
  if (k.chained) {
    if (size_of(k.read) == 8 && size_of(k.stored) == 8) {
      k.rounds = kRunOfLarge;
      k.gaps = false;
    }
    return;
  }
  k.team = power_for(divide_up(shape.along, in_registers), k.items);
  k.rounds = static_cast<int>(divide_up(shape.along, k.team));
  k.gaps = int64_t{k.rounds} * k.team == shape.along &&
           LocalTile::has_gaps(int64_t{k.rounds} * size_of(k.read)) &&
           LocalTile::has_gaps(int64_t{k.rounds} * size_of(k.stored));
  if (!k.gaps) k.rounds |= 1;
  k.exact = int64_t{k.rounds} * k.team == shape.along;
}

// Whether every tile of elements of `size` bytes, starting at `first`, is aligned to a vector.
bool is_wide(const ScanTiles& k, const ScanShape& shape, const void* first, int64_t size) {
  const int64_t lines = k.team > 0 ? k.items / k.team : 1;
  const bool one_line = k.team == 0 && shape.outer == 1;
  return reinterpret_cast<uintptr_t>(first) % LocalTile::kVectorBytes == 0 &&
         (one_line || lines * shape.along * size % LocalTile::kVectorBytes == 0) &&
         shape.outer * shape.along * size >= LocalTile::kVectorBytes;
}

ScanTiles kernel_for(const Value& value, const Accumulation& accumulation, const ScanShape& shape,
                     bool initial) {
  ScanTiles k{.accumulation = accumulation,
              .read = value.inputs[0].dtype,
              .stored = value.dtype,
              .across = shape.inner >= kSideBySide,
              .unit = shape.inner == 1,
              .initial = initial,
              .chained = false,
              .items = 0,
              .rounds = 0};
  if (k.unit) {
    plan_neighbours(k, shape);
    return k;
  }
  const int64_t most = std::min(kMostRounds, kItemBytes / size_of(accumulation.dtype));
  const int64_t pieces = k.across ? shape.along : divide_up(shape.along, kFewestItems);
  k.rounds = power_for(pieces, most);
  k.items = static_cast<int>(kFewestItems) *
            power_for(divide_up(pieces, k.rounds), kMostItems / kFewestItems);
  k.chained = pieces * kFewestItems > int64_t{k.rounds} * k.items;
  return k;
}

}  // namespace

void scan_in_tiles(Value& value, const ScanSource& x, const Accumulation& accumulation,
                   const ScanShape& shape, bool initial) {
  ScanTiles kernel = kernel_for(value, accumulation, shape, initial);
  const Queue& queue = value.queue;
  kernel.producers = x.producers();
  allocate(value);
  if (kernel.unit) {
    kernel.reads_wide =
        !kernel.producers && is_wide(kernel, shape, x.address(), size_of(kernel.read));
    kernel.writes_wide =
        !initial && is_wide(kernel, shape, address_of(value), size_of(kernel.stored));
  }
  const bool shares = kernel.team > 0;  // a tile has several lines
  const int64_t chunks = shares ? shape.outer : divide_up(shape.along, kernel.length());
  const int64_t lines = shape.outer * divide_up(shape.inner, kernel.width());
  const int64_t tiles =
      shares ? divide_up(shape.outer * kernel.team, kernel.items) : lines * chunks;
  const ReadyKernel ready = find_kernel(
      queue, kernel.key(), [&] { return emit(kernel); },
      [&] { return kernel_name(accumulation, kernel.producers); });
  KernelCall call;
  call.writes(value.memory);
  x.pack(call);
  for (int64_t extent : {shape.along, shape.inner, chunks}) call.integer(extent);
  if (kernel.chained) {
    const auto words = static_cast<size_t>(kernel.state_words(lines, chunks));
    const Memory state = Memory::for_work(queue, words * 8, UsmType::kDevice);
    const uint64_t zero = 0;
    const Event zeroed = queue.fill(state.data(), &zero, sizeof zero, words);
    state.release_after(zeroed);
    call.reads(state, zeroed);
    call.integer(lines);
  }
  const int64_t elements = shape.outer * shape.along * shape.inner;
  value.written =
      call.submit(queue, ready, NdRange(Range(tiles * kernel.items), Range(kernel.items)),
                  elements * (size_of(kernel.read) + size_of(kernel.stored)));
}

}  // namespace hither::array
