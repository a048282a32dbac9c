// LAPACK by oneMKL, for `count` consecutive dense matrices in column-major order.
//
// If `work` is null, each function only stores the size of its work memory, in numbers, in *size.
// `info` receives LAPACK's result for each matrix: 0, or the index of the failure.
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include <oneapi/mkl/lapack.hpp>

#include "drivers/sycl_onemkl/entry.h"

namespace hither::drivers::sycl_onemkl {
namespace {

namespace mkl = oneapi::mkl;
namespace lapack = oneapi::mkl::lapack;

template <class Number>
struct RealOf {
  using type = Number;
};
template <class Number>
struct RealOf<std::complex<Number>> {
  using type = Number;
};
template <class Number>
using Real = typename RealOf<Number>::type;
template <class Number>
constexpr bool kIsComplex = !std::is_same_v<Real<Number>, Number>;

/// The address of the i-th part, where each has `elements` elements.
template <class Number>
Number* part(void* all, int64_t i, int64_t elements) noexcept {
  return static_cast<Number*>(all) + i * elements;
}

/// The queue in which the calls for `queue` run. On CPUs oneMKL waits in the calls with SYCL's
/// graph locked. So they run in a separate queue, after their dependencies have ended, as
/// transforms do. While there are host tasks that take the GIL this is not enough, and the host
/// computes instead (may_wait()).
::sycl::queue place_of(const ::sycl::queue& queue) {
  if (!queue.get_device().is_cpu()) return queue;
  static std::mutex mutex;
  static std::optional<::sycl::queue>& last = *new std::optional<::sycl::queue>;
  std::lock_guard lock(mutex);
  if (!last || last->get_context() != queue.get_context() ||
      last->get_device() != queue.get_device()) {
    if (last) retire(*last);
    last.emplace(queue.get_context(), queue.get_device());
  }
  return *last;
}

/// Calls step(i, after) for every matrix. The steps are ordered by events, because they share the
/// work memory and queues may be out of order.
template <class Step>
void for_each(::sycl::queue& queue, int64_t count, int64_t* info, Step step) {
  Events after = all_of(queue);
  if (queue.get_device().is_cpu()) sycl::wait_for(after.front(), true);
  for (int64_t i = 0; i < count; ++i) {
    info[i] = 0;
    try {
      const ::sycl::event done = step(i, after);
      after.assign(1, done);
    } catch (const lapack::computation_error& error) {
      if (error.info() <= 0) throw;
      info[i] = error.info();
      after.clear();  // oneMKL has waited
    }
  }
  order_after(queue, after);
}

template <class Number>
int64_t vectors_size(::sycl::queue& queue, mkl::job job, mkl::uplo side, int64_t n) {
  if constexpr (kIsComplex<Number>)
    return lapack::heevd_scratchpad_size<Number>(queue, job, side, n, n);
  else
    return lapack::syevd_scratchpad_size<Number>(queue, job, side, n, n);
}

template <class Number>
::sycl::event vectors_of(::sycl::queue& queue, mkl::job job, mkl::uplo side, int64_t n, Number* a,
                         Real<Number>* values, Number* work, int64_t size, const Events& after) {
  if constexpr (kIsComplex<Number>)
    return lapack::heevd(queue, job, side, n, a, n, values, work, size, after);
  else
    return lapack::syevd(queue, job, side, n, a, n, values, work, size, after);
}

template <class Number>
int64_t q_size(::sycl::queue& queue, int64_t m, int64_t n, int64_t k) {
  if constexpr (kIsComplex<Number>)
    return lapack::ungqr_scratchpad_size<Number>(queue, m, n, k, m);
  else
    return lapack::orgqr_scratchpad_size<Number>(queue, m, n, k, m);
}

template <class Number>
::sycl::event q_of(::sycl::queue& queue, int64_t m, int64_t n, int64_t k, Number* a,
                   const Number* tau, Number* work, int64_t size, const Events& after) {
  if constexpr (kIsComplex<Number>)
    return lapack::ungqr(queue, m, n, k, a, m, tau, work, size, after);
  else
    return lapack::orgqr(queue, m, n, k, a, m, tau, work, size, after);
}

mkl::uplo side_of(bool upper) { return upper ? mkl::uplo::upper : mkl::uplo::lower; }

mkl::jobsvd vectors_wanted(char job) {
  return job == 'A' ? mkl::jobsvd::vectors : job == 'S' ? mkl::jobsvd::somevec : mkl::jobsvd::novec;
}

}  // namespace
}  // namespace hither::drivers::sycl_onemkl

using namespace hither::drivers::sycl_onemkl;
namespace lapack = oneapi::mkl::lapack;
namespace mkl = oneapi::mkl;

/// LU factors of n x n matrices, and the row interchanges, counted from 1.
extern "C" HITHER_EXPORT int hither_onemkl_getrf(void* queue, char type, int64_t count,
                                                 int64_t* info, int64_t n, void* a, int64_t* pivots,
                                                 void* work, int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      if (!work) return void(*size = lapack::getrf_scratchpad_size<Number>(q, n, n, n));
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return lapack::getrf(q, n, n, part<Number>(a, i, n * n), n, pivots + i * n,
                             static_cast<Number*>(work), *size, after);
      });
    });
  });
}

/// Solves with the factors of matrix which[i], or with its transpose, for the columns of b_i.
extern "C" HITHER_EXPORT int hither_onemkl_getrs(void* queue, char type, int64_t count,
                                                 int64_t* info, bool transpose, int64_t n,
                                                 int64_t columns, const int64_t* which, void* lu,
                                                 int64_t* pivots, void* b, void* work,
                                                 int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      const auto op = transpose ? mkl::transpose::trans : mkl::transpose::nontrans;
      if (!work)
        return void(*size = lapack::getrs_scratchpad_size<Number>(q, op, n, columns, n, n));
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return lapack::getrs(q, op, n, columns, part<Number>(lu, which[i], n * n), n,
                             pivots + which[i] * n, part<Number>(b, i, n * columns), n,
                             static_cast<Number*>(work), *size, after);
      });
    });
  });
}

/// Lower Cholesky factors of n x n matrices.
extern "C" HITHER_EXPORT int hither_onemkl_potrf(void* queue, char type, int64_t count,
                                                 int64_t* info, int64_t n, void* a, void* work,
                                                 int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      if (!work)
        return void(*size = lapack::potrf_scratchpad_size<Number>(q, mkl::uplo::lower, n, n));
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return lapack::potrf(q, mkl::uplo::lower, n, part<Number>(a, i, n * n), n,
                             static_cast<Number*>(work), *size, after);
      });
    });
  });
}

/// Eigenvalues of Hermitian n x n matrices and, optionally in place, their eigenvectors.
extern "C" HITHER_EXPORT int hither_onemkl_heevd(void* queue, char type, int64_t count,
                                                 int64_t* info, bool vectors, bool upper, int64_t n,
                                                 void* a, void* values, void* work, int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      const auto job = vectors ? mkl::job::vec : mkl::job::novec;
      if (!work) return void(*size = vectors_size<Number>(q, job, side_of(upper), n));
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return vectors_of(q, job, side_of(upper), n, part<Number>(a, i, n * n),
                          part<Real<Number>>(values, i, n), static_cast<Number*>(work), *size,
                          after);
      });
    });
  });
}

/// Singular values and vectors of m x n matrices, m >= n. `job`: 'A' for m x m and n x n vectors,
/// 'S' for m x n and n x n, 'N' for none.
extern "C" HITHER_EXPORT int hither_onemkl_gesvd(void* queue, char type, int64_t count,
                                                 int64_t* info, char job, int64_t m, int64_t n,
                                                 void* a, void* s, void* u, void* vt, void* work,
                                                 int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      const auto wanted = vectors_wanted(job);
      if (!work) {
        *size = lapack::gesvd_scratchpad_size<Number>(q, wanted, wanted, m, n, m, m, n);
        return;
      }
      const int64_t of_u = m * (job == 'A' ? m : n);
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return lapack::gesvd(q, wanted, wanted, m, n, part<Number>(a, i, m * n), m,
                             part<Real<Number>>(s, i, n),
                             job == 'N' ? nullptr : part<Number>(u, i, of_u), m,
                             job == 'N' ? nullptr : part<Number>(vt, i, n * n), n,
                             static_cast<Number*>(work), *size, after);
      });
    });
  });
}

/// R of m x n matrices, and the reflections that make Q; min(m, n) of them have a factor in tau.
extern "C" HITHER_EXPORT int hither_onemkl_geqrf(void* queue, char type, int64_t count,
                                                 int64_t* info, int64_t m, int64_t n, void* a,
                                                 void* tau, void* work, int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      if (!work) return void(*size = lapack::geqrf_scratchpad_size<Number>(q, m, n, m));
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return lapack::geqrf(q, m, n, part<Number>(a, i, m * n), m,
                             part<Number>(tau, i, std::min(m, n)), static_cast<Number*>(work),
                             *size, after);
      });
    });
  });
}

/// The first n columns of Q, m x n, from k reflections in a.
extern "C" HITHER_EXPORT int hither_onemkl_ungqr(void* queue, char type, int64_t count,
                                                 int64_t* info, int64_t m, int64_t n, int64_t k,
                                                 void* a, void* tau, void* work, int64_t* size) {
  return guarded([&] {
    with_type(type, [&]<class Number>(Number) {
      ::sycl::queue q = place_of(queue_at(queue));
      if (!work) return void(*size = q_size<Number>(q, m, n, k));
      for_each(queue_at(queue), count, info, [&](int64_t i, const auto& after) {
        return q_of(q, m, n, k, part<Number>(a, i, m * n), part<Number>(tau, i, k),
                    static_cast<Number*>(work), *size, after);
      });
    });
  });
}
