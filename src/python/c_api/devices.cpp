// Devices and contexts.
#include <fmt/format.h>
#include <hither/context.h>
#include <hither/device.h>
#include <hither/native.h>

#include "python/c_api/handles.h"

namespace hither::python::c_api {
namespace {

static_assert(HITHER_CPU == static_cast<int>(DeviceType::kCpu));
static_assert(HITHER_ACCELERATOR == static_cast<int>(DeviceType::kAccelerator));

Aspect c_api_aspect(const char* name) {
  if (!name) refuse_null("the aspect");
  for (int i = 0; i < kAspectCount; ++i)
    if (name_of(static_cast<Aspect>(i)) == name) return static_cast<Aspect>(i);
  throw Error(ErrorKind::kValue, "device_has",
              fmt::format("\"{}\" is not an aspect of SYCL", name));
}

int64_t device_number(const Device& device, const char* name) {
  if (!name) refuse_null("the name");
  const InfoValue value = device.info(name);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  throw Error(ErrorKind::kType, "device_info", fmt::format("{} is not a number", name));
}

void list_devices(hither_device** out, size_t room, size_t* count) {
  if (!count || (room > 0 && !out)) refuse_null("the output pointer");
  const std::vector<Device> all = Device::all();
  for (size_t i = 0; i < all.size() && i < room; ++i) give(&out[i], all[i]);
  *count = all.size();
}

Context context_for(const hither_device* const* devices, size_t count) {
  if (count > 0 && !devices) refuse_null("devices");
  std::vector<Device> list;
  for (size_t i = 0; i < count; ++i) list.push_back(of(devices[i]));
  return Context(list);
}

void fill_contexts(hither_table& t) {
  t.context_default = [](const hither_device* device, hither_context** out) {
    return status_of([&] { give(out, Context::default_for(of(device))); });
  };
  t.context_create = [](const hither_device* const* devices, size_t count, hither_context** out) {
    return status_of([&] { give(out, context_for(devices, count)); });
  };
  t.context_equal = [](const hither_context* a, const hither_context* b) -> int {
    return a && b && of(a) == of(b);
  };
  t.context_native = [](const hither_context* context, const void** out) {
    return status_of([&] {
      if (!out) refuse_null("the output pointer");
      *out = native_context(of(context));
    });
  };
  t.context_adopt_native = [](const void* native, hither_context** out) {
    return status_of([&] {
      if (!native) refuse_null("the sycl::context");
      give(out, adopt_native_context(native));
    });
  };
  t.context_share = share<hither_context>;
  t.context_release = release<hither_context>;
}

}  // namespace

void fill_devices(hither_table& t) {
  t.device_select = [](const char* filter, hither_device** out) {
    return status_of(
        [&] { give(out, filter ? Device::select(filter) : Device::select_default()); });
  };
  t.device_list = [](hither_device** out, size_t room, size_t* count) {
    return status_of([&] { list_devices(out, room, count); });
  };
  t.device_filter_string = [](const hither_device* device) {
    return device ? of(device).filter_string().c_str() : "";
  };
  t.device_type = [](const hither_device* device) {
    return device ? static_cast<hither_device_type>(of(device).type()) : -1;
  };
  t.device_has = [](const hither_device* device, const char* aspect, int* out) {
    return status_of([&] {
      const bool has = of(device).has(c_api_aspect(aspect));
      if (!out) refuse_null("the output pointer");
      *out = has;
    });
  };
  t.device_info = [](const hither_device* device, const char* name, int64_t* out) {
    return status_of([&] {
      const int64_t number = device_number(of(device), name);
      if (!out) refuse_null("the output pointer");
      *out = number;
    });
  };
  t.device_equal = [](const hither_device* a, const hither_device* b) -> int {
    return a && b && of(a) == of(b);
  };
  t.device_share = share<hither_device>;
  t.device_release = release<hither_device>;
  fill_contexts(t);
}

}  // namespace hither::python::c_api
