// __sycl_usm_array_interface__: how SYCL libraries of Python hand arrays to each other without a
// copy.
#pragma once

#include <cstdint>
#include <optional>

#include <hither/dims.h>
#include <hither/dtype.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

inline constexpr const char* kUsmInterfaceName = "__sycl_usm_array_interface__";

/// Another library's array, checked. Owns nothing but `owner`.
struct UsmView {
  void* data = nullptr;  ///< the element at index 0, 0, ...: offset is applied
  bool read_only = false;
  Dims shape;
  Dims strides;  ///< in elements, may be negative or 0
  DType dtype = DType::kUInt8;
  Queue queue;  ///< of syclobj; a context or a device gives the default queue in it
  UsmType usm_type = UsmType::kDevice;
  nb::object owner;  ///< keeps the memory alive: the object, or the memoryview that was taken
};

/// Reads and checks the interface of `object`, which must have it. A field that is missing,
/// ill-typed or inconsistent, and a version other than 1, is Error kType or kValue and names the
/// field. Without `data` the buffer protocol is used. Error kBuffer if the memory is not bound to
/// the context of syclobj.
UsmView read_usm_interface(nb::handle object);

/// The dict for hither's memory: shape, typestr, data, strides (None if C-contiguous), offset 0,
/// version 1, syclobj (the queue). `data` is the address of the first element. Does not wait.
nb::dict make_usm_interface(void* data, bool read_only, const Dims& shape, const Dims& strides,
                            DType dtype, nb::handle queue);

/// The queue of a syclobj: a Queue; a Context, on its only device or on the device that owns the
/// memory at `address`; a Device or a filter string of a root device; a capsule "SyclQueueRef" or
/// "SyclContextRef", of hither or of another library on the same SYCL runtime; objects of dpctl, by
/// their attributes. Error kType, kValue or kBuffer names syclobj.
Queue syclobj_queue(nb::handle syclobj, const void* address = nullptr);

/// Capsules for other libraries: "SyclQueueRef" and "SyclContextRef" with a pointer to the SYCL
/// object, as dpctl has them. For other back ends "hither.QueueRef" and "hither.ContextRef" with a
/// Queue* and a Context*. They keep the object alive.
nb::object queue_capsule(const Queue& queue);
nb::object context_capsule(const Context& context);

/// The content of such a capsule, or of the one that _get_capsule() of the object returns. Empty
/// for other objects and other capsules. A context of one device stands for its default queue.
std::optional<Queue> capsule_queue(nb::handle object);
std::optional<Context> capsule_context(nb::handle object);

}  // namespace hither::python
