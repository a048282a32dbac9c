// Pending matrix products.
#pragma once

#include <hither/precision.h>

#include "array/graph/value.h"

namespace hither::array {

/// A product by the device's BLAS. inputs[0] and inputs[1] are viewed through these layouts: equal
/// leading extents, then m x k and k x n. Each has one contiguous matrix axis.
class ProductRecipe final : public Recipe {
 public:
  ProductRecipe(LayoutRef a, LayoutRef b, Precision precision)
      : a_(std::move(a)), b_(std::move(b)), precision_(precision) {}
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  LayoutRef a_, b_;
  Precision precision_;
};

/// A product by a kernel, for any strides and dtype. Work-groups read tiles of both matrices into
/// local memory (device_library/product.cpp).
class TiledProductRecipe final : public Recipe {
 public:
  TiledProductRecipe(LayoutRef a, LayoutRef b) : a_(std::move(a)), b_(std::move(b)) {}
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  LayoutRef a_, b_;
};

/// A stack of products of small matrices by a kernel, for any strides: one item computes one
/// product (device_library/matrices.cpp).
class SmallProductRecipe final : public Recipe {
 public:
  SmallProductRecipe(LayoutRef a, LayoutRef b) : a_(std::move(a)), b_(std::move(b)) {}
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  LayoutRef a_, b_;
};

/// Whether this kernel is expected to be faster than BLAS for a stack of products of m x k and k x
/// n. The number of products does not matter, so that parts of a stack have the bits of the whole.
bool items_pay(const Device& device, DType t, int64_t m, int64_t n, int64_t k);
/// Whether the tiled kernel is expected to be faster for m x n products on this device.
bool tiles_pay(const Device& device, int64_t m, int64_t n);

/// A stack of matrices of `dtype`: its address, and the byte stride of each stack dimension.
struct Stack {
  const char* data;
  Dims strides;
};
Stack stack_of(const Value& value, const Layout& layout, DType dtype);

/// The number of trailing dimensions of `batch` that both stacks traverse with one constant stride.
int even_dimensions(const Dims& batch, const Stack& a, const Stack& b);

/// Calls work(offset in a, offset in b, product number) for each product of a stack.
template <typename Work>
void each_product(const Dims& batch, const Stack& a, const Stack& b, Work&& work) {
  const int64_t count = batch.product();
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, at_a = 0, at_b = 0;
    for (int d = batch.size() - 1; d >= 0; --d) {
      const int64_t at = rest % batch[d];
      rest /= batch[d];
      at_a += at * a.strides[d];
      at_b += at * b.strides[d];
    }
    work(at_a, at_b, i);
  }
}

}  // namespace hither::array
