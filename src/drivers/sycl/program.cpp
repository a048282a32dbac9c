// User kernels in OpenCL C, SPIR-V or SYCL C++: C functions that hither.sycl calls through ctypes
// with a sycl::queue*. After a failure hither_sycl_message() returns the message.
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CL/cl.h>
#include <hither/export.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/opencl_function.h"
#include "process/exit_gate.h"

namespace hither::drivers::sycl {
namespace {

namespace experimental = ::sycl::ext::oneapi::experimental;
using Bundle = ::sycl::kernel_bundle<::sycl::bundle_state::executable>;
using Texts = std::span<const char* const>;

enum Status : int { kDone, kFailed, kRefused, kUnknownName, kCannot };
enum Language : int64_t { kOpenClC, kSpirV, kSyclSource };

std::string& message() noexcept {
  static thread_local std::string text;
  return text;
}

struct Failure {
  Status status;
  std::string why;
};

template <class Call>
int guarded(Call&& call) noexcept {
  const process::InsideLibrary inside;
  try {
    std::forward<Call>(call)();
    return kDone;
  } catch (Failure& failure) {
    message() = std::move(failure.why);
    return failure.status;
  } catch (const std::exception& error) {
    message() = error.what();
    return kFailed;
  }
}

::sycl::queue& queue_at(void* queue) noexcept { return *static_cast<::sycl::queue*>(queue); }

/// The OpenCL functions that build OpenCL C. SYCL's interface for it needs Intel's ocloc.
struct OpenCl {
  decltype(&clCreateProgramWithSource) create;
  decltype(&clBuildProgram) build;
  decltype(&clGetProgramBuildInfo) info;
  decltype(&clCreateKernel) kernel;
  decltype(&clGetKernelInfo) kernel_info;
  decltype(&clSetKernelArg) set_argument;
  decltype(&clReleaseKernel) release_kernel;
  decltype(&clReleaseProgram) release;
  decltype(&clReleaseContext) release_context;
  decltype(&clReleaseDevice) release_device;

  static const OpenCl& process() {
    static const OpenCl* const found = [] {
      if (!opencl_function<decltype(clBuildProgram)>("clBuildProgram"))
        throw Failure{kCannot, "OpenCL C needs a device of OpenCL"};
      const auto find = []<class Function>(Function*& function, const char* name) {
        function = opencl_function<Function>(name);
        if (!function) throw Failure{kCannot, std::string("libOpenCL.so.1 has no ") + name};
      };
      auto made = std::make_unique<OpenCl>();
      find(made->create, "clCreateProgramWithSource");
      find(made->build, "clBuildProgram");
      find(made->info, "clGetProgramBuildInfo");
      find(made->kernel, "clCreateKernel");
      find(made->kernel_info, "clGetKernelInfo");
      find(made->set_argument, "clSetKernelArg");
      find(made->release_kernel, "clReleaseKernel");
      find(made->release, "clReleaseProgram");
      find(made->release_context, "clReleaseContext");
      find(made->release_device, "clReleaseDevice");
      return made.release();
    }();
    return *found;
  }
};

class Program {
 public:
  virtual ~Program() = default;
  virtual ::sycl::kernel kernel(const std::string& name) const = 0;
};

class OpenClProgram final : public Program {
 public:
  OpenClProgram(const ::sycl::queue& queue, const char* code, size_t bytes, Texts options)
      : context_(queue.get_context()) {
    if (context_.get_backend() != ::sycl::backend::opencl)
      throw Failure{kCannot, "OpenCL C is built by OpenCL, and this is a device of Level Zero"};
    const Native<cl_device_id> device(
        ::sycl::get_native<::sycl::backend::opencl>(queue.get_device()), cl_.release_device);
    const Native<cl_context> context(::sycl::get_native<::sycl::backend::opencl>(context_),
                                     cl_.release_context);
    cl_int status = 0;
    native_ = cl_.create(context.get(), 1, &code, &bytes, &status);
    if (!native_) throw Failure{kFailed, "clCreateProgramWithSource: " + std::to_string(status)};
    std::string joined;
    for (const char* option : options) joined.append(option).append(" ");
    const cl_device_id only = device.get();
    status = cl_.build(native_, 1, &only, joined.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS) return;
    std::string log(1 << 16, '\0');
    size_t size = 0;
    cl_.info(native_, only, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &size);
    cl_.release(native_);
    log.resize(std::strlen(log.c_str()));
    throw Failure{kRefused, log.empty() ? "clBuildProgram: " + std::to_string(status) : log};
  }
  ~OpenClProgram() override { cl_.release(native_); }

  ::sycl::kernel kernel(const std::string& name) const override {
    cl_int status = 0;
    cl_kernel const found = cl_.kernel(native_, name.c_str(), &status);
    if (!found) throw Failure{kUnknownName, name};
    // make_kernel retains the kernel.
    const Native<cl_kernel> owned(found, cl_.release_kernel);
    return ::sycl::make_kernel<::sycl::backend::opencl>(found, context_);
  }

 private:
  const OpenCl& cl_ = OpenCl::process();
  const ::sycl::context context_;
  cl_program native_ = nullptr;
};

class BundleProgram final : public Program {
 public:
  explicit BundleProgram(Bundle bundle) : bundle_(std::move(bundle)) {}
  ::sycl::kernel kernel(const std::string& name) const override {
    Bundle bundle = bundle_;
    if (!bundle.ext_oneapi_has_kernel(name)) throw Failure{kUnknownName, name};
    return bundle.ext_oneapi_get_kernel(name);
  }

 private:
  const Bundle bundle_;
};

std::vector<std::string> strings(Texts texts) { return {texts.begin(), texts.end()}; }

Bundle from_spirv(const ::sycl::queue& queue, const char* code, size_t bytes, Texts options) {
  const auto* const first = reinterpret_cast<const std::byte*>(code);
  auto source = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::spirv,
      std::vector<std::byte>(first, first + bytes));
  return experimental::build(
      source, {queue.get_device()},
      experimental::properties{experimental::build_options(strings(options))});
}

/// `names` are kernels of templates; `files` alternates names and texts of headers.
Bundle from_sycl(const ::sycl::queue& queue, const std::string& code, Texts options, Texts names,
                 Texts files) {
  if (!queue.get_device().ext_oneapi_can_build(experimental::source_language::sycl))
    throw Failure{kCannot,
                  "SYCL source is compiled by libsycl-jit.so, which DPC++'s runtime cannot open or "
                  "which does not compile for this device; it comes with pip install "
                  "intel-sycl-rt"};
  experimental::include_files headers;
  for (size_t i = 0; i + 1 < files.size(); i += 2) headers.add(files[i], files[i + 1]);
  experimental::registered_names registered;
  for (const char* name : names) registered.add(name);
  auto source = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::sycl, code,
      experimental::properties{headers});
  return experimental::build(
      source, {queue.get_device()},
      experimental::properties{experimental::build_options(strings(options)), registered});
}

std::unique_ptr<Program> build(const ::sycl::queue& queue, int64_t language, const char* code,
                               size_t bytes, Texts options, Texts names, Texts files) {
  if (language == kOpenClC) return std::make_unique<OpenClProgram>(queue, code, bytes, options);
  try {
    return std::make_unique<BundleProgram>(
        language == kSpirV ? from_spirv(queue, code, bytes, options)
                           : from_sycl(queue, std::string(code, bytes), options, names, files));
  } catch (const ::sycl::exception& error) {
    throw Failure{error.code() == ::sycl::errc::build ? kRefused : kFailed, error.what()};
  }
}

int64_t info_of(const ::sycl::kernel& kernel, const ::sycl::device& device, int64_t what) {
  namespace info = ::sycl::info::kernel_device_specific;
  const auto of = [&]<class Descriptor>(Descriptor) {
    return static_cast<int64_t>(kernel.get_info<Descriptor>(device));
  };
  switch (what) {
    case 0:
      return kernel.get_info<::sycl::info::kernel::num_args>();
    case 1:
      return of(info::work_group_size{});
    case 2:
      return of(info::preferred_work_group_size_multiple{});
    case 3:
      return of(info::private_mem_size{});
    case 4:
      return of(info::max_num_sub_groups{});
    case 5:
      return of(info::max_sub_group_size{});
    case 6:
      return of(info::compile_num_sub_groups{});
    default:
      return of(info::compile_sub_group_size{});
  }
}

enum Argument : int64_t { kPointer = -1, kLocalBytes = -2 };  // else the size of a value in bytes

void set_argument(::sycl::handler& handler, int index, int64_t kind, const void* value) {
  if (kind == kPointer) {
    handler.set_arg(index, *static_cast<void* const*>(value));
  } else if (kind == kLocalBytes) {
    const auto bytes = static_cast<size_t>(*static_cast<const int64_t*>(value));
    handler.set_arg(index, ::sycl::local_accessor<std::byte, 1>(::sycl::range<1>(bytes), handler));
  } else {
    handler.set_arg(index, experimental::raw_kernel_arg(value, static_cast<size_t>(kind)));
  }
}

/// Finds the argument that OpenCL refuses, by setting the arguments of a new kernel; empty if it
/// accepts all.
std::string refused_argument(const ::sycl::kernel& kernel, std::span<const int64_t> kinds,
                             const void* const* values) {
  const OpenCl& cl = OpenCl::process();
  const auto known = ::sycl::get_native<::sycl::backend::opencl>(kernel);
  const Native<cl_kernel> owned(known, cl.release_kernel);
  cl_program program = nullptr;
  cl.kernel_info(known, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
  const auto name = kernel.get_info<::sycl::info::kernel::function_name>();
  const Native<cl_kernel> fresh(cl.kernel(program, name.c_str(), nullptr), cl.release_kernel);
  for (size_t i = 0; fresh && i < kinds.size(); ++i) {
    const int64_t kind = kinds[i];
    const auto local = kind == kLocalBytes ? *static_cast<const int64_t*>(values[i]) : 0;
    const int64_t bytes = kind > 0 ? kind : local > 0 ? local : int64_t{sizeof(cl_mem)};
    const auto index = static_cast<cl_uint>(i);
    const auto* const value = kind > 0 ? values[i] : nullptr;
    std::string why = "argument " + std::to_string(i + 1) + " of " + std::to_string(kinds.size());
    // Only local memory accepts a size of one byte.
    if (kind == kPointer && cl.set_argument(fresh.get(), index, 1, nullptr) == CL_SUCCESS)
      return why + " is an array, but the kernel has local memory there; give a LocalAccessor";
    if (cl.set_argument(fresh.get(), index, static_cast<size_t>(bytes), value) == CL_SUCCESS)
      continue;
    if (kind == kPointer) return why + " is an array, but the kernel does not accept one there";
    if (kind == kLocalBytes)
      return why + " is a LocalAccessor, but the kernel does not accept one there";
    return why + " is a number of " + std::to_string(bytes) +
           " bytes, which the kernel does not accept there; give the type of its parameter, as "
           "np.float32(x): Python's int and float have 8 bytes";
  }
  return {};
}

template <int n>
::sycl::range<n> range_of(const int64_t* sizes) {
  ::sycl::range<n> range;
  for (int d = 0; d < n; ++d) range[d] = static_cast<size_t>(sizes[d]);
  return range;
}

template <int n>
void submit(::sycl::handler& handler, const ::sycl::kernel& kernel, const int64_t* global,
            const int64_t* local) {
  if (local)
    handler.parallel_for(::sycl::nd_range<n>(range_of<n>(global), range_of<n>(local)), kernel);
  else
    handler.parallel_for(range_of<n>(global), kernel);
}

}  // namespace
}  // namespace hither::drivers::sycl

using namespace hither::drivers::sycl;

extern "C" HITHER_EXPORT const char* hither_sycl_message() { return message().c_str(); }

extern "C" HITHER_EXPORT int hither_sycl_build(void* queue, int64_t language, const char* code,
                                               int64_t bytes, const char* const* options,
                                               int64_t option_count, const char* const* names,
                                               int64_t name_count, const char* const* files,
                                               int64_t file_count, void** program) {
  return guarded([&] {
    *program = build(queue_at(queue), language, code, static_cast<size_t>(bytes),
                     Texts(options, static_cast<size_t>(option_count)),
                     Texts(names, static_cast<size_t>(name_count)),
                     Texts(files, static_cast<size_t>(file_count)))
                   .release();
  });
}

extern "C" HITHER_EXPORT int hither_sycl_kernel(void* program, const char* name, void** kernel) {
  return guarded(
      [&] { *kernel = new ::sycl::kernel(static_cast<Program*>(program)->kernel(name)); });
}

/// A property of a kernel on the queue's device; `what` is an index in the order of info_of.
extern "C" HITHER_EXPORT int hither_sycl_kernel_info(void* queue, void* kernel, int64_t what,
                                                     int64_t* value) {
  return guarded([&] {
    *value =
        info_of(*static_cast<const ::sycl::kernel*>(kernel), queue_at(queue).get_device(), what);
  });
}

/// Releases the object. Running launches retain the objects that they need.
extern "C" HITHER_EXPORT int hither_sycl_end_program(void* program) {
  return guarded([&] { delete static_cast<Program*>(program); });
}

extern "C" HITHER_EXPORT int hither_sycl_end_kernel(void* kernel) {
  return guarded([&] { delete static_cast<::sycl::kernel*>(kernel); });
}

/// `local` may be null. Sizes are in SYCL's order. Each argument has a kind and an address.
extern "C" HITHER_EXPORT int hither_sycl_launch(void* queue, void* kernel, int64_t dimensions,
                                                const int64_t* global, const int64_t* local,
                                                int64_t count, const int64_t* kinds,
                                                const void* const* values) {
  return guarded([&] {
    const auto& known = *static_cast<const ::sycl::kernel*>(kernel);
    const auto wanted = known.get_info<::sycl::info::kernel::num_args>();
    if (static_cast<int64_t>(wanted) != count)
      throw Failure{kUnknownName,
                    "takes " + std::to_string(wanted) + " arguments, not " + std::to_string(count)};
    try {
      queue_at(queue).submit([&](::sycl::handler& handler) {
        for (int64_t i = 0; i < count; ++i)
          set_argument(handler, static_cast<int>(i), kinds[i], values[i]);
        if (dimensions == 1) return submit<1>(handler, known, global, local);
        if (dimensions == 2) return submit<2>(handler, known, global, local);
        submit<3>(handler, known, global, local);
      });
    } catch (const ::sycl::exception&) {
      if (known.get_backend() != ::sycl::backend::opencl) throw;
      const auto which = refused_argument(known, {kinds, static_cast<size_t>(count)}, values);
      if (which.empty()) throw;
      throw Failure{kUnknownName, which};
    }
  });
}
