// DLPack in both directions.
// https://dmlc.github.io/dlpack/latest/python_spec.html
#include <memory>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/stream.h>
#include <hither/strides.h>
#include <nanobind/stl/pair.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/array_import.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/current_queue.h"
#include "python/convert/dlpack.h"
#include "python/interpreter/foreign_owner.h"
#include "python/interpreter/shown.h"

namespace hither::python {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::kBuffer, "DLPack", why); }

dlpack::DataType to_dlpack(DType dtype) {
  constexpr dlpack::TypeCode codes[] = {dlpack::kBool, dlpack::kInt, dlpack::kUInt, dlpack::kFloat,
                                        dlpack::kComplex};
  return {codes[static_cast<int>(kind_of(dtype))], static_cast<uint8_t>(8 * size_of(dtype)), 1};
}

DType from_dlpack(const dlpack::DataType& type) {
  for (int i = 0; i < kDTypeCount && type.lanes == 1; ++i) {
    const auto dtype = static_cast<DType>(i);
    const dlpack::DataType candidate = to_dlpack(dtype);
    if (candidate.code == type.code && candidate.bits == type.bits) return dtype;
  }
  refuse(fmt::format("arrays cannot hold elements of type code {}, {} bits, {} lanes", type.code,
                     type.bits, type.lanes));
}

// -- export

// The tensor that others read, with what it points to. The array's C++ handle needs no GIL to go.
template <typename Managed>
struct Exported {
  Managed managed{};
  Array array;
  Dims shape, strides;
};

// Who takes a tensor: the device that DLPack says it is on, and where the taker works.
struct Taker {
  dlpack::Device device;
  CudaStream stream;
};

// The taker makes a queue of its own, of which nothing is known: our work is waited for.
void* lend_to_sycl(const Array& x) {
  Device root = x.device();
  while (const auto parent = root.parent()) root = *parent;
  if (!(x.queue().context() == Context::default_for(root)))
    refuse(
        "the array's context is not the default one of its platform, which DLPack's takers use; "
        "__sycl_usm_array_interface__ names the context, and dl_device=(1, 0) goes to the host");
  void* const data = x.data();
  x.synchronize();
  return data;
}

void* address_for(const Array& x, const Taker& taker) {
  ReleaseGil unlocked(x.size());
  if (taker.device.device_type == dlpack::kCpu) return x.host_data();
  if (taker.device.device_type == dlpack::kOneApi) return lend_to_sycl(x);
  return lend(x, taker.stream);
}

template <typename Managed>
Managed* export_tensor(const Array& x, const Taker& taker) {
  auto exported = std::make_unique<Exported<Managed>>();
  exported->array = x;
  exported->shape = x.shape();
  exported->strides = x.strides();
  dlpack::Tensor& tensor = exported->managed.tensor;
  tensor.data = address_for(x, taker);
  tensor.device = taker.device;
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

// A capsule that nobody consumed returns the tensor itself.
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

nb::object legacy_capsule(const Array& x, const Taker& taker) {
  if (x.is_read_only()) {
    refuse("the array is read-only, which needs max_version=(1, 0) or later, or copy=True");
  }
  return capsule(export_tensor<dlpack::ManagedTensor>(x, taker), dlpack::kName,
                 [](PyObject* c) { drop_unused<dlpack::ManagedTensor>(c, dlpack::kName); });
}

dlpack::ManagedTensorVersioned* export_versioned(const Array& x, const Taker& taker, bool copied) {
  auto* managed = export_tensor<dlpack::ManagedTensorVersioned>(x, taker);
  managed->version = {dlpack::kMajorVersion, dlpack::kMinorVersion};
  managed->flags = (x.is_read_only() ? dlpack::kReadOnly : 0) | (copied ? dlpack::kIsCopied : 0);
  return managed;
}

nb::object versioned_capsule(const Array& x, const Taker& taker, bool copied) {
  return capsule(export_versioned(x, taker, copied), dlpack::kVersionedName, [](PyObject* c) {
    drop_unused<dlpack::ManagedTensorVersioned>(c, dlpack::kVersionedName);
  });
}

// -- import

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

// `stream`: that of ours which the producer's work has to come before, if it works in streams.
nb::object request_capsule(nb::handle object, std::optional<bool> copy, void* stream) {
  nb::object method = object.attr("__dlpack__");
  nb::dict old;  // what a producer older than DLPack 1.0 takes
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

// SYCL's CPUs have USM, which the host's memory is not.
bool is_of_the_host(const Queue& queue) {
  return queue.device().type() == DeviceType::kCpu && !sycl_number(queue.device());
}

Queue host_queue(const std::optional<Queue>& wanted) {
  if (wanted && is_of_the_host(*wanted)) return *wanted;
  const Queue usual = resolve_queue(nb::none());
  return is_of_the_host(usual) ? usual : Queue::default_for(Device::select("native_cpu"));
}

// One of the context that all libraries share.
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

// DLPack numbers oneAPI's devices, but their memory says itself where it is.
Place place_of_usm(const void* data) {
  for (const Device& device : Device::all()) {
    if (device.backend() != Backend::kOpenCl && device.backend() != Backend::kLevelZero) continue;
    const auto info = pointer_info(data, Context::default_for(device));
    if (info) return {Queue::default_for(device), info->type};
  }
  refuse("the tensor is USM of no SYCL device that hither has here; move it to the host first");
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
    case dlpack::kCudaHost:  // pinned: GPUs reach it too, where one is wanted
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
          "memory of DLPack device type {} is not reachable from here; move it to the host first",
          tensor.device.device_type));
  }
}

// The address is the producer's word; CUDA knows whether it can be true.
void check_address(const void* first, int64_t bytes, const Queue& queue) {
  if (bytes == 0 || !cuda_number(queue.device())) return;
  const auto* const last = static_cast<const char*>(first) + bytes - 1;
  for (const void* address : {first, static_cast<const void*>(last)})
    if (!pointer_info(address, queue.context()))
      refuse(fmt::format("the address {} is no memory of {}", fmt::ptr(address),
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

// The first element, from which its others are up to `reach` bytes away.
char* first_of(const dlpack::Tensor& tensor, const Reach& reach, bool is_empty) {
  const auto base = reinterpret_cast<uintptr_t>(tensor.data);
  uintptr_t first = 0;
  int64_t end = 0;
  // No user's memory is in the upper half of the addresses.
  if (__builtin_add_overflow(base, tensor.byte_offset, &first) || first > INT64_MAX ||
      __builtin_add_overflow(static_cast<int64_t>(first), reach.high, &end) ||
      static_cast<int64_t>(first) + reach.low < 0)
    refuse(fmt::format("data {} and byte_offset {} lead beyond what addresses reach",
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

// A pair of ints, as devices and versions are.
std::pair<int, int> pair_argument(nb::handle given, const char* name) {
  std::pair<int, int> pair;
  if (nb::try_cast(given, pair)) return pair;
  throw Error(ErrorKind::kType, name, shown(given) + " is no tuple of two ints");
}

// The device that a producer says its tensor is on; (0, 0) when it does not say.
dlpack::Device device_of(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack_device__")) return {};
  const auto [type, number] =
      pair_argument(object.attr("__dlpack_device__")(), "__dlpack_device__()");
  return {type, number};
}

// Its USM interface names the queue too, and so the order of pending work.
bool is_usm_of_oneapi(nb::handle object, const dlpack::Device& device) {
  return device.device_type == dlpack::kOneApi && is_foreign_usm_array(object.ptr());
}

// The queue that a producer's tensor is for, where its work is in streams.
std::optional<Queue> taking_queue(const dlpack::Device& device,
                                  const std::optional<Queue>& wanted) {
  if (device.device_type != dlpack::kCuda && device.device_type != dlpack::kCudaManaged)
    return std::nullopt;
  return cuda_queue(device.device_id, wanted);
}

// -- who takes a tensor of ours

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

// A taker's queue has nothing to wait for, since the host has waited.
CudaStream queue_argument(nb::handle stream) {
  int64_t number = 0;
  const bool none = stream.is_none() || (nb::try_cast(stream, number) && number == -1);
  if (!none && !nb::hasattr(stream, "_get_capsule"))
    throw Error(ErrorKind::kType, "stream", "is neither None nor a queue of SYCL");
  return std::nullopt;
}

// Where the asker wants it: as it is; seen from the host or the GPU in the same memory; or, copied,
// on the host. Nothing where that cannot be.
std::optional<Array> brought_to(const Array& x, const dlpack::Device& wanted,
                                std::optional<bool> copy) {
  const dlpack::Device own = device_of(x);
  if (wanted == own) return x;
  const bool visible = x.usm_type() != UsmType::kDevice || x.device().type() == DeviceType::kCpu;
  if (wanted.device_type == dlpack::kCuda && visible && cuda_number(x.device()) == wanted.device_id)
    return x;
  if (!(wanted == dlpack::Device{dlpack::kCpu, 0})) return std::nullopt;
  if (visible) return x;
  if (copy == false) refuse("copy=False, but the host does not reach the memory");
  ReleaseGil unlocked;
  return to_queue(x, {Queue::default_for(Device::select("native_cpu")), UsmType::kHost});
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

nb::object export_dlpack(const Array& x, nb::handle stream, nb::handle max_version,
                         nb::handle dl_device, nb::handle copy_argument) {
  Taker taker{device_of(x), {}};
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
    taker.device = {type, number};
    const auto found = brought_to(x, taker.device, copied);
    if (!found)
      refuse(
          fmt::format("dl_device=({}, {}) cannot be reached; hither exports to the device of "
                      "the array, and to the CPU, (1, 0)",
                      type, number));
    source = *found;
  }
  const bool moved = source.storage() != x.storage();
  if (copied == true && !moved) source = unlocked([&] { return copy(source); });
  taker.stream = taker.device.device_type == dlpack::kOneApi
                     ? queue_argument(stream)
                     : cuda_stream_argument(stream, taker.device.device_type != dlpack::kCpu);
  // Who may read on the host and names no stream does not wait for one.
  const bool on_device =
      taker.device.device_type == dlpack::kCuda || taker.device.device_type == dlpack::kOneApi;
  if (!on_device && stream.is_none()) {
    ReleaseGil unlocked(source.size());
    (void)source.host_data();
  }
  return versioned ? versioned_capsule(source, taker, copied == true || moved)
                   : legacy_capsule(source, taker);
}

nb::tuple dlpack_device(const Array& x) {
  const dlpack::Device device = device_of(x);
  return nb::make_tuple(device.device_type, device.device_id);
}

Array import_dlpack(nb::handle object, const std::optional<Queue>& queue,
                    std::optional<bool> copy) {
  const dlpack::Device device = device_of(object);
  if (is_usm_of_oneapi(object, device)) {
    Array found = import_usm_array(object);
    return copy == true ? unlocked([&] { return hither::copy(found); }) : found;
  }
  const std::optional<Queue> taking = taking_queue(device, queue);
  void* const stream = taking ? native_stream(*taking) : nullptr;
  // Producers export what is on their current device.
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

// -- for DLPack's table of C functions

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
  tensor.shape = const_cast<int64_t*>(x.shape().begin());  // the array's own, as is the memory
  tensor.strides = const_cast<int64_t*>(x.strides().begin());
  return tensor;
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
