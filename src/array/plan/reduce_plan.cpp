#include "array/plan/reduce_plan.h"

#include <algorithm>
#include <bit>

#include "array/form/divide_up.h"
#include "array/plan/cluster.h"

namespace hither::array {

namespace {

// Elements per item: enough to amortise an item's prologue, few enough to occupy every thread.
constexpr int64_t kChunk = 16384;
// Shorter inner rows are merged with the next outer axis.
constexpr int64_t kRowAtLeast = 128;
// Up to this many kept elements inside the reduced axis share one vector.
constexpr int64_t kMaxPeriod = 16;
// Columns: bytes of private accumulators, and rows of a chunk.
constexpr int64_t kBlockBytes = 16384;
constexpr int64_t kColumnChunk = 131072;
constexpr int64_t kMinColumnRows = 128, kMaxColumnRows = 4096;

// GPUs: items that occupy the device, minimum elements per item, and consecutive items that read
// memory in whole lines.
constexpr int64_t kFilling = int64_t{1} << 18, kLeastWork = 64, kNeighbours = 32;
// argmin and argmax need more registers, so fewer items fit the device at the same time. Columns
// are read in pairs where that is possible.
constexpr int64_t kFillingWithIndex = kFilling / 4 * 3, kFillingInPairs = 2 * kFilling;

// Groups reduce long rows, and rows of which there are few, because that saves kernels: minimum
// elements per group, and the maximum number of groups, whose results one group can reduce.
constexpr int64_t kGatheredAtLeast = 4096, kMostGroups = 16384, kFewRows = 512;

// Groups reduce columns for the same reason: the columns of a group where not all fit one, the
// widest rows of a single group, the elements that make one group of many worthwhile, and the
// maximum number of groups in all. Rows of kWholeSectors elements are read well by single items.
constexpr int64_t kColumnsOfGroup = 32, kMostColumnsOfGroup = 64;
constexpr int64_t kColumnsAtLeast = 1024, kMostColumnGroups = 4096, kWholeSectors = 8;

using Axes = ReduceAxes;

int64_t extent_of(const Axes& axes) {
  int64_t n = 1;
  for (const ReduceAxis& a : axes) n *= a.extent;
  return n;
}

// Merges adjacent axes where every walk allows it.
void collapse(Axes& axes, const bool (&used)[kWalks]) {
  for (int d = static_cast<int>(axes.size()) - 2; d >= 0; --d) {
    ReduceAxis& a = axes[static_cast<size_t>(d)];
    const ReduceAxis& inner = axes[static_cast<size_t>(d) + 1];
    bool merges = true;
    for (int w = 0; w < kWalks && merges; ++w)
      merges = !used[w] || a.strides[w] == inner.strides[w] * inner.extent;
    if (!merges) continue;
    const int64_t extent = a.extent * inner.extent;
    a = inner;
    a.extent = extent;
    axes.erase(axes.begin() + d + 1);
  }
}

void take(const Axes& axes, const bool (&used)[kWalks], Dims& extents, Dims (&strides)[kWalks]) {
  for (const ReduceAxis& a : axes) {
    extents.push_back(a.extent);
    for (int w = 0; w < kWalks; ++w)
      if (used[w]) strides[w].push_back(a.strides[w]);
  }
}

/// The parts of the axes that one stage uses.
struct Split {
  Axes outer, reduced, inner;
};

Split split(const Axes& axes) {
  size_t last = axes.size() - 1;
  while (!axes[last].reduced) --last;
  size_t first = last;
  while (first > 0 && axes[first - 1].reduced) --first;
  Split s;
  const auto at = [&](size_t i) { return axes.begin() + static_cast<std::ptrdiff_t>(i); };
  s.outer.assign(at(0), at(first));
  s.reduced.assign(at(first), at(last + 1));
  s.inner.assign(at(last + 1), axes.end());
  return s;
}

// Computes the output strides: dense over outer, chunk, inner.
void lay_out_output(Split& s, ReduceStage& stage) {
  int64_t step = 1;
  for (auto a = s.inner.rbegin(); a != s.inner.rend(); ++a) {
    a->strides[kOutputWalk] = step;
    step *= a->extent;
  }
  stage.chunk_stride = step;
  step *= stage.chunks;
  for (auto a = s.outer.rbegin(); a != s.outer.rend(); ++a) {
    a->strides[kOutputWalk] = step;
    step *= a->extent;
  }
  stage.output_size = step;
}

void note_after(const Split& s, ReduceStage& stage) {
  auto keep = [&](int64_t extent, bool reduced, int64_t stride) {
    ReduceAxis a;
    a.extent = extent;
    a.reduced = reduced;
    a.strides[0] = a.strides[1] = stride;
    a.strides[kOutputWalk] = 0;
    stage.after.push_back(a);
  };
  for (const ReduceAxis& a : s.outer) keep(a.extent, a.reduced, a.strides[kOutputWalk]);
  if (stage.chunks > 1) keep(stage.chunks, true, stage.chunk_stride);
  for (const ReduceAxis& a : s.inner) keep(a.extent, false, a.strides[kOutputWalk]);
  stage.last = std::none_of(stage.after.begin(), stage.after.end(),
                            [](const ReduceAxis& a) { return a.reduced; });
}

bool take_lanes(Axes lanes, const bool (&used)[kWalks], ReduceStage& stage) {
  bool leaves[kWalks];
  std::copy(std::begin(used), std::end(used), leaves);
  leaves[kOutputWalk] = false;
  collapse(lanes, leaves);
  if (lanes.size() != 1) return false;
  stage.lanes = lanes[0].extent;
  std::copy(std::begin(lanes[0].strides), std::end(lanes[0].strides), stage.lane_strides);
  stage.lane_strides[kOutputWalk] = 1;
  return true;
}

// The number of parts into which each of `outer` units of `work` elements is divided, so that there
// are enough items.
int64_t parts_of(int64_t work, int64_t outer, bool with_index, int64_t filling = kFilling) {
  if (with_index) filling = kFillingWithIndex;
  return std::clamp<int64_t>(filling / std::max<int64_t>(outer, 1), 1,
                             std::max<int64_t>(1, work / kLeastWork));
}

void spread_rows(const Split& s, bool with_index, ReduceStage& stage) {
  stage.pattern = ReducePattern::kSpreadRows;
  const int64_t outer = extent_of(s.outer);
  if (stage.lanes > kLeastWork)
    stage.chunks_per_row =
        std::max(kNeighbours, parts_of(stage.lanes, outer, with_index) / kNeighbours * kNeighbours);
  const int64_t items = outer * stage.chunks_per_row;
  const int64_t work = divide_up(stage.lanes, stage.chunks_per_row) * stage.row_total;
  stage.chunks =
      stage.chunks_per_row * std::min(stage.row_total, parts_of(work, items, with_index));
}

bool gathers(const ReduceStage& stage, int64_t outer) {
  if (stage.lanes <= kLeastWork) return false;
  return stage.lanes >= kGatheredAtLeast || (stage.row_total == 1 && outer < kFewRows);
}

void gather_rows(int64_t outer, int64_t most_items, ReduceStage& stage) {
  stage.pattern = ReducePattern::kGathered;
  const int64_t most = std::max<int64_t>(1, kMostGroups / std::max<int64_t>(outer, 1));
  int64_t pieces = std::clamp<int64_t>(stage.lanes / kGatheredAtLeast, 1,
                                       std::max<int64_t>(1, most / stage.row_total));
  if (pieces > 1 && stage.lanes <= kMostGroups && outer * stage.row_total < kFewRows &&
      most_items >= kGatheringAlone) {
    stage.items = kGatheringAlone;
    pieces = 1;
  }
  stage.lanes_per_chunk = divide_up(divide_up(stage.lanes, pieces), stage.items) * stage.items;
  stage.chunks_per_row = divide_up(stage.lanes, stage.lanes_per_chunk);
  const int64_t groups = std::clamp<int64_t>(most / stage.chunks_per_row, 1, stage.row_total);
  stage.rows_per_chunk = divide_up(stage.row_total, groups);
  stage.chunks = divide_up(stage.row_total, stage.rows_per_chunk) * stage.chunks_per_row;
}

bool plan_rows(Split& s, const bool (&used)[kWalks], bool with_index, int64_t most_items,
               ReduceStage& stage) {
  const bool on_gpu = most_items > 0;
  stage.period = extent_of(s.inner);
  int power = 1;
  while (!on_gpu && power * 2 * stage.period <= stage.width) power *= 2;
  stage.width = static_cast<int>(power * stage.period);
  size_t first = s.reduced.size() - 1;
  int64_t row = s.reduced[first].extent;
  while (first > 0 && row < kRowAtLeast) row *= s.reduced[--first].extent;
  Axes lanes(s.reduced.begin() + static_cast<std::ptrdiff_t>(first), s.reduced.end());
  lanes.insert(lanes.end(), s.inner.begin(), s.inner.end());
  s.reduced.resize(first);
  if (!take_lanes(lanes, used, stage)) return false;
  stage.row_total = extent_of(s.reduced);
  if (on_gpu) {
    const int64_t outer = extent_of(s.outer);
    gathers(stage, outer) ? gather_rows(outer, most_items, stage)
                          : spread_rows(s, with_index, stage);
    return true;
  }
  if (stage.lanes > kChunk) {
    stage.lanes_per_chunk = kChunk / stage.width * stage.width;
    stage.chunks_per_row = divide_up(stage.lanes, stage.lanes_per_chunk);
  } else {
    stage.lanes_per_chunk = stage.lanes;
    stage.rows_per_chunk = std::min(stage.row_total, std::max<int64_t>(1, kChunk / stage.lanes));
  }
  stage.chunks = divide_up(stage.row_total, stage.rows_per_chunk) * stage.chunks_per_row;
  return true;
}

/// The columns of a reduction, and how groups divide them. Depends only on extents, so that the
/// order of operations does too.
struct GroupedColumns {
  int64_t outer, rows, kept;
  int64_t block = kept <= kMostColumnsOfGroup ? kept : kColumnsOfGroup;
  int64_t blocks = outer * divide_up(kept, block);  ///< groups, if each takes all rows

  int64_t rows_at_once(int64_t items) const {
    return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(items / block)));
  }
  bool worthwhile() const {
    if (rows <= kShortExtent) return false;
    const int64_t columns = outer * kept;
    if (columns >= kFilling) return kept < kWholeSectors && rows * kept >= 2 * kColumnsAtLeast;
    if (kept > kMaxPeriod && columns * rows >= kFillingInPairs * kLeastWork) return false;
    return blocks < kFewRows || rows * block >= kColumnsAtLeast;
  }
};

// Returns the rows that a group reads at once.
int64_t gather_columns(const GroupedColumns& c, int64_t most_items, ReduceStage& stage) {
  stage.pattern = ReducePattern::kGatheredColumns;
  const int64_t at_once = c.rows_at_once(kGatheringItems), piece = at_once * kGatheringTogether;
  const int64_t most = std::min(kMostGroups / c.block, kMostColumnGroups / c.blocks);
  const int64_t pieces = std::clamp<int64_t>(c.rows / piece, 1, std::max<int64_t>(most, 1));
  if (pieces > 1 && c.rows * c.block <= kMostGroups && c.blocks < kFewRows &&
      most_items >= kGatheringAlone) {
    stage.rows_per_chunk = c.rows;
    return c.rows_at_once(kGatheringAlone);
  }
  stage.rows_per_chunk = divide_up(divide_up(c.rows, pieces), piece) * piece;
  stage.chunks = divide_up(c.rows, stage.rows_per_chunk);
  return at_once;
}

void divide_columns(const Split& s, const Accumulation& accumulation, ReduceStage& stage) {
  stage.pattern = ReducePattern::kColumns;
  stage.width /= 2;
  stage.rows_per_chunk =
      stage.row_total <= 4 * kMinColumnRows
          ? stage.row_total
          : std::clamp(kColumnChunk / extent_of(s.inner), kMinColumnRows, kMaxColumnRows);
  stage.chunks = divide_up(stage.row_total, stage.rows_per_chunk);
  stage.block = kBlockBytes / std::max(size_of(accumulation.dtype), 4);
}

void plan_columns(Split& s, const bool (&used)[kWalks], const Accumulation& accumulation,
                  int64_t most_items, ReduceStage& stage) {
  const GroupedColumns c{extent_of(s.outer), extent_of(s.reduced), extent_of(s.inner)};
  stage.row_total = c.rows;
  int64_t at_once = 0;
  if (most_items == 0) {
    divide_columns(s, accumulation, stage);
  } else if (c.worthwhile()) {
    at_once = gather_columns(c, most_items, stage);
  } else {
    stage.pattern = ReducePattern::kOneColumn;
    stage.chunks = parts_of(c.rows, c.outer * c.kept, accumulation.with_index(), kFillingInPairs);
  }
  if (most_items > 0) stage.width = 1;
  lay_out_output(s, stage);
  note_after(s, stage);
  // All inner axes that collapse are lanes. Items iterate over the others.
  Axes lanes = s.inner;
  collapse(lanes, used);
  take_lanes({lanes.back()}, used, stage);
  s.outer.insert(s.outer.end(), lanes.begin(), lanes.end() - 1);
  if (stage.pattern == ReducePattern::kOneColumn)
    stage.in_line = extent_of(s.outer) * stage.chunks > kLongestMiddleOnGpus;
  if (at_once > 0) {
    stage.block = std::min(c.block, stage.lanes);
    stage.items = at_once * stage.block;
  }
  stage.blocks = divide_up(stage.lanes, stage.block);
}

}  // namespace

bool plan_stage(const Axes& axes, const bool (&used)[kWalks], const Accumulation& accumulation,
                int64_t most_items, ReduceStage& stage) {
  const bool with_index = accumulation.with_index();
  Split s = split(axes);
  const int64_t kept = extent_of(s.inner), reduced = extent_of(s.reduced);
  stage.width = accumulator_width(accumulation);
  if (kept > (most_items > 0 ? 1 : kMaxPeriod)) {
    plan_columns(s, used, accumulation, most_items, stage);
  } else {
    stage.pattern =
        kept == 1 && reduced <= kShortExtent ? ReducePattern::kShort : ReducePattern::kRows;
    const bool fits = stage.pattern == ReducePattern::kShort
                          ? take_lanes(s.reduced, used, stage)
                          : plan_rows(s, used, with_index, most_items, stage);
    if (!fits) return false;
    if (stage.pattern == ReducePattern::kShort) s.reduced.clear();
    lay_out_output(s, stage);
    note_after(s, stage);
  }
  collapse(s.outer, used);
  bool leaves[kWalks];
  std::copy(std::begin(used), std::end(used), leaves);
  leaves[kOutputWalk] = false;
  collapse(s.reduced, leaves);
  take(s.outer, used, stage.outer, stage.outer_strides);
  if (stage.pattern == ReducePattern::kShort)
    stage.in_line =
        most_items > 0 && stage.outer.size() == 3 && stage.outer[0] > kLongestOuterOnGpus;
  take(s.reduced, used, stage.rows, stage.row_strides);
  return true;
}

namespace {

LaneAccess lane_access(int64_t stride) {
  return stride == 1 ? LaneAccess::kUnit : stride == 0 ? LaneAccess::kRepeat : LaneAccess::kStrided;
}

int8_t item_stride(const ReduceStage& s, int walk) {
  constexpr int64_t kMostConstant = 8;
  if (s.pattern != ReducePattern::kShort || s.outer.empty()) return -1;
  const int64_t stride = s.outer_strides[walk].back();
  return static_cast<int8_t>(stride > kMostConstant ? -1 : std::max<int64_t>(stride, -1));
}

}  // namespace

ReduceForm form_of(const ReduceStage& stage, const KernelForm& producers, Slot root,
                   const Accumulation& accumulation, DType stored, bool pairs,
                   const KernelForm* then) {
  const bool is_short = stage.pattern == ReducePattern::kShort;
  ReduceForm form{.producers = producers,
                  .root = root,
                  .accumulation = accumulation,
                  .stored = stored,
                  .stores_value = !stage.last || !accumulation.with_index(),
                  .pairs = pairs,
                  .pattern = stage.pattern,
                  .width = stage.width,
                  .period = stage.period,
                  .short_extent = is_short ? stage.lanes : 0,
                  .block = stage.block,
                  .items = stage.items,
                  .outer_rank = stage.outer.size(),
                  .row_rank = stage.rows.size(),
                  .in_line = stage.in_line,
                  .access = {},
                  .item_strides = {},
                  .repeats = {},
                  .then = then};
  for (int w : form.walks()) {
    form.access[w] = lane_access(stage.lane_strides[w]);
    form.item_strides[w] = item_stride(stage, w);
    if (is_short) form.repeats[w] = repeated_dimensions(stage.outer_strides[w]);
  }
  return form;
}

}  // namespace hither::array
