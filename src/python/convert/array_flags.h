// The value of Array.flags.
#pragma once

namespace hither::python {

/// Properties of an array's memory at the time of the query.
struct ArrayFlags {
  bool c_contiguous, f_contiguous, writeable;
  bool operator==(const ArrayFlags&) const = default;
};

}  // namespace hither::python
