// The value of Array.flags.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Properties of an array's memory at the time of the query.
struct ArrayFlags {
  nb::object array;
  bool c_contiguous, f_contiguous, writeable;
  bool operator==(const ArrayFlags& o) const noexcept {
    return c_contiguous == o.c_contiguous && f_contiguous == o.f_contiguous &&
           writeable == o.writeable;
  }
};

}  // namespace hither::python
