// Products of sparse matrices by oneMKL.
#include <string_view>

#include <hither/error.h>
#include <hither/version.h>
#include <oneapi/mkl/spblas.hpp>

#include "drivers/sycl_onemkl/entry.h"
#include "runtime/sparse_library.h"

namespace hither::drivers::sycl_onemkl {
namespace {

namespace mkl = oneapi::mkl;
namespace sparse = oneapi::mkl::sparse;

/// Elements from which oneMKL is faster than a kernel: its calls take 40 us on a CPU.
constexpr int64_t kManyElements = 1 << 16;

template <class Number, class Index>
void multiply_vector(::sycl::queue& queue, const runtime::SparseProduct& p) {
  const auto at = []<class T>(const void* address, T*) {
    return static_cast<T*>(const_cast<void*>(address));
  };
  Index* const none = nullptr;
  Number* const no_number = nullptr;
  sparse::matrix_handle_t a = nullptr;
  sparse::init_matrix_handle(&a);
  Events last = all_of(queue);
  try {
    last = {sparse::set_csr_data(queue, a, p.rows, p.columns, p.size, mkl::index_base::zero,
                                 at(p.pointers, none), at(p.indices, none), at(p.data, no_number),
                                 last)};
    last = {sparse::gemv(queue, mkl::transpose::nontrans, Number(1.0F), a, at(p.x, no_number),
                         Number(0.0F), static_cast<Number*>(p.y), last)};
  } catch (...) {
    order_after(queue, {sparse::release_matrix_handle(queue, &a, last)});
    throw;
  }
  order_after(queue, {last.front(), sparse::release_matrix_handle(queue, &a, last)});
}

template <class Number>
void multiply_with(::sycl::queue& queue, const runtime::SparseProduct& p) {
  if (p.index == DType::kInt32)
    multiply_vector<Number, int32_t>(queue, p);
  else
    multiply_vector<Number, int64_t>(queue, p);
}

class OneMklSparse final : public runtime::SparseLibrary {
 public:
  bool takes(const runtime::SparseProduct& p) const noexcept override {
    return p.dtype >= DType::kFloat32 && p.dtype <= DType::kComplex128 && p.size >= kManyElements;
  }
  size_t workspace_bytes(const runtime::SparseProduct&, void*) const override { return 0; }

  void multiply(const runtime::SparseProduct& p, void* queue) const override {
    const process::InsideLibrary inside;
    try {
      with_dtype(p.dtype,
                 [&](auto number) { multiply_with<decltype(number)>(queue_at(queue), p); });
    } catch (const std::exception& error) {
      throw Error(ErrorKind::kDevice, "sparse_product", error.what());
    }
  }
};

}  // namespace
}  // namespace hither::drivers::sycl_onemkl

/// The device's products of sparse matrices; null if the plugin was built for another version.
extern "C" HITHER_EXPORT const hither::runtime::SparseLibrary* hither_onemkl_sparse(
    const char* version) {
  if (std::string_view(version) != hither::version()) return nullptr;
  static const auto* const library = new hither::drivers::sycl_onemkl::OneMklSparse;
  return library;
}
