// Import of other libraries' memory by DLPack.
// https://dmlc.github.io/dlpack/latest/python_spec.html
#include <memory>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/stream.h>
#include <hither/strides.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/array_import.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/current_queue.h"
#include "python/convert/dlpack.h"
#include "python/convert/dlpack_type.h"
#include "python/interpreter/foreign_owner.h"

namespace hither::python {
namespace {

using dlpack::from_dlpack;
using dlpack::pair_argument;
using dlpack::refuse;

template <typename Managed>
class TensorOwner : public ForeignOwner {
 public:
  explicit TensorOwner(Managed* managed) : managed_(managed) {}
  TensorOwner(const TensorOwner&) = delete;
  TensorOwner& operator=(const TensorOwner&) = delete;
  ~TensorOwner() override {
    if (managed_->deleter) managed_->deleter(managed_);
  }

 private:
  Managed* managed_;
};

// `stream`: the importing queue's stream, before whose work the producer's must run; null without
// one.
nb::object request_capsule(nb::handle object, std::optional<bool> copy, void* stream) {
  nb::object method = object.attr("__dlpack__");
  nb::dict old;  // keywords for producers older than DLPack 1.0
  if (stream) old["stream"] = reinterpret_cast<uintptr_t>(stream);
  nb::dict keywords = nb::borrow<nb::dict>(old.attr("copy")());
  keywords["max_version"] = nb::make_tuple(dlpack::kMajorVersion, dlpack::kMinorVersion);
  if (copy) keywords["copy"] = *copy;
  try {
    return method(**keywords);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return method(**old);
}

// A CPU device that is not SYCL's. Host memory is not USM of a SYCL device.
bool is_of_the_host(const Queue& queue) {
  return queue.device().type() == DeviceType::kCpu && !sycl_number(queue.device());
}

Queue host_queue(const std::optional<Queue>& wanted) {
  if (wanted && is_of_the_host(*wanted)) return *wanted;
  const Queue usual = resolve_queue(nb::none());
  return is_of_the_host(usual) ? usual : Queue::default_for(Device::select("native_cpu"));
}

// A queue in the default context, which all libraries share.
Queue cuda_queue(int number, const std::optional<Queue>& wanted) {
  const auto device = cuda_device(number);
  if (!device) refuse(fmt::format("hither has no CUDA device {} here", number));
  if (wanted && wanted->device() == *device && wanted->context() == Context::default_for(*device))
    return *wanted;
  return Queue::default_for(*device);
}

// Where a tensor's memory is.
struct Place {
  Queue queue;
  UsmType usm_type;
};

// DLPack states the number of a oneAPI device, but the address alone identifies the device.
Place place_of_usm(const void* data) {
  for (const Device& device : Device::all()) {
    if (device.backend() != Backend::kOpenCl && device.backend() != Backend::kLevelZero) continue;
    const auto info = pointer_info(data, Context::default_for(device));
    if (info) return {Queue::default_for(device), info->type};
  }
  refuse("the memory is not USM of a SYCL device that hither has; move it to the host first");
}

Place place_on_sycl(int number) {
  for (const Device& device : Device::all())
    if (sycl_number(device) == number) return {Queue::default_for(device), UsmType::kDevice};
  refuse(fmt::format("hither has no SYCL device {} here", number));
}

Place place_of(const dlpack::Tensor& tensor, const std::optional<Queue>& wanted) {
  switch (tensor.device.device_type) {
    case dlpack::kCpu:
      return {host_queue(wanted), UsmType::kHost};
    case dlpack::kCudaHost:  // pinned: a GPU that is asked for can access it
      if (wanted && cuda_number(wanted->device())) return {*wanted, UsmType::kHost};
      return {host_queue(wanted), UsmType::kHost};
    case dlpack::kCuda:
      return {cuda_queue(tensor.device.device_id, wanted), UsmType::kDevice};
    case dlpack::kCudaManaged:
      return {cuda_queue(tensor.device.device_id, wanted), UsmType::kShared};
    case dlpack::kOneApi:
      return place_of_usm(tensor.data);
    default:
      refuse(fmt::format(
          "memory of DLPack device type {} cannot be imported; move it to the host first",
          tensor.device.device_type));
  }
}

// Checks with CUDA that the producer's address is memory of the device.
void check_address(const void* first, int64_t bytes, const Queue& queue) {
  if (bytes == 0 || !cuda_number(queue.device())) return;
  const auto* const last = static_cast<const char*>(first) + bytes - 1;
  for (const void* address : {first, static_cast<const void*>(last)})
    if (!pointer_info(address, queue.context()))
      refuse(fmt::format("the address {} is not memory of {}", fmt::ptr(address),
                         queue.device().filter_string()));
}

Dims shape_of(const dlpack::Tensor& tensor) {
  if (tensor.ndim < 0 || tensor.ndim > kMaxRank)
    refuse(fmt::format("{} dimensions; an array may have 0 to {}", tensor.ndim, kMaxRank));
  if (tensor.ndim == 0) return {};
  if (!tensor.shape) refuse(fmt::format("{} dimensions, but no shape", tensor.ndim));
  const Dims shape(std::span(tensor.shape, static_cast<size_t>(tensor.ndim)));
  element_count(shape);
  return shape;
}

// The address of the first element. The other elements are within `reach` bytes of it.
char* first_of(const dlpack::Tensor& tensor, const Reach& reach, bool is_empty) {
  const auto base = reinterpret_cast<uintptr_t>(tensor.data);
  uintptr_t first = 0;
  int64_t end = 0;
  // User memory of 64-bit processors and of GPUs has addresses of at most 56 bits.
  constexpr int64_t kAddressEnd = int64_t{1} << 56;
  if (__builtin_add_overflow(base, tensor.byte_offset, &first) || first > kAddressEnd ||
      __builtin_add_overflow(static_cast<int64_t>(first), reach.high, &end) || end > kAddressEnd ||
      static_cast<int64_t>(first) + reach.low < 0)
    refuse(fmt::format("data {} plus byte_offset {} is outside the address space",
                       fmt::ptr(tensor.data), tensor.byte_offset));
  if (!is_empty && !tensor.data) refuse("the tensor has elements, but its data is null");
  return reinterpret_cast<char*>(first);  // NOLINT(performance-no-int-to-ptr)
}

Array adopt(const dlpack::Tensor& tensor, std::unique_ptr<ForeignOwner> owner, bool read_only,
            const std::optional<Queue>& wanted, void* stream) {
  const DType dtype = from_dlpack(tensor.dtype);
  const Dims shape = shape_of(tensor);
  const Dims strides = !shape.empty() && tensor.strides
                           ? Dims(std::span(tensor.strides, static_cast<size_t>(tensor.ndim)))
                           : contiguous_strides(shape);
  const int64_t itemsize = size_of(dtype);
  const auto reach = reach_of(shape, strides, itemsize, itemsize);
  int64_t bytes;
  if (!reach || __builtin_sub_overflow(reach->high, reach->low, &bytes))
    refuse("the strides reach beyond 64 bits");
  char* const first = first_of(tensor, *reach, bytes == 0);
  if (reinterpret_cast<uintptr_t>(first) % static_cast<uintptr_t>(std::min<int64_t>(itemsize, 8)) !=
      0) {
    refuse("the memory is not aligned to its elements; copy it first");
  }
  const auto [queue, usm_type] = place_of(tensor, wanted);
  check_address(first + reach->low, bytes, queue);
  const Memory memory = foreign_memory(queue, first + reach->low, static_cast<size_t>(bytes),
                                       usm_type, std::move(owner));
  const Array x = from_memory(memory, -reach->low, shape, strides, dtype, queue, read_only);
  if (cuda_number(queue.device())) borrowed_from_stream(x, stream);
  return x;
}

// The producer's __dlpack_device__(); (0, 0) without one.
dlpack::Device device_of(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack_device__")) return {};
  const auto [type, number] =
      pair_argument(object.attr("__dlpack_device__")(), "__dlpack_device__()");
  return {type, number};
}

// Such objects are imported by their USM interface, which names the queue that orders pending work.
bool is_usm_of_oneapi(nb::handle object, const dlpack::Device& device) {
  return device.device_type == dlpack::kOneApi && is_foreign_usm_array(object.ptr());
}

// The queue that imports a tensor of a CUDA device; nothing for other devices.
std::optional<Queue> taking_queue(const dlpack::Device& device,
                                  const std::optional<Queue>& wanted) {
  if (device.device_type != dlpack::kCuda && device.device_type != dlpack::kCudaManaged)
    return std::nullopt;
  return cuda_queue(device.device_id, wanted);
}

Array adopt_versioned(dlpack::ManagedTensorVersioned* managed, const std::optional<Queue>& queue,
                      void* stream) {
  auto owner = std::make_unique<TensorOwner<dlpack::ManagedTensorVersioned>>(managed);
  if (managed->version.major != dlpack::kMajorVersion)
    refuse(fmt::format("version {} of the tensor is unknown", managed->version.major));
  return adopt(managed->tensor, std::move(owner), (managed->flags & dlpack::kReadOnly) != 0, queue,
               stream);
}

template <typename Managed>
Managed* consume(PyObject* capsule, const char* name, const char* used_name) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!managed || PyCapsule_SetName(capsule, used_name) != 0) throw nb::python_error();
  return managed;
}

}  // namespace

Array import_dlpack(nb::handle object, const std::optional<Queue>& queue,
                    std::optional<bool> copy) {
  const dlpack::Device device = device_of(object);
  if (is_usm_of_oneapi(object, device)) {
    Array found = import_usm_array(object);
    return copy == true ? unlocked([&] { return hither::copy(found); }) : found;
  }
  const std::optional<Queue> taking = taking_queue(device, queue);
  void* const stream = taking ? native_stream(*taking) : nullptr;
  // Producers export on the current CUDA device.
  const auto current = taking ? make_current(*taking) : nullptr;
  nb::object capsule = request_capsule(object, copy, stream);
  if (PyCapsule_IsValid(capsule.ptr(), dlpack::kVersionedName)) {
    using Managed = dlpack::ManagedTensorVersioned;
    auto* managed =
        consume<Managed>(capsule.ptr(), dlpack::kVersionedName, dlpack::kUsedVersionedName);
    return adopt_versioned(managed, queue, stream);
  }
  if (!PyCapsule_IsValid(capsule.ptr(), dlpack::kName)) {
    refuse("__dlpack__ returned no capsule of a tensor that is still to be consumed");
  }
  using Managed = dlpack::ManagedTensor;
  auto* managed = consume<Managed>(capsule.ptr(), dlpack::kName, dlpack::kUsedName);
  return adopt(managed->tensor, std::make_unique<TensorOwner<Managed>>(managed), false, queue,
               stream);
}

Array adopt_dlpack_tensor(dlpack::ManagedTensorVersioned* tensor) {
  return adopt_versioned(tensor, std::nullopt, nullptr);
}

Array empty_like_dlpack(const dlpack::Tensor& like) {
  dlpack::Tensor tensor = like;
  tensor.data = nullptr;
  const Dims shape = shape_of(tensor);
  const auto [queue, usm_type] = tensor.device.device_type == dlpack::kOneApi
                                     ? place_on_sycl(tensor.device.device_id)
                                     : place_of(tensor, std::nullopt);
  ReleaseGil unlocked;
  return empty(shape, from_dlpack(tensor.dtype), {queue, usm_type});
}

}  // namespace hither::python
