#include "array/extend.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include <fmt/format.h>
#include <hither/manipulate.h>

#include "array/assign.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/plan/gpu_forms.h"

namespace hither {

namespace array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

// CPUs: elements of the last axis that an item copies.
constexpr int64_t kBlockOfRow = 8192;
// GPUs: shorter last axes share a dimension of the range with the other axes.
constexpr int64_t kOwnDimension = 32;

/// Everything that the kernel depends on.
struct ExtendForm {
  DType dtype;
  llvm::SmallVector<Border, 4> borders;
  bool unit = false;     ///< the last stride is 1
  bool single = false;   ///< GPUs: an item stores one element
  bool in_line = false;  ///< for `single`: the range has one dimension

  bool fills() const { return std::ranges::find(borders, Border::kConstant) != borders.end(); }
  std::string key() const {
    std::string k = "x1";
    for (int v : {static_cast<int>(dtype), static_cast<int>(unit), static_cast<int>(single),
                  static_cast<int>(in_line)})
      k.push_back(static_cast<char>(v));
    for (Border b : borders) k.push_back(static_cast<char>(b));
    return k;
  }
};

/// Parameters: result, x, the fill if a border is constant, and for each axis its extent, stride,
/// number of elements before and length. Items: (all other axes, block of the last one).
class ExtendEmitter {
 public:
  explicit ExtendEmitter(const ExtendForm& form)
      : f_(form), m_("hither_extend"), last_(f_.borders.size() - 1) {}

  target::KernelModule run() {
    for (int i = 0; i < 2; ++i) m_.parameter(target::Parameter::kPointer);
    if (f_.fills()) m_.parameter(parameter_of(f_.dtype));
    for (size_t i = 0; i < 4 * f_.borders.size(); ++i) m_.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m_.begin();
    result_ = m_.next_parameter();
    x_ = m_.next_parameter();
    if (f_.fills()) fill_ = ElementEmitter(b, 1).from_parameter(f_.dtype, m_.next_parameter());
    for (size_t d = 0; d <= last_; ++d)
      for (Values* values : {&extents_, &strides_, &befores_, &lengths_})
        values->push_back(m_.next_parameter());
    if (f_.unit) strides_.back() = b.getInt64(1);
    Ir* outer = m_.global_id(0);
    Ir* inner = nullptr;
    if (f_.in_line) {
      inner = b.CreateURem(outer, lengths_[last_]);
      outer = b.CreateUDiv(outer, lengths_[last_]);
    } else {
      inner = m_.global_id(1);
    }
    row(outer, inner);
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    module.independent_items = true;
    return module;
  }

 private:
  struct From {
    Ir* index;
    Ir* is_inside;  ///< null if it always is; else the index is in range, and the fill is stored
  };

  /// Where an element of an axis is: before, among or behind those of the array, or not known.
  enum class Part { kBefore, kAmong, kBehind, kAny };

  // Where the element at `at` of the axis comes from.
  From source(size_t axis, Ir* at, Part part) {
    llvm::IRBuilder<>& b = m_.b();
    const Border border = f_.borders[axis];
    Ir *zero = b.getInt64(0), *n = extents_[axis];
    Ir* i = b.CreateNSWSub(at, befores_[axis]);
    Ir* end = b.CreateNSWSub(n, b.getInt64(1));
    if (part == Part::kAmong) return {i, nullptr};
    if (border == Border::kConstant) {
      if (part != Part::kAny) return {zero, b.getFalse()};
      return {larger(smaller(i, end), zero), b.CreateICmpULT(i, n)};
    }
    Ir *before = zero, *behind = end;
    if (border == Border::kWrap) {
      before = b.CreateNSWAdd(i, n);
      behind = b.CreateNSWSub(i, n);
    } else if (border == Border::kReflect) {
      before = b.CreateNSWNeg(i);
      behind = b.CreateNSWSub(b.CreateNSWAdd(end, end), i);
    } else if (border == Border::kSymmetric) {
      before = b.CreateNSWSub(b.getInt64(-1), i);
      behind = b.CreateNSWSub(b.CreateNSWAdd(n, end), i);
    }
    if (part == Part::kBefore) return {before, nullptr};
    if (part == Part::kBehind) return {behind, nullptr};
    Ir* not_before = b.CreateSelect(b.CreateICmpSLT(i, n), i, behind);
    return {b.CreateSelect(b.CreateICmpSLT(i, zero), before, not_before), nullptr};
  }

  static Ir* both(llvm::IRBuilder<>& b, Ir* x, Ir* y) {
    return !x ? y : !y ? x : b.CreateAnd(x, y);
  }

  void row(Ir* outer, Ir* inner) {
    llvm::IRBuilder<>& b = m_.b();
    Ir *rest = outer, *offset = b.getInt64(0), *inside = nullptr;
    for (size_t d = last_; d-- > 0;) {
      Ir* at = d == 0 ? rest : b.CreateURem(rest, lengths_[d]);
      if (d > 0) rest = b.CreateUDiv(rest, lengths_[d]);
      const From from = source(d, at, Part::kAny);
      offset = b.CreateNSWAdd(offset, b.CreateNSWMul(from.index, strides_[d]));
      inside = both(b, inside, from.is_inside);
    }
    Ir* start = b.CreateNSWMul(outer, lengths_[last_]);
    if (f_.single) return move(start, inner, offset, source(last_, inner, Part::kAny), inside);
    Ir* begin = b.CreateNSWMul(inner, b.getInt64(kBlockOfRow));
    Ir* end = smaller(b.CreateNSWAdd(begin, b.getInt64(kBlockOfRow)), lengths_[last_]);
    Ir* behind = b.CreateNSWAdd(befores_[last_], extents_[last_]);
    Ir* first = larger(smaller(befores_[last_], end), begin);
    Ir* second = larger(smaller(behind, end), begin);
    const std::pair<Part, std::pair<Ir*, Ir*>> parts[] = {{Part::kBefore, {begin, first}},
                                                          {Part::kAmong, {first, second}},
                                                          {Part::kBehind, {second, end}}};
    for (const auto& [part, ends] : parts)
      emit_loop(b, ends.first, ends.second, b.getInt64(1), {}, [&](Ir* at, const Values&) {
        move(start, at, offset, source(last_, at, part), inside);
        return Values{};
      });
  }

  Ir* smaller(Ir* x, Ir* y) { return m_.b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y); }
  Ir* larger(Ir* x, Ir* y) { return m_.b().CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y); }

  // Stores the element at `at` of the row.
  void move(Ir* start, Ir* at, Ir* offset, const From& from, Ir* inside) {
    llvm::IRBuilder<>& b = m_.b();
    ElementEmitter e(b, 1);
    Ir* place = b.CreateNSWAdd(offset, b.CreateNSWMul(from.index, strides_[last_]));
    Element value = e.load(f_.dtype, x_, place);
    if (Ir* keeps = both(b, inside, from.is_inside)) {
      value.re = b.CreateSelect(keeps, value.re, fill_.re);
      if (value.im) value.im = b.CreateSelect(keeps, value.im, fill_.im);
    }
    e.store(f_.dtype, value, result_, b.CreateNSWAdd(start, at));
  }

  const ExtendForm& f_;
  ModuleBuilder m_;
  const size_t last_;
  Ir *result_ = nullptr, *x_ = nullptr;
  Element fill_;
  Values extents_, strides_, befores_, lengths_;
};

}  // namespace

// Merges axes where that does not change a border: an axis without added elements with the one
// before it, if their elements are at equal distances. Borders that wrap or are constant have the
// same elements then.
ExtendRecipe::Axes ExtendRecipe::merged(const Axes& axes) {
  Axes result;
  for (const ExtendedAxis& axis : axes) {
    ExtendedAxis* outer = result.empty() ? nullptr : &result.back();
    const bool is_plain = axis.before == 0 && axis.after == 0;
    if (axis.extent == 1 && is_plain && outer) continue;
    const auto is_simple = [](const ExtendedAxis& a) {
      return a.border == Border::kConstant || a.border == Border::kWrap;
    };
    if (outer && is_plain && outer->stride == axis.stride * axis.extent &&
        (is_simple(*outer) || (outer->before == 0 && outer->after == 0))) {
      outer->extent *= axis.extent;
      outer->before *= axis.extent;
      outer->after *= axis.extent;
      outer->stride = axis.stride;
      continue;
    }
    result.push_back(axis);
  }
  for (ExtendedAxis& axis : result)
    if (axis.before == 0 && axis.after == 0) axis.border = Border::kEdge;  // the cheapest
  if (result.empty()) result.push_back({1, 1, 0, 0, Border::kEdge});
  return result;
}

void ExtendRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const int64_t size = value.layout->size, length = axes_.back().length(), rows = size / length;
  ExtendForm form{.dtype = value.dtype, .borders = {}};
  form.unit = axes_.back().stride == 1;
  form.single = takes_gpu_forms(value.queue);
  form.in_line = form.single && (length < kOwnDimension || rows > kLongestMiddleOnGpus);
  for (const ExtendedAxis& axis : axes_) form.borders.push_back(axis.border);
  const ReadyKernel kernel = find_kernel(
      value.queue, form.key(), [&] { return ExtendEmitter(form).run(); },
      [] { return std::string("extend"); });
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  call.reads(operands[0], value.dtype);
  if (form.fills()) call.number(fill_);
  for (const ExtendedAxis& axis : axes_)
    for (int64_t v : {axis.extent, axis.stride, axis.before, axis.length()}) call.integer(v);
  const int64_t of_row = form.single ? length : divide_up(length, kBlockOfRow);
  const Range range = form.in_line ? Range(size) : Range(rows, of_row);
  value.written = call.submit(value.queue, kernel, range, 2 * size * size_of(value.dtype), size);
}

}  // namespace array

using namespace array;

namespace {

// Whether the elements of a row are far apart in memory, and those of a column are neighbours. CPUs
// copy such an array in squares first, because the kernel would read each cache line many times.
bool is_transposed(const Array& x) {
  constexpr int64_t kShort = 16;
  if (x.ndim() < 2 || x.shape().back() < kShort || std::abs(x.strides().back()) <= 1) return false;
  for (int d = 0; d + 1 < x.ndim(); ++d)
    if (x.strides()[d] == 1 && x.shape()[d] >= kShort) return true;
  return false;
}

Array readable(const Array& x, const Queue& queue) {
  const Array there = on_queue(x, queue);
  return !takes_gpu_forms(queue) && is_transposed(there) ? copy(there) : there;
}

Array extended(const Array& x, const ExtendRecipe::Axes& axes, const Input& fill,
               const Placed& placed) {
  Dims shape;
  for (const ExtendedAxis& axis : axes) shape.push_back(axis.length());
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, shape), x.dtype(),
                            x.dtype(), placed.usm_type);
  node->input_count = 1;
  node->inputs[0] = input_of(x);
  node->recipe = std::make_unique<ExtendRecipe>(axes, fill);
  bound(*node);
  const bool escaped = synchronise_if_escaped(x, placed.queue);
  return finish(std::move(node), escaped);
}

ExtendRecipe::Axes axes_of(const Array& x) {
  ExtendRecipe::Axes axes;
  for (int d = 0; d < x.ndim(); ++d) axes.push_back({x.shape()[d], x.strides()[d], 0});
  return axes;
}

}  // namespace

Array pad(const Array& x, std::span<const std::pair<int64_t, int64_t>> widths, Border border,
          const Scalar& constant, const Queue* queue) {
  if (static_cast<int>(widths.size()) != x.ndim())
    throw Error(ErrorKind::kValue, "pad",
                fmt::format("{} pairs of widths for {} axes", widths.size(), x.ndim()));
  const Placed placed = place_arrays("pad", {&x}, queue);
  const Array source = readable(x, placed.queue);
  ExtendRecipe::Axes axes = axes_of(source);
  Dims shape;
  for (size_t d = 0; d < axes.size(); ++d) {
    ExtendedAxis& axis = axes[d];
    std::tie(axis.before, axis.after) = widths[d];
    axis.border = border;
    const int64_t most = border == Border::kReflect                                ? axis.extent - 1
                         : border == Border::kWrap || border == Border::kSymmetric ? axis.extent
                         : border == Border::kEdge && axis.extent == 0             ? 0
                                                                                   : INT64_MAX / 4;
    if (std::min(axis.before, axis.after) < 0 ||
        std::max(axis.before, axis.after) > std::max<int64_t>(most, 0))
      throw Error(ErrorKind::kValue, "pad",
                  fmt::format("axis {} of extent {} cannot be extended by {} and {} elements", d,
                              axis.extent, axis.before, axis.after));
    shape.push_back(axis.length());
  }
  if (x.size() == 0 || element_count(shape) == 0)
    return full(shape, constant, x.dtype(), {placed.queue, placed.usm_type});
  Input fill;
  fill.dtype = x.dtype();
  const Scalar stored = stored_scalar(constant, x.dtype());
  stored.write(fill.dtype, fill.number);
  fill.symbol = stored.symbol();
  return extended(source, axes, fill, placed);
}

Array roll(const Array& x, const Dims& shifts, const std::optional<Dims>& axes,
           const Queue* queue) {
  if (!axes) {
    if (shifts.size() != 1)
      throw Error(ErrorKind::kValue, "roll", "without axes, exactly one shift is needed");
    return reshape(roll(reshape(x, Dims{-1}), shifts, Dims{0}, queue), x.shape());
  }
  if (shifts.size() != axes->size() && shifts.size() != 1)
    throw Error(ErrorKind::kValue, "roll",
                fmt::format("{} shifts are given for {} axes", shifts.size(), axes->size()));
  const Placed placed = place_arrays("roll", {&x}, queue);
  const Array source = readable(x, placed.queue);
  ExtendRecipe::Axes moved = axes_of(source);
  for (int i = 0; i < axes->size(); ++i) {  // an axis may be named twice
    ExtendedAxis& axis = moved[static_cast<size_t>(normalize_axis((*axes)[i], x.ndim(), "roll"))];
    const int64_t n = std::max<int64_t>(axis.extent, 1);
    axis.before = ((axis.before + shifts[shifts.size() == 1 ? 0 : i] % n) % n + n) % n;
    axis.after = -axis.before;
    axis.border = Border::kWrap;
  }
  if (x.size() == 0) return empty(x.shape(), x.dtype(), {placed.queue, placed.usm_type});
  return extended(source, moved, {}, placed);
}

}  // namespace hither
