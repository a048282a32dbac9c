// dtypes: NumPy's objects hither.bool, hither.int8, ..., hither.complex128.
#include <string>

#include "python/bind/bindings.h"
#include "python/convert/dtype_argument.h"

namespace hither::python {

void bind_dtype(nb::module_& m) {
  load_numpy_types();
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    m.attr(std::string(name_of(dtype)).c_str()) = scalar_type_object(dtype);
  }
  m.def(
      "dtype_argument",
      [](nb::handle object) { return nb::borrow(dtype_object(dtype_argument(object))); },
      nb::arg("dtype"),
      "NumPy's dtype object for `dtype`. TypeError if arrays cannot hold the dtype.");
}

}  // namespace hither::python
