// Conversion of a kernel's Python arguments to launch::Argument.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "launch/argument.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The arguments of one call. Borrows the objects, and owns the buffers and views taken from them.
/// Needs the GIL, also to destroy.
class KernelArguments {
 public:
  explicit KernelArguments(size_t count) { arguments_.reserve(count); }
  KernelArguments(const KernelArguments&) = delete;
  KernelArguments& operator=(const KernelArguments&) = delete;

  /// Adds one: a Python or NumPy number, a record, a hither array, an object with
  /// __sycl_usm_array_interface__ or the buffer protocol, a LocalAccessor, or a tuple of these.
  /// Error kType for other objects, naming `parameter` of `kernel`.
  void add(PyObject* object, const std::string& kernel, const std::string& parameter);

  /// All arguments, with tuples flattened.
  std::span<const launch::Argument> span() const noexcept { return arguments_; }
  /// The nesting of the tuples; empty without tuples.
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
