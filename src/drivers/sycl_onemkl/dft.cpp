// Discrete Fourier transforms by oneMKL.
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <oneapi/mkl/dft.hpp>

#include "drivers/sycl_onemkl/entry.h"

namespace hither::drivers::sycl_onemkl {
namespace {

namespace dft = oneapi::mkl::dft;
using dft::config_param;

/// `count` unscaled transforms of dense arrays. A descriptor is committed once for a context and
/// device, to its own queue.
class Plan {
 public:
  virtual ~Plan() = default;
  virtual void forward(::sycl::queue& queue, void* from, void* to) = 0;
  virtual void backward(::sycl::queue& queue, void* from, void* to) = 0;
};

std::vector<int64_t> dense_strides(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> strides(lengths.size() + 1, 0);  // the offset first
  int64_t step = 1;
  for (size_t i = lengths.size(); i > 0; --i) {
    strides[i] = step;
    step *= lengths[i - 1];
  }
  return strides;
}

int64_t elements(const std::vector<int64_t>& lengths) {
  int64_t all = 1;
  for (int64_t length : lengths) all *= length;
  return all;
}

template <class Number, dft::precision precision, dft::domain domain>
class PlanOf final : public Plan {
  static constexpr bool kReal = domain == dft::domain::REAL;
  using Forward = std::conditional_t<kReal, Number, std::complex<Number>>;
  using Backward = std::complex<Number>;
  using Descriptor = dft::descriptor<precision, domain>;

 public:
  PlanOf(std::vector<int64_t> lengths, int64_t count)
      : lengths_(std::move(lengths)), count_(count) {}

  void forward(::sycl::queue& queue, void* from, void* to) override {
    run(queue, from == to, [=](Descriptor& d, const Events& after) {
      auto* const source = static_cast<Forward*>(from);
      return from == to ? dft::compute_forward(d, source, after)
                        : dft::compute_forward(d, source, static_cast<Backward*>(to), after);
    });
  }
  void backward(::sycl::queue& queue, void* from, void* to) override {
    run(queue, from == to, [=](Descriptor& d, const Events& after) {
      auto* const result = static_cast<Forward*>(to);
      return from == to ? dft::compute_backward(d, result, after)
                        : dft::compute_backward(d, static_cast<Backward*>(from), result, after);
    });
  }

 private:
  /// The transforms run in a separate queue, ordered by events with the caller's queue. oneMKL's
  /// commit waits for the work of its queue and locks SYCL's graph meanwhile. In the caller's queue
  /// there may be host tasks of other libraries that need the GIL, while a thread with the GIL
  /// waits for that lock. (On CPUs such host tasks would block any queue, so the host computes the
  /// transforms while they exist.)
  struct Committed {
    Committed(const std::vector<int64_t>& lengths, const ::sycl::queue& of)
        : descriptor(lengths), context(of.get_context()), own(context, of.get_device()) {}
    Committed(const Committed&) = delete;
    Committed& operator=(const Committed&) = delete;
    ~Committed() {  // running transforms use the descriptor
      try {
        last.wait();
      } catch (const ::sycl::exception&) {  // waits for the transform report it
      }
      retire(own);
    }

    Descriptor descriptor;
    ::sycl::context context;
    ::sycl::queue own;
    ::sycl::event last;
  };

  template <class Compute>
  void run(::sycl::queue& queue, bool in_place, Compute compute) {
    std::lock_guard lock(mutex_);
    Committed& made = committed_for(queue, in_place);
    Events before = all_of(queue);
    before.push_back(made.last);  // it may belong to another queue
    made.last = compute(made.descriptor, before);
    order_after(queue, Events(1, made.last));
  }

  Committed& committed_for(::sycl::queue& queue, bool in_place) {
    std::unique_ptr<Committed>& kept = made_[in_place];
    if (kept && kept->context == queue.get_context() &&
        kept->own.get_device() == queue.get_device())
      return *kept;
    auto made = std::make_unique<Committed>(lengths_, queue);
    Descriptor& d = made->descriptor;
    std::vector<int64_t> half = lengths_;
    if (kReal) half.back() = half.back() / 2 + 1;
    d.set_value(config_param::NUMBER_OF_TRANSFORMS, count_);
    d.set_value(config_param::FWD_STRIDES, dense_strides(lengths_));
    d.set_value(config_param::BWD_STRIDES, dense_strides(half));
    d.set_value(config_param::FWD_DISTANCE, elements(lengths_));
    d.set_value(config_param::BWD_DISTANCE, elements(half));
    d.set_value(config_param::PLACEMENT,
                in_place ? dft::config_value::INPLACE : dft::config_value::NOT_INPLACE);
    d.commit(made->own);
    kept = std::move(made);
    return *kept;
  }

  const std::vector<int64_t> lengths_;
  const int64_t count_;
  std::mutex mutex_;  // a descriptor is not thread-safe
  std::unique_ptr<Committed> made_[2];
};

template <class Number, dft::precision precision>
Plan* make(bool real, std::vector<int64_t> lengths, int64_t count) {
  if (real) return new PlanOf<Number, precision, dft::domain::REAL>(std::move(lengths), count);
  return new PlanOf<Number, precision, dft::domain::COMPLEX>(std::move(lengths), count);
}

}  // namespace
}  // namespace hither::drivers::sycl_onemkl

using namespace hither::drivers::sycl_onemkl;

/// A plan for `count` transforms of dense arrays of these extents; `real` between real and complex.
extern "C" HITHER_EXPORT int hither_onemkl_plan(void** plan, bool single, bool real, int64_t rank,
                                                const int64_t* lengths, int64_t count) {
  return guarded([&] {
    std::vector<int64_t> extents(lengths, lengths + rank);
    *plan = single ? make<float, oneapi::mkl::dft::precision::SINGLE>(real, extents, count)
                   : make<double, oneapi::mkl::dft::precision::DOUBLE>(real, extents, count);
  });
}

extern "C" HITHER_EXPORT int hither_onemkl_transform(void* plan, void* queue, bool inverse,
                                                     void* from, void* to) {
  return guarded([&] {
    auto* const known = static_cast<Plan*>(plan);
    if (inverse)
      known->backward(queue_at(queue), from, to);
    else
      known->forward(queue_at(queue), from, to);
  });
}

extern "C" HITHER_EXPORT int hither_onemkl_end_plan(void* plan) {
  return guarded([&] { delete static_cast<Plan*>(plan); });
}
