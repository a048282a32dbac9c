// Checked access to the fields of an array interface (SUAI, CUDA).
#pragma once

#include <string>

#include <hither/dims.h>
#include <hither/dtype.h>
#include <hither/error.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Whether `object` has the attribute. Exceptions other than AttributeError propagate.
bool offers(nb::handle object, const char* name);

/// The dict of an array interface. A field that is missing, ill-typed or inconsistent is an Error
/// that names it.
class InterfaceFields {
 public:
  /// `name`: the attribute of the interface. Error kType if `object` is not a dict.
  InterfaceFields(const char* name, nb::handle object);

  [[noreturn]] void refuse(const char* field, const std::string& message,
                           ErrorKind kind = ErrorKind::kValue) const;
  /// None if the field is missing.
  nb::object optional(const char* field) const;
  nb::object required(const char* field) const;
  /// `value`, converted to the type of the field.
  int64_t integer(nb::handle value, const char* field) const;
  Dims integers(nb::handle value, const char* field) const;
  int64_t version() const { return integer(required("version"), "version"); }
  /// The dtype in "typestr". If the dict has the field `parts`, a list of one tuple for each
  /// component, that must describe the same type.
  DType dtype(const char* parts) const;
  Dims shape() const;
  /// The field "strides", one number for each extent. Without it, strides of a C-contiguous array,
  /// in multiples of `unit`.
  Dims strides(const Dims& shape, int64_t unit) const;
  struct Data {
    char* address;
    bool read_only;
  };
  Data data(nb::handle value) const;
  /// Refuses an address of the first element that is not aligned for the dtype.
  void check_alignment(const void* first, DType dtype, const char* field) const;

 private:
  void check_parts(const char* parts, DType dtype) const;

  const char* name_;
  nb::dict fields_;
};

}  // namespace hither::python
