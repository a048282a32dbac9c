// dtypes: NumPy's objects hither.bool, hither.int8, ..., hither.complex128.
#include <string>

#include "python/bind/bindings.h"
#include "python/convert/array_exchange.h"
#include "python/convert/dtype_argument.h"
#include "python/interpreter/release_gil.h"

namespace hither::python {

void bind_dtype(nb::module_& m) {
  load_numpy_types();
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (needs_ml_dtypes(dtype)) continue;
    m.attr(std::string(name_of(dtype)).c_str()) = scalar_type_object(dtype);
  }
  m.def(
      "dtype_argument",
      [](nb::handle object) { return nb::borrow(dtype_object(dtype_argument(object))); },
      nb::arg("dtype"),
      "NumPy's dtype object for `dtype`. TypeError if arrays cannot hold the dtype.");
  m.def(
      "view_as",
      [](const Array& x, nb::handle dtype) {
        const DType wanted = dtype_argument(dtype, "view_as");
        ReleaseGil unlocked;
        return view_as(x, wanted);
      },
      nb::arg("x"), nb::arg("dtype"),
      "A view of x's memory as elements of another dtype of the same size.");
}

}  // namespace hither::python
