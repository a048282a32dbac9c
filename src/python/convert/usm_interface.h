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

/// An array of someone else, checked. Non-owning but for `owner`.
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

/// Reads and checks the interface of `object`, which must have it. Every field that is missing,
/// ill-typed or inconsistent gives an Error kType or kValue that names it, as does a version other
/// than 1. Without `data` the buffer protocol is used. kBuffer when the memory is not bound to
/// syclobj's context.
UsmView read_usm_interface(nb::handle object);

/// The dict for memory of ours: shape, typestr, data, strides (None when C-contiguous), offset 0,
/// version 1, syclobj (the queue). `data` is the address of the first element; nothing is waited
/// for.
nb::dict make_usm_interface(void* data, bool read_only, const Dims& shape, const Dims& strides,
                            DType dtype, nb::handle queue);

/// The queue that a syclobj means: a Queue; a Context, on its only device or on the one that the
/// memory at `address` belongs to; a Device or a filter string of a root device; a capsule
/// "SyclQueueRef" or "SyclContextRef", of hither or of another library on the same SYCL runtime;
/// objects of dpctl by what they offer. Error kType, kValue or kBuffer names syclobj.
Queue syclobj_queue(nb::handle syclobj, const void* address = nullptr);

/// Capsules for other libraries: "SyclQueueRef" and "SyclContextRef" with SYCL's own object, as
/// dpctl has them; "hither.QueueRef" and "hither.ContextRef" with a Queue* and Context* where the
/// back end is not SYCL's. They keep the object alive.
nb::object queue_capsule(const Queue& queue);
nb::object context_capsule(const Context& context);

/// What is in such a capsule, or in the one that the object's _get_capsule() gives; empty for
/// objects without, and where the capsule is of another kind. A context of one device stands for
/// its queue.
std::optional<Queue> capsule_queue(nb::handle object);
std::optional<Context> capsule_context(nb::handle object);

}  // namespace hither::python
