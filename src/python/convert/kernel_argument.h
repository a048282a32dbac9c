// What Python passes to a kernel, as launch::Argument.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "launch/argument.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The arguments of one call. Borrows the objects; holds what it takes from them (buffers, views)
/// while it lives. Needs the GIL, also to destroy.
class KernelArguments {
 public:
  explicit KernelArguments(size_t count) { arguments_.reserve(count); }
  KernelArguments(const KernelArguments&) = delete;
  KernelArguments& operator=(const KernelArguments&) = delete;

  /// Adds one: a number (Python's or NumPy's), a record, an array of hither's, an object with
  /// __sycl_usm_array_interface__, one with the buffer protocol, a LocalAccessor, or a tuple of
  /// such. Error kType for anything else, naming `parameter` of `kernel`.
  void add(PyObject* object, const std::string& kernel, const std::string& parameter);

  /// What the tuples hold, and the others, flat.
  std::span<const launch::Argument> span() const noexcept { return arguments_; }
  /// How they nest; empty when there is no tuple.
  std::span<const uint64_t> nesting() const noexcept { return nesting_; }

 private:
  // A NumPy array, or another object with the buffer protocol.
  struct HostArray {
    Py_buffer buffer{};
    Dims shape, strides;
    std::string type_name;
    HostArray() = default;
    HostArray(const HostArray&) = delete;
    HostArray& operator=(const HostArray&) = delete;
    ~HostArray() { PyBuffer_Release(&buffer); }
  };
  struct ForeignUsm {
    UsmView view;
    std::string type_name;
  };

  void add_leaf(PyObject* object, const std::string& kernel, const std::string& parameter);
  void add_tuple(PyObject* object, const std::string& kernel, const std::string& parameter);
  bool add_local(PyObject* object);
  bool add_record(PyObject* object, const std::string& parameter);
  bool add_python_number(PyObject* object, const std::string& parameter);
  bool add_numpy_number(PyObject* object, const std::string& parameter);
  bool add_foreign_usm(PyObject* object);
  bool add_host_array(PyObject* object, const std::string& parameter);
  launch::Argument& append(launch::ArgumentKind kind, DType dtype);

  std::vector<launch::Argument> arguments_;
  std::vector<uint64_t> nesting_;
  std::vector<std::unique_ptr<HostArray>> hosts_;
  std::vector<std::unique_ptr<ForeignUsm>> foreign_;
  std::vector<std::unique_ptr<Array>> imported_;
};

}  // namespace hither::python
