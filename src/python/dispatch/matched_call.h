// A call that a program is for.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "python/convert/array_object.h"
#include "python/dispatch/compiled_call.h"

namespace hither::python {

/// The draws of random generators that a run has taken. It gives them back if it does not take
/// place.
class TakenDraws {
 public:
  explicit TakenDraws(nb::object reservation) : reservation_(std::move(reservation)) {}
  TakenDraws(const TakenDraws&) = delete;
  TakenDraws& operator=(const TakenDraws&) = delete;
  ~TakenDraws() { give_back(); }
  void keep() { reservation_.reset(); }
  void give_back() noexcept;

 private:
  nb::object reservation_;
};

/// The arguments of one call, as a program sees them.
struct MatchedCall {
  Leaves leaves;
  std::vector<nb::object> kept;       ///< the leaves; other threads may change their containers
  nb::object numbers;                 ///< result of numbers_of
  std::shared_ptr<TakenDraws> draws;  ///< or null

  /// The number `index` of a run, as results name it. A borrowed reference.
  PyObject* number(uint32_t index) const {
    return numbers.is_valid() ? PyTuple_GetItem(numbers.ptr(), index) : leaves.numbers[index];
  }
};

/// Whether the program is for these arguments, as of a vectorcall. They become the `call`.
bool holds(const CallProgram& program, PyObject* const* arguments, Py_ssize_t positional,
           PyObject* names, MatchedCall& call);
/// Whether the program is for the numbers of the call's leaves. Computes those of the run.
bool numbers_hold(const CallProgram& program, MatchedCall& call);
/// The numbers of a run; nothing if one is too large for a scalar.
std::optional<std::vector<Scalar>> scalars_of(const MatchedCall& call);

class ResultLeaves final : public LeafSource {
 public:
  ResultLeaves(std::vector<Array> arrays, const MatchedCall& call)
      : arrays_(std::move(arrays)), call_(call) {}
  PyObject* array() override { return wrap(std::move(arrays_[next_++])); }
  PyObject* argument(uint32_t index) override {
    return nb::borrow(call_.leaves.arrays[index]).release().ptr();
  }
  PyObject* symbol(uint32_t index) override {
    return nb::borrow(call_.number(index)).release().ptr();
  }

 private:
  std::vector<Array> arrays_;
  const MatchedCall& call_;
  size_t next_ = 0;
};

}  // namespace hither::python
