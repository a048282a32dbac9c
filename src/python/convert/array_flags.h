// What Array.flags is.
#pragma once

namespace hither::python {

/// Properties of an array's memory when it was asked.
struct ArrayFlags {
  bool c_contiguous, f_contiguous, writeable;
  bool operator==(const ArrayFlags&) const = default;
};

}  // namespace hither::python
