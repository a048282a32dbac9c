// Matrix products by groups of items that share tiles, and by items that compute a small product
// each.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "array/emit/element.h"
#include "array/emit/module.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/product.h"

namespace hither::array {

namespace {

// These equal the constants in device_library/product.cpp.
constexpr int64_t kSide = 16, kItems = kSide * kSide;
constexpr int kSmallBlock = 4, kLargeBlock = 8;
// Large tiles read less memory. They are used if there are at least this many of them.
constexpr int64_t kEnoughGroups = 128;
// For smaller extents most of a tile would be empty.
constexpr int64_t kLeastExtent = 32;
// Extents of device_library/matrices.cpp's small products.
constexpr int64_t kSmallSides[] = {4, 8, 16};

const char* type_name(DType t) {
  switch (t) {
    case DType::kBool:
      return "bool";
    case DType::kFloat16:
      return "f16";
    case DType::kBFloat16:
      return "bf16";
    case DType::kFloat32:
      return "f32";
    case DType::kFloat64:
      return "f64";
    case DType::kComplex64:
      return "c64";
    case DType::kComplex128:
      return "c128";
    default:
      constexpr const char* kIntegers[] = {"i8", "i16", "i32", "i64"};
      return kIntegers[std::countr_zero(static_cast<unsigned>(size_of(t)))];
  }
}

/// m, n, k, and the other integer arguments of the kernel.
struct Shape {
  int64_t m, n, k, a_m, a_k, b_k, b_n;
  int64_t a_step = 0, b_step = 0, count = 1;

  int64_t groups(int block) const {
    return divide_up(m, kSide * block) * divide_up(n, kSide * block) * count;
  }
};

// With tiles a kernel has groups. Without, the function's last argument is the item's product.
target::KernelModule emit_product(const std::string& function, bool tiles) {
  ModuleBuilder m("matmul");
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 9; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  llvm::SmallVector<llvm::Value*, 13> parameters;
  for (int i = 0; i < 12; ++i) parameters.push_back(m.next_parameter());
  if (!tiles) parameters.push_back(m.global_id(0));
  m.call(function, b.getVoidTy(), parameters);
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  if (!tiles) return module;
  module.local_size[0] = kItems;
  module.local_size[1] = module.local_size[2] = 1;
  return module;
}

/// Runs the kernels of one stack of products.
class StackedProduct {
 public:
  StackedProduct(Value& value, Value& a, const Layout& la, Value& b, const Layout& lb)
      : value_(value),
        a_(a),
        b_(b),
        first_(stack_of(a, la, value.dtype)),
        second_(stack_of(b, lb, value.dtype)) {
    const int r = la.shape.size() - 2, c = r + 1;
    shape_ = {.m = la.shape[r],
              .n = lb.shape[c],
              .k = la.shape[c],
              .a_m = la.strides[r],
              .a_k = la.strides[c],
              .b_k = lb.strides[r],
              .b_n = lb.strides[c]};
    for (int d = 0; d < r; ++d) outer_.push_back(la.shape[d]);
  }

  void by_tiles() {
    merge();
    const bool wide = size_of(value_.dtype) > 4;
    block_ = !wide && shape_.groups(kLargeBlock) >= kEnoughGroups ? kLargeBlock : kSmallBlock;
    all(fmt::format("hither_product_{}_{}", type_name(value_.dtype), block_));
  }

  void by_items() {
    merge();
    const int64_t most = std::max({shape_.m, shape_.n, shape_.k});
    const int64_t side = *std::ranges::lower_bound(kSmallSides, most);
    tiles_ = false;
    all(fmt::format("hither_product_small_{}_{}", side, library_suffix(value_.dtype)));
  }

 private:
  /// Makes one launch of the stack's last dimensions.
  void merge() {
    if (!outer_.empty()) {
      const int item = size_of(value_.dtype), last = outer_.size() - 1;
      for (int even = even_dimensions(outer_, first_, second_); even > 0; --even) {
        shape_.count *= outer_.back();
        outer_.erase(outer_.size() - 1);
      }
      shape_.a_step = first_.strides[last] / item;
      shape_.b_step = second_.strides[last] / item;
    }
  }

  void all(const std::string& function) {
    const ReadyKernel ready = find_kernel(
        value_.queue, function, [&] { return emit_product(function, tiles_); },
        [] { return std::string("matmul"); });
    std::optional<Event> last;
    each_product(outer_, first_, second_, [&](int64_t at_a, int64_t at_b, int64_t i) {
      last = launch(ready, first_.data + at_a, second_.data + at_b, i, last);
    });
    value_.written = *last;
  }

  Event launch(const ReadyKernel& ready, const char* a, const char* b, int64_t number,
               const std::optional<Event>& before) {
    const int item = size_of(value_.dtype);
    KernelCall call;
    call.writes(value_.memory);
    call.shift(number * shape_.count * shape_.m * shape_.n * item);
    call.reads(a_);
    call.shift(a - address_of(a_));
    call.reads(b_);
    call.shift(b - address_of(b_));
    for (int64_t v : {shape_.m, shape_.n, shape_.k, shape_.a_m, shape_.a_k, shape_.b_k, shape_.b_n,
                      shape_.a_step, shape_.b_step})
      call.integer(v);
    if (before) call.after(*before);
    const int64_t elements = shape_.m * shape_.k + shape_.k * shape_.n + shape_.m * shape_.n;
    if (!tiles_)
      return call.submit(value_.queue, ready, Range(shape_.count), elements * shape_.count * item);
    return call.submit(value_.queue, ready,
                       NdRange(Range(shape_.groups(block_) * kItems), Range(kItems)),
                       elements * shape_.count * item);
  }

  Value& value_;
  Value &a_, &b_;
  const Stack first_, second_;
  Shape shape_;
  Dims outer_;
  int block_ = kSmallBlock;
  bool tiles_ = true;
};

}  // namespace

bool tiles_pay(const Device& device, int64_t m, int64_t n) {
  return device.type() == DeviceType::kGpu && m >= kLeastExtent && n >= kLeastExtent;
}

void TiledProductRecipe::launch(Value& value, std::span<const Operated> operands) const {
  Value &left = *operands[0].value, &right = *operands[1].value;
  allocate(value);
  StackedProduct(value, left, *a_, right, *b_).by_tiles();
}

bool items_pay(const Device& device, DType t, int64_t m, int64_t n, int64_t k) {
  const bool takes = t == DType::kFloat32 || t == DType::kFloat64 || is_complex(t);
  return device.backend() == Backend::kNativeCpu && takes &&
         std::max({m, n, k}) <= std::ranges::max(kSmallSides);
}

void SmallProductRecipe::launch(Value& value, std::span<const Operated> operands) const {
  Value &left = *operands[0].value, &right = *operands[1].value;
  allocate(value);
  StackedProduct(value, left, *a_, right, *b_).by_items();
}

std::string SmallProductRecipe::describe(const Value&) const { return "matmul of small matrices"; }

std::string TiledProductRecipe::describe(const Value&) const { return "matmul in tiles"; }

}  // namespace hither::array
