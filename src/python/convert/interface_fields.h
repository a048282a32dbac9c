// The fields of a dict by which arrays of other libraries describe themselves, checked.
#pragma once

#include <string>

#include <hither/dims.h>
#include <hither/dtype.h>
#include <hither/error.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Whether `object` has the attribute. What reading it raises is let out, AttributeError aside.
bool offers(nb::handle object, const char* name);

/// One such dict. What is missing, ill-typed or inconsistent is an Error that names the field.
class InterfaceFields {
 public:
  /// `name`: the attribute that it is. Error kType if `object` is no dict.
  InterfaceFields(const char* name, nb::handle object);

  [[noreturn]] void refuse(const char* field, const std::string& message,
                           ErrorKind kind = ErrorKind::kValue) const;
  /// None where it is missing.
  nb::object optional(const char* field) const;
  nb::object required(const char* field) const;
  /// `value` as what the field should be.
  int64_t integer(nb::handle value, const char* field) const;
  Dims integers(nb::handle value, const char* field) const;
  int64_t version() const { return integer(required("version"), "version"); }
  /// Of "typestr". The field `parts` describes it part by part, as a list of tuples; where it is
  /// given it has to name the same type.
  DType dtype(const char* parts) const;
  Dims shape() const;
  /// As given, as many as there are extents; contiguous ones, where a `unit` moves by an element,
  /// if there are none.
  Dims strides(const Dims& shape, int64_t unit) const;
  struct Data {
    char* address;
    bool read_only;
  };
  Data data(nb::handle value) const;
  /// The address of the first element must suit the type.
  void check_alignment(const void* first, DType dtype, const char* field) const;

 private:
  void check_parts(const char* parts, DType dtype) const;

  const char* name_;
  nb::dict fields_;
};

}  // namespace hither::python
