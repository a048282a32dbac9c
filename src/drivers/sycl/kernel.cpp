#include "drivers/sycl/kernel.h"

#include <algorithm>
#include <cstring>

#include "drivers/sycl/cached_binary.h"
#include "drivers/sycl/checked.h"
#include "process/exit_gate.h"

namespace hither::drivers::sycl {
namespace {

namespace experimental = ::sycl::ext::oneapi::experimental;
using target::Parameter;

void* pointer_in(const std::byte* slot) noexcept {
  uintptr_t address;
  std::memcpy(&address, slot, sizeof address);
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void set_local(::sycl::handler& handler, int index, const std::byte* slot) {
  int64_t bytes;
  std::memcpy(&bytes, slot, sizeof bytes);
  const ::sycl::range<1> size(static_cast<size_t>(std::max<int64_t>(bytes, 1)));
  handler.set_arg(index, ::sycl::local_accessor<std::byte, 1>(size, handler));
}

void set_arguments(::sycl::handler& handler, const target::Signature& signature,
                   std::span<const std::byte> arguments, void* report) {
  int index = 0;
  const std::byte* slot = arguments.data();
  for (const Parameter parameter : signature.parameters) {
    const size_t bytes = size_of(parameter);
    if (parameter == Parameter::kPointer)
      handler.set_arg(index, pointer_in(slot));
    else if (parameter == Parameter::kLocalBytes)
      set_local(handler, index, slot);
    else
      handler.set_arg(index, experimental::raw_kernel_arg(slot, bytes));
    slot += (bytes + 7) / 8 * 8;
    ++index;
  }
  if (report) handler.set_arg(index, report);
}

/// Returns `sizes` in SYCL's order, whose last dimension is contiguous, for a kernel that uses
/// `known` dimensions. These are reversed on the device: the kernel's last one is the device's
/// dimension 0. Dimensions that the launch lacks are 1; further ones keep the device's order.
template <int n>
::sycl::range<n> arranged(const int64_t* sizes, int launched, int known) {
  ::sycl::range<n> range;
  for (int d = 0; d < n; ++d) range[d] = 1;
  for (int d = 0; d < launched; ++d) {
    const int at = d < known ? n - known + d : n - 1 - d;
    range[at] = static_cast<size_t>(sizes[d]);
  }
  return range;
}

template <int n>
void launch_over(::sycl::handler& handler, const SyclKernel& kernel, const NdRange& range) {
  const int launched = range.global.dimensions;
  const int known = kernel.image->dimensions;
  const auto global = arranged<n>(range.global.size, launched, known);
  if (range.local[0] == 0) return handler.parallel_for(global, kernel.native);
  const auto local = arranged<n>(range.local, launched, known);
  handler.parallel_for(::sycl::nd_range<n>(global, local), kernel.native);
}

}  // namespace

::sycl::kernel build(const ::sycl::context& context, const std::vector<::sycl::device>& devices,
                     const target::CodeImage& image) {
  const process::InsideLibrary inside;
  const auto* const begin = reinterpret_cast<const std::byte*>(image.bytes.data());
  std::string log;
  const auto build_with = [&](const std::string& option) {
    const CachedBinary kept(context, devices, image, option);
    if (auto known = kept.load()) return *known;
    log.clear();
    const std::vector<std::string> options(option.empty() ? 0 : 1, option);
    auto source = experimental::create_kernel_bundle_from_source(
        context, experimental::source_language::spirv,
        std::vector<std::byte>(begin, begin + image.bytes.size()));
    auto bundle = experimental::build(source, devices,
                                      experimental::properties{experimental::build_options(options),
                                                               experimental::save_log(&log)});
    return kept.store_and_load(bundle.ext_oneapi_get_kernel(image.entry_name));
  };
  try {
    return build_with("-cl-fp32-correctly-rounded-divide-sqrt");
  } catch (const ::sycl::exception&) {
    log.clear();  // the device may not know the option; it may round so anyway
  }
  try {
    return build_with("");
  } catch (const ::sycl::exception& exception) {
    const Error error = error_of(exception, "load_kernel");
    throw Error(ErrorKind::kCompile, "load_kernel",
                "kernel " + image.entry_name + " was refused by the device's compiler: " +
                    error.message() + (log.empty() ? "" : "\n" + log),
                error.native_code());
  }
}

void launch(::sycl::handler& handler, const SyclKernel& kernel, const NdRange& range,
            std::span<const std::byte> arguments, void* report) {
  set_arguments(handler, kernel.image->signature, arguments, report);
  switch (std::max(range.global.dimensions, kernel.image->dimensions)) {
    case 1:
      return launch_over<1>(handler, kernel, range);
    case 2:
      return launch_over<2>(handler, kernel, range);
    default:
      return launch_over<3>(handler, kernel, range);
  }
}

}  // namespace hither::drivers::sycl
