#include "array/scan_recipe.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "array/emit/scan.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/plan/gpu_forms.h"
#include "array/scan_tiles.h"

namespace hither::array {

namespace {

// Elements along the axis that one item scans, where there would otherwise be too few items.
constexpr int64_t kChunkAlong = 16384, kChunkAcross = 2048, kEnoughItems = 64;
// GPUs: for lines up to this length a kernel with one item per line is faster than groups. The
// limit is smaller where the elements of one line are neighbours in memory.
constexpr int64_t kShortAlong = 32, kTinyAlong = 3;

/// Runs the kernels of one scan.
class ScanRun {
 public:
  ScanRun(Value& value, const ScanSource& x, const Accumulation& accumulation,
          const ScanShape& shape, bool initial)
      : value_(value),
        x_(x),
        shape_(shape),
        kernel_{.accumulation = accumulation,
                .read = value.inputs[0].dtype,
                .stored = value.dtype,
                .pass = ScanPass::kWhole,
                .across = shape.inner > 1,
                .lanes = 1,
                .initial = initial,
                .producers = x.producers()} {
    const DType t = accumulation.dtype;
    if (accumulation.user)  // along the axis, vectors need more calls than elements
      kernel_.lanes = kernel_.across ? accumulator_width(accumulation) : 1;
    else if (!is_complex(t))
      kernel_.lanes = (kernel_.across ? 128 : 64) / size_of(t);
  }

  void all() {
    const bool on_gpu = takes_gpu_forms(value_.queue);
    if (on_gpu) kernel_.lanes = 1;
    const int64_t walked = shape_.inner > 1 ? kShortAlong : kTinyAlong;
    if (on_gpu && shape_.along > walked && value_.queue.device().has(Aspect::kAtomic64))
      return scan_in_tiles(value_, x_, kernel_.accumulation, shape_, kernel_.initial);
    value_.memory =
        Memory::for_work(value_.queue, static_cast<size_t>(bytes_of(value_)), value_.usm_type);
    value_.offset_bytes = 0;
    const int64_t length = kernel_.across ? kChunkAcross : kChunkAlong;
    auto source = [&](KernelCall& call) { x_.pack(call); };
    if (shape_.outer * blocks() >= kEnoughItems || shape_.along < 2 * length) {
      value_.written = launch(kernel_, shape_.along, 1, value_.memory, source);
      return;
    }
    in_chunks(length, source);
  }

 private:
  using Source = std::function<void(KernelCall&)>;

  static int64_t bytes_of(const Value& v) { return v.layout->size * size_of(v.dtype); }
  int64_t blocks() const {
    return kernel_.across ? (shape_.inner + kernel_.lanes - 1) / kernel_.lanes : 1;
  }

  // Computes each chunk's total, the running results of the totals, and from these the elements of
  // the chunks. The totals are combined one by one, so that the last element of a chunk equals the
  // value from which the next chunk starts.
  void in_chunks(int64_t length, const Source& source) {
    const DType t = kernel_.accumulation.dtype;
    const int64_t count = (shape_.along - 1) / length;
    const auto bytes = static_cast<size_t>(shape_.outer * count * shape_.inner * size_of(t));
    const Memory totals = Memory::for_work(value_.queue, bytes, UsmType::kDevice);
    const Memory prefixes = Memory::for_work(value_.queue, bytes, UsmType::kDevice);
    ScanKernel first = kernel_;
    first.pass = ScanPass::kTotals;
    first.stored = t;
    first.initial = false;
    const Event counted = launch(first, length, count, totals, source);
    ScanKernel second = first;
    second.pass = ScanPass::kWhole;
    second.read = t;
    second.producers = {};
    if (!second.across) second.lanes = 1;
    const Event summed = launch(
        second, count, 1, prefixes, [&](KernelCall& call) { call.reads(totals, counted); }, count);
    ScanKernel third = kernel_;
    third.pass = ScanPass::kFromPrefix;
    value_.written = launch(third, length, count + 1, value_.memory, [&](KernelCall& call) {
      source(call);
      call.reads(prefixes, summed);
    });
  }

  // Launches a kernel over `chunks` chunks of `length` elements. `along` is given when it differs
  // from the operand's extent.
  Event launch(const ScanKernel& kernel, int64_t length, int64_t chunks, const Memory& out,
               const Source& source, int64_t along = 0) {
    const ReadyKernel ready = find_kernel(
        value_.queue, kernel.key(), [&] { return emit(kernel); },
        [&] { return kernel_name(kernel.accumulation, kernel.producers); });
    if (along == 0) along = shape_.along;
    KernelCall call;
    call.writes(out);
    source(call);
    call.integer(along);
    call.integer(shape_.inner);
    call.integer(length);
    int64_t elements = shape_.outer * shape_.inner * along;
    int64_t bytes = elements * size_of(kernel.read);
    if (kernel.pass != ScanPass::kTotals) bytes += elements * size_of(kernel.stored);
    return call.submit(value_.queue, ready, Range(chunks, shape_.outer, blocks()), bytes);
  }

  Value& value_;
  const ScanSource& x_;
  const ScanShape& shape_;
  ScanKernel kernel_;
};

}  // namespace

std::string scan_name(const Accumulation& accumulation) {
  if (accumulation.user) return name_of(accumulation);
  return "cumulative_" + name_of(accumulation);
}

std::string kernel_name(const Accumulation& accumulation, const ScanProducers& producers) {
  const std::string name = scan_name(accumulation);
  return producers ? name + "_of_" + name_of(*producers.form) : name;
}

void ScanRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const ScanSource source(operands[0], shape_, value.inputs[0].dtype);
  ScanRun(value, source, accumulation_, shape_, initial_).all();
}

namespace {

/// The strides of a layout along a scan's three extents; none if it has no such strides.
std::optional<std::array<int64_t, 3>> strides_of(const Layout& layout, const Dims& shape,
                                                 const ScanShape& extents) {
  const Dims strides = broadcast_strides(layout, shape);
  std::array<int64_t, 3> found{};
  const int64_t ends[3] = {extents.inner, extents.inner * extents.along, shape.product()};
  int part = 2;  // from the last dimension to the first
  int64_t done = 1, in_part = 1;
  for (int d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    while (done == ends[2 - part] && part > 0) {
      --part;
      in_part = 1;
    }
    if (in_part == 1)
      found[static_cast<size_t>(part)] = strides[d];
    else if (strides[d] != found[static_cast<size_t>(part)] * in_part)
      return std::nullopt;
    in_part *= shape[d];
    done *= shape[d];
  }
  return found;
}

constexpr bool kCheap = true, kCostly = false;
constexpr bool kIsCheap[] = {
#define HITHER_OP(name, arity, rule, cost, doc) cost,
#include <hither/op_table.def>
#undef HITHER_OP
};

// CPUs: whether a kernel that evaluates the node as it scans is faster than one that stores it
// first. Chunks are evaluated twice, and the vectors of a scan are longer than those of functions.
bool is_cheap(const FormNode& node) {
  if (node.kind != NodeKind::kApply) return node.kind == NodeKind::kCast;
  return !node.user && !is_complex(node.compute) && !is_bits(node.compute) &&
         kIsCheap[static_cast<int>(node.op)];
}

// GPUs: whether consecutive items read memory that is close together.
bool reads_near(const std::array<int64_t, 3>& strides, const ScanShape& extents) {
  constexpr int64_t kNear = 4;
  return std::abs(strides[extents.inner > 1 ? 2 : 1]) <= kNear;
}

}  // namespace

bool ScanRecipe::computes(Cluster& producers, const Queue& queue) const {
  KernelForm& form = producers.form;
  const bool on_gpu = takes_gpu_forms(queue);
  if (!on_gpu && !std::all_of(form.nodes, form.nodes + form.node_count, is_cheap)) return false;
  for (int i = 0; i < form.leaf_count; ++i) {
    const Layout* layout = producers.binding.leaves[i].layout;
    if (!layout || (layout->contiguous && layout->shape == producers.space.extents)) continue;
    const auto strides = strides_of(*layout, producers.space.extents, shape_);
    if (!strides) return false;
    const bool repeats = std::ranges::all_of(*strides, [](int64_t s) { return s == 0; });
    if (!repeats && !(on_gpu && reads_near(*strides, shape_))) return false;
    form.leaves[i].access = repeats ? Access::kRepeat : Access::kStrided;
  }
  return true;
}

ScanSource::ScanSource(const Operated& x, const ScanShape& shape, DType dtype)
    : x_(x), shape_(shape), dtype_(dtype) {}

ScanProducers ScanSource::producers() const {
  if (!x_.producers) return {};
  return {&x_.producers->form, x_.root};
}

void ScanSource::pack(KernelCall& call) const {
  if (!x_.producers) {
    call.reads(x_, dtype_);
    return;
  }
  const Cluster& c = *x_.producers;
  call.producers(c.form, c.binding);
  for (int i = 0; i < c.form.leaf_count; ++i) {
    if (c.form.leaves[i].access != Access::kStrided) continue;
    const auto strides = strides_of(*c.binding.leaves[i].layout, c.space.extents, shape_);
    for (int64_t v : strides.value()) call.integer(v);
  }
}

const char* ScanSource::address() const {
  return x_.producers ? nullptr : address_of(*x_.value) + x_.offset * size_of(dtype_);
}

std::string ScanRecipe::describe(const Value&) const { return scan_name(accumulation_); }

}  // namespace hither::array
