#include "python/convert/cuda_interface.h"

#include <cstdint>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/stream.h>
#include <hither/strides.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_import.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/interface_fields.h"
#include "python/interpreter/foreign_owner.h"

namespace hither::python {
namespace {

void* pointer_of(int64_t number) noexcept {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

// In elements; the interface counts bytes.
Dims read_strides(const InterfaceFields& fields, const Dims& shape, int64_t item) {
  Dims strides = fields.strides(shape, item);
  for (int i = 0; i < strides.size(); ++i) {
    if (shape[i] > 1 && strides[i] % item != 0)
      fields.refuse("strides", fmt::format("{} is not a multiple of the element's {} bytes",
                                           strides[i], item));
    strides[i] /= item;
  }
  return strides;
}

// Null if there is no stream to wait for. In version 2 a missing stream is the default stream.
void* read_stream(const InterfaceFields& fields, int64_t version) {
  nb::object given = fields.optional("stream");
  if (given.is_none()) return version < 3 ? pointer_of(1) : nullptr;
  const int64_t number = fields.integer(given, "stream");
  if (number == 0)
    fields.refuse("stream",
                  "0 is ambiguous; 1 is the legacy default stream, 2 the per-thread "
                  "default stream");
  return pointer_of(number);
}

// The device that owns both addresses, according to CUDA.
Device device_of(const char* first, const char* last) {
  for (const Device& device : Device::all()) {
    if (!cuda_number(device)) continue;
    const Context context = Context::default_for(device);
    const auto info = pointer_info(first, context);
    if (info && pointer_info(last, context)) return info->device;
  }
  throw Error(ErrorKind::kBuffer, fmt::format("{}['data']", kCudaInterfaceName),
              fmt::format("the address {} is not memory of a CUDA device that hither has",
                          fmt::ptr(first)));
}

Device any_device() {
  for (const Device& device : Device::all())
    if (cuda_number(device)) return device;
  throw Error(ErrorKind::kUnsupported, kCudaInterfaceName, "hither has no CUDA device here");
}

}  // namespace

CudaStream cuda_stream_argument(nb::handle stream, bool on_cuda) {
  if (stream.is_none()) return nullptr;
  int64_t number = 0;
  if (nb::isinstance<nb::bool_>(stream) || !nb::try_cast(stream, number))
    throw Error(ErrorKind::kType, "stream", "is neither None nor an int");
  if (number == -1) return std::nullopt;
  if (!on_cuda)
    throw Error(ErrorKind::kValue, "stream",
                fmt::format("is {}, but host memory has no streams; leave it out", number));
  if (number <= 0)
    throw Error(ErrorKind::kValue, "stream",
                fmt::format("{} is not a stream: 1 is CUDA's legacy default stream, 2 the "
                            "per-thread default stream, -1 makes the host wait",
                            number));
  return pointer_of(number);
}

void* lend(const Array& x, CudaStream stream) {
  return stream ? lend_to_stream(x, *stream) : lend_when_ready(x);
}

bool is_foreign_cuda_array(PyObject* object) {
  static const bool has_cuda = [] {
    for (const Device& device : Device::all())
      if (cuda_number(device)) return true;
    return false;
  }();
  return has_cuda && !is_array(object) && offers(object, kCudaInterfaceName);
}

Array import_cuda_array(nb::handle object) {
  if (nb::hasattr(object, "__dlpack__")) return import_dlpack(object, std::nullopt, std::nullopt);
  const InterfaceFields fields(kCudaInterfaceName, object.attr(kCudaInterfaceName));
  const int64_t version = fields.version();
  if (version < 2 || version > 3)
    fields.refuse("version", fmt::format("{} is unknown; hither reads 2 and 3", version));
  if (!fields.optional("mask").is_none())
    fields.refuse("mask", "hither's arrays have no masks; fill the masked elements first");
  const DType dtype = fields.dtype("descr");
  const int64_t item = size_of(dtype);
  const Dims shape = fields.shape();
  const Dims strides = read_strides(fields, shape, item);
  const auto [first, read_only] = fields.data(fields.required("data"));
  void* const stream = read_stream(fields, version);
  const auto reach = reach_of(shape, strides, item, item);
  int64_t bytes = 0;
  if (!reach || __builtin_sub_overflow(reach->high, reach->low, &bytes))
    fields.refuse("strides", "reach beyond 64 bits");
  const char* const low = first + reach->low;
  const Queue queue =
      Queue::default_for(bytes == 0 ? any_device() : device_of(low, low + bytes - 1));
  if (bytes > 0) fields.check_alignment(first, dtype, "data");
  const auto info = pointer_info(low, queue.context());
  const Memory memory = foreign_memory(queue, const_cast<char*>(low), static_cast<size_t>(bytes),
                                       info ? info->type : UsmType::kDevice,
                                       std::make_unique<ObjectOwner>(nb::borrow(object)));
  const Array x = from_memory(memory, -reach->low, shape, strides, dtype, queue, read_only);
  borrowed_from_stream(x, stream);
  return x;
}

nb::dict make_cuda_interface(const Array& x) {
  nb::dict fields;
  nb::object strides = nb::none();
  if (!is_contiguous(x.shape(), x.strides())) {
    strides = to_tuple(x.strides(), x.itemsize());
  }
  void* const data = unlocked([&] { return lend_to_stream(x, nullptr); });
  fields["shape"] = to_tuple(x.shape());
  fields["typestr"] = typestr(x.dtype());
  fields["data"] =
      nb::make_tuple(x.size() == 0 ? 0 : reinterpret_cast<uintptr_t>(data), x.is_read_only());
  fields["strides"] = strides;
  fields["version"] = 3;
  fields["stream"] = 1;  // the legacy default stream waits for pending work
  return fields;
}

}  // namespace hither::python
