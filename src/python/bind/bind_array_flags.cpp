// hither.ArrayFlags: the flags of NumPy and dpctl that apply to hither's arrays.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "python/bind/bindings.h"
#include "python/convert/array_flags.h"
#include "python/convert/array_object.h"

namespace hither::python {
namespace {

bool either(const ArrayFlags& flags) { return flags.c_contiguous || flags.f_contiguous; }
bool only_f(const ArrayFlags& flags) { return flags.f_contiguous && !flags.c_contiguous; }

bool is_writeable_c(const ArrayFlags& flags) { return flags.c_contiguous && flags.writeable; }
bool is_writeable_f(const ArrayFlags& flags) { return only_f(flags) && flags.writeable; }

bool owns_data(const ArrayFlags& flags) { return flags.array.attr("base").is_none(); }

bool flag_named(const ArrayFlags& flags, std::string_view name) {
  const auto is = [&](auto... names) { return ((name == names) || ...); };
  if (is("C_CONTIGUOUS", "CONTIGUOUS", "C")) return flags.c_contiguous;
  if (is("F_CONTIGUOUS", "FORTRAN", "F")) return flags.f_contiguous;
  if (is("OWNDATA", "O")) return owns_data(flags);
  if (is("WRITEABLE", "WRITABLE", "W", "BEHAVED", "B")) return flags.writeable;
  if (is("ALIGNED", "A")) return true;
  if (is("WRITEBACKIFCOPY", "X")) return false;
  if (is("FORC")) return either(flags);
  if (is("FNC")) return only_f(flags);
  if (is("CARRAY", "CA")) return is_writeable_c(flags);
  if (is("FARRAY", "FA")) return is_writeable_f(flags);
  throw nb::key_error(fmt::format("{} is none of C_CONTIGUOUS, F_CONTIGUOUS, OWNDATA, WRITEABLE, "
                                  "ALIGNED, WRITEBACKIFCOPY, BEHAVED, CARRAY, FARRAY, FORC, FNC",
                                  name)
                          .c_str());
}

void set_writeable(ArrayFlags& flags, bool writeable) {
  Array& x = array_of(flags.array.ptr());
  x = with_writable(x, writeable);
  flags.writeable = writeable;
}

void set_flag(ArrayFlags& flags, std::string_view name, bool value) {
  if (name != "WRITEABLE" && name != "WRITABLE" && name != "W")
    throw nb::key_error(fmt::format("{} cannot be set; WRITEABLE can", name).c_str());
  set_writeable(flags, value);
}

bool writeable(const ArrayFlags& flags) { return flags.writeable; }
bool both(const ArrayFlags& flags) { return flags.c_contiguous && flags.f_contiguous; }
std::string_view text(bool flag) { return flag ? "True" : "False"; }

}  // namespace

void bind_array_flags(nb::module_& m) {
  nb::class_<ArrayFlags>(m, "ArrayFlags",
                         "Array.flags: attributes as in NumPy and dpctl, and the items\n"
                         "\"C_CONTIGUOUS\" (\"C\"), \"F_CONTIGUOUS\" (\"F\"), \"OWNDATA\" (\"O\"), "
                         "\"WRITEABLE\" (\"W\")\n"
                         "and the other names of NumPy.")
      .def("__getitem__", flag_named)
      .def_ro("c_contiguous", &ArrayFlags::c_contiguous)
      .def_ro("f_contiguous", &ArrayFlags::f_contiguous)
      .def("__setitem__", set_flag)
      .def_prop_rw("writeable", writeable, set_writeable,
                   "Whether elements can be assigned. True can be set if no elements repeat.")
      .def_prop_rw("writable", writeable, set_writeable, "The same as writeable.")
      .def_prop_ro(
          "aligned", [](const ArrayFlags&) { return true; },
          "True: elements are at multiples of their size.")
      .def_prop_ro("behaved", writeable, "Aligned and writeable.")
      .def_prop_ro("carray", is_writeable_c, "C order, and writeable.")
      .def_prop_ro("farray", is_writeable_f, "Fortran order and not C order, and writeable.")
      .def_prop_ro(
          "writebackifcopy", [](const ArrayFlags&) { return false; },
          "False: no array is a copy that is written back.")
      .def_ro("fortran", &ArrayFlags::f_contiguous)
      .def_prop_ro("owndata", owns_data, "Whether the array is all of its memory: x.base is None.")
      .def_prop_ro("forc", either, "Either of C and Fortran order.")
      .def_prop_ro("fnc", only_f, "Fortran order and not C order.")
      .def_prop_ro("fc", both, "C order and Fortran order.")
      .def_prop_ro("contiguous", either, "Either of C and Fortran order.")
      .def(
          "__eq__",
          [](const ArrayFlags& flags, nb::handle other) {
            return nb::isinstance<ArrayFlags>(other) && flags == nb::cast<ArrayFlags>(other);
          },
          nb::arg().none())
      .def("__repr__", [](const ArrayFlags& f) {
        return fmt::format("  C_CONTIGUOUS : {}\n  F_CONTIGUOUS : {}\n  WRITEABLE : {}\n",
                           text(f.c_contiguous), text(f.f_contiguous), text(f.writeable));
      });
}

}  // namespace hither::python
