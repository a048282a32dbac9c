// Matrix products by oneMKL.
#include <mkl_service.h>
#include <string_view>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/version.h>
#include <oneapi/mkl/blas.hpp>

#include "drivers/sycl_onemkl/entry.h"
#include "runtime/math_library.h"

namespace hither::drivers::sycl_onemkl {
namespace {

namespace mkl = oneapi::mkl;
namespace rows = oneapi::mkl::blas::row_major;

/// oneMKL accepts batches whose matrices are consecutive or identical.
bool takes_stack(const runtime::Gemm& g) {
  const auto takes = [](int64_t step, int64_t leading, int64_t rows) {
    return step == 0 || step >= leading * rows;
  };
  return takes(g.step_a, g.lda, g.transpose_a ? g.k : g.m) &&
         takes(g.step_b, g.ldb, g.transpose_b ? g.n : g.k);
}

template <class Number>
void multiply(::sycl::queue& queue, const runtime::Gemm& g) {
  constexpr auto op = [](bool transpose) {
    return transpose ? mkl::transpose::trans : mkl::transpose::nontrans;
  };
  const auto* const a = static_cast<const Number*>(g.a);
  const auto* const b = static_cast<const Number*>(g.b);
  auto* const c = static_cast<Number*>(g.c);
  const Number one(1.0F), zero(0.0F);
  const Events after = all_of(queue);
  if (g.count > 1 && takes_stack(g)) {
    order_after(queue, {rows::gemm_batch(queue, op(g.transpose_a), op(g.transpose_b), g.m, g.n, g.k,
                                         one, a, g.lda, g.step_a, b, g.ldb, g.step_b, zero, c,
                                         g.ldc, g.step_c, g.count, after)});
    return;
  }
  Events all;
  for (int64_t i = 0; i < g.count; ++i)
    all.push_back(rows::gemm(queue, op(g.transpose_a), op(g.transpose_b), g.m, g.n, g.k, one,
                             a + i * g.step_a, g.lda, b + i * g.step_b, g.ldb, zero,
                             c + i * g.step_c, g.ldc, after));
  order_after(queue, all);
}

class OneMklBlas final : public runtime::Blas {
 public:
  std::string name() const override {
    MKLVersion version;
    MKL_Get_Version(&version);
    return fmt::format("oneMKL {}.{}", version.MajorVersion, version.UpdateVersion);
  }
  bool works_in_streams() const override { return true; }

  void gemm(const runtime::Gemm& call, void* queue) const override {
    const process::InsideLibrary inside;
    try {
      with_dtype(call.dtype,
                 [&](auto number) { multiply<decltype(number)>(queue_at(queue), call); });
    } catch (const std::exception& error) {
      throw Error(ErrorKind::kDevice, "matmul", error.what());
    }
  }
};

}  // namespace

std::string& message() noexcept {
  static thread_local std::string text;
  return text;
}

}  // namespace hither::drivers::sycl_onemkl

/// The device's BLAS; null if the plugin was built for another version.
extern "C" HITHER_EXPORT const hither::runtime::Blas* hither_onemkl_blas(const char* version) {
  if (std::string_view(version) != hither::version()) return nullptr;
  static const auto* const blas = new hither::drivers::sycl_onemkl::OneMklBlas;
  return blas;
}

/// The message of the thread's last failed call, valid until its next call.
extern "C" HITHER_EXPORT const char* hither_onemkl_message() {
  return hither::drivers::sycl_onemkl::message().c_str();
}
