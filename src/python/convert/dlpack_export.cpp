// Export of an array's memory by DLPack.
// https://dmlc.github.io/dlpack/latest/python_spec.html
#include <memory>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/stream.h>
#include <nanobind/stl/pair.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/dlpack.h"
#include "python/convert/dlpack_type.h"
#include "python/interpreter/shown.h"

namespace hither::python {
namespace {

using dlpack::pair_argument;
using dlpack::refuse;
using dlpack::to_dlpack;

// An exported tensor, with the shape and strides that it points to. Destroying the Array needs no
// GIL.
template <typename Managed>
struct Exported {
  Managed managed{};
  Array array;
  Dims shape, strides;
};

// The consumer of a tensor: the device that the tensor states, and the stream.
struct Consumer {
  dlpack::Device device;
  CudaStream stream;
};

// The consumer uses a queue of its own, which is unknown here. The host waits for pending work.
void* lend_to_sycl(const Array& x) {
  Device root = x.device();
  while (const auto parent = root.parent()) root = *parent;
  if (!(x.queue().context() == Context::default_for(root)))
    refuse(
        "the array's context is not the platform's default context, which consumers of DLPack "
        "use; __sycl_usm_array_interface__ names the context, and dl_device=(1, 0) exports to "
        "the host");
  void* const data = x.data();
  x.synchronize();
  return data;
}

void* address_for(const Array& x, const Consumer& consumer) {
  ReleaseGil unlocked(x.size());
  if (consumer.device.device_type == dlpack::kCpu) return x.host_data();
  if (consumer.device.device_type == dlpack::kOneApi) return lend_to_sycl(x);
  return lend(x, consumer.stream);
}

template <typename Managed>
Managed* export_tensor(const Array& x, const Consumer& consumer) {
  auto exported = std::make_unique<Exported<Managed>>();
  exported->array = x;
  exported->shape = x.shape();
  exported->strides = x.strides();
  dlpack::Tensor& tensor = exported->managed.tensor;
  tensor.data = address_for(x, consumer);
  tensor.device = consumer.device;
  tensor.ndim = x.ndim();
  tensor.dtype = to_dlpack(x.dtype());
  tensor.shape = exported->shape.begin();
  tensor.strides = exported->strides.begin();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

// Deletes the tensor of a capsule that was not consumed.
template <typename Managed>
void drop_unused(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter) managed->deleter(managed);
}

template <typename Managed>
nb::object capsule(Managed* managed, const char* name, PyCapsule_Destructor destructor) {
  nb::object object = nb::steal(PyCapsule_New(managed, name, destructor));
  if (!object.is_valid()) {
    managed->deleter(managed);
    throw nb::python_error();
  }
  return object;
}

nb::object legacy_capsule(const Array& x, const Consumer& consumer) {
  if (x.is_read_only()) {
    refuse("the array is read-only, which needs max_version=(1, 0) or later, or copy=True");
  }
  return capsule(export_tensor<dlpack::ManagedTensor>(x, consumer), dlpack::kName,
                 [](PyObject* c) { drop_unused<dlpack::ManagedTensor>(c, dlpack::kName); });
}

dlpack::ManagedTensorVersioned* export_versioned(const Array& x, const Consumer& consumer,
                                                 bool copied) {
  auto* managed = export_tensor<dlpack::ManagedTensorVersioned>(x, consumer);
  managed->version = {dlpack::kMajorVersion, dlpack::kMinorVersion};
  managed->flags = (x.is_read_only() ? dlpack::kReadOnly : 0) | (copied ? dlpack::kIsCopied : 0);
  return managed;
}

nb::object versioned_capsule(const Array& x, const Consumer& consumer, bool copied) {
  return capsule(export_versioned(x, consumer, copied), dlpack::kVersionedName, [](PyObject* c) {
    drop_unused<dlpack::ManagedTensorVersioned>(c, dlpack::kVersionedName);
  });
}

dlpack::Device device_of(const Array& x) {
  const auto number = cuda_number(x.device());
  if (!number) {
    if (const auto known = sycl_number(x.device())) return {dlpack::kOneApi, *known};
    if (x.device().type() == DeviceType::kCpu) return {dlpack::kCpu, 0};
    refuse(fmt::format("{} has no DLPack device type here; hither.asnumpy(x) copies to the host",
                       x.device().filter_string()));
  }
  switch (x.usm_type()) {
    case UsmType::kDevice:
      return {dlpack::kCuda, *number};
    case UsmType::kShared:
      return {dlpack::kCudaManaged, *number};
    default:
      return {dlpack::kCudaHost, 0};
  }
}

// Checks a SYCL consumer's queue. It needs no ordering, because the host waits.
CudaStream queue_argument(nb::handle stream) {
  int64_t number = 0;
  const bool none = stream.is_none() || (nb::try_cast(stream, number) && number == -1);
  if (!none && !nb::hasattr(stream, "_get_capsule"))
    throw Error(ErrorKind::kType, "stream", "is neither None nor a queue of SYCL");
  return std::nullopt;
}

// x on the requested device: x itself if that device can access its memory, or a copy on the host.
// Nothing for other devices.
std::optional<Array> brought_to(const Array& x, const dlpack::Device& wanted,
                                std::optional<bool> copy) {
  const dlpack::Device own = device_of(x);
  if (wanted == own) return x;
  const bool visible = x.usm_type() != UsmType::kDevice || x.device().type() == DeviceType::kCpu;
  if (wanted.device_type == dlpack::kCuda && visible && cuda_number(x.device()) == wanted.device_id)
    return x;
  if (!(wanted == dlpack::Device{dlpack::kCpu, 0})) return std::nullopt;
  if (visible) return x;
  if (copy == false) refuse("copy=False, but the host cannot access the memory");
  ReleaseGil unlocked;
  return to_queue(x, {Queue::default_for(Device::select("native_cpu")), UsmType::kHost});
}

}  // namespace

nb::object export_dlpack(const Array& x, nb::handle stream, nb::handle max_version,
                         nb::handle dl_device, nb::handle copy_argument) {
  Consumer consumer{device_of(x), {}};
  const bool versioned =
      !max_version.is_none() && pair_argument(max_version, "max_version").first >= 1;
  std::optional<bool> copied;
  if (!copy_argument.is_none()) {
    bool given = false;
    if (!nb::try_cast(copy_argument, given))
      throw Error(ErrorKind::kType, "copy", shown(copy_argument) + " is neither a bool nor None");
    copied = given;
  }
  Array source = x;
  if (!dl_device.is_none()) {
    const auto [type, number] = pair_argument(dl_device, "dl_device");
    consumer.device = {type, number};
    const auto found = brought_to(x, consumer.device, copied);
    if (!found)
      refuse(
          fmt::format("dl_device=({}, {}) is not supported; hither exports to the array's device "
                      "and to the CPU, (1, 0)",
                      type, number));
    source = *found;
  }
  const bool moved = source.storage() != x.storage();
  if (copied == true && !moved) source = unlocked([&] { return copy(source); });
  consumer.stream = consumer.device.device_type == dlpack::kOneApi
                        ? queue_argument(stream)
                        : cuda_stream_argument(stream, consumer.device.device_type != dlpack::kCpu);
  // A consumer that may read on the host and gives no stream does not wait: the host waits here.
  const bool on_device = consumer.device.device_type == dlpack::kCuda ||
                         consumer.device.device_type == dlpack::kOneApi;
  if (!on_device && stream.is_none()) {
    ReleaseGil unlocked(source.size());
    (void)source.host_data();
  }
  return versioned ? versioned_capsule(source, consumer, copied == true || moved)
                   : legacy_capsule(source, consumer);
}

nb::tuple dlpack_device(const Array& x) {
  const dlpack::Device device = device_of(x);
  return nb::make_tuple(device.device_type, device.device_id);
}

dlpack::ManagedTensorVersioned* export_dlpack_tensor(const Array& x) {
  return export_versioned(x, {device_of(x), CudaStream(nullptr)}, false);
}

dlpack::Tensor view_dlpack_tensor(const Array& x) {
  const dlpack::Device device = device_of(x);
  dlpack::Tensor tensor{};
  tensor.data = address_for(x, {device, CudaStream(nullptr)});
  tensor.device = device;
  tensor.ndim = x.ndim();
  tensor.dtype = to_dlpack(x.dtype());
  tensor.shape = const_cast<int64_t*>(x.shape().begin());  // owned by x, as the memory is
  tensor.strides = const_cast<int64_t*>(x.strides().begin());
  return tensor;
}

}  // namespace hither::python
