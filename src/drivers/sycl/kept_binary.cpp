#include "drivers/sycl/kept_binary.h"

#include <fstream>
#include <memory>

#include <CL/cl.h>
#include <sycl/backend.hpp>

#include "disk_cache/disk_cache.h"
#include "drivers/sycl/opencl_function.h"

namespace hither::drivers::sycl {
namespace {

constexpr auto kOpenCl = ::sycl::backend::opencl;

struct Functions {
  decltype(clCreateProgramWithBinary)* const program =
      opencl_function<decltype(clCreateProgramWithBinary)>("clCreateProgramWithBinary");
  decltype(clBuildProgram)* const build =
      opencl_function<decltype(clBuildProgram)>("clBuildProgram");
  decltype(clCreateKernel)* const kernel =
      opencl_function<decltype(clCreateKernel)>("clCreateKernel");
  decltype(clGetKernelInfo)* const kernel_info =
      opencl_function<decltype(clGetKernelInfo)>("clGetKernelInfo");
  decltype(clGetProgramInfo)* const program_info =
      opencl_function<decltype(clGetProgramInfo)>("clGetProgramInfo");
  decltype(clReleaseKernel)* const release_kernel =
      opencl_function<decltype(clReleaseKernel)>("clReleaseKernel");
  decltype(clReleaseProgram)* const release_program =
      opencl_function<decltype(clReleaseProgram)>("clReleaseProgram");

  decltype(clReleaseContext)* const release_context =
      opencl_function<decltype(clReleaseContext)>("clReleaseContext");
  decltype(clReleaseDevice)* const release_device =
      opencl_function<decltype(clReleaseDevice)>("clReleaseDevice");

  bool are_there() const noexcept {
    return program && build && kernel && kernel_info && program_info && release_kernel &&
           release_program && release_context && release_device;
  }
};

const Functions& functions() {
  static const Functions found;
  return found;
}

using NativeContext = std::unique_ptr<_cl_context, cl_int (*)(cl_context)>;
using NativeDevice = std::unique_ptr<_cl_device_id, cl_int (*)(cl_device_id)>;
using NativeKernel = std::unique_ptr<_cl_kernel, cl_int (*)(cl_kernel)>;
using NativeProgram = std::unique_ptr<_cl_program, cl_int (*)(cl_program)>;

/// Binaries for CPUs run on those alone that have the instructions of this one.
std::string instructions_of_this_cpu() {
  std::ifstream file("/proc/cpuinfo");
  std::string all;
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      all += line + '\n';
  return all;
}

/// Empty if OpenCL does not give it.
std::string binary_of(cl_program program) {
  size_t size = 0;
  if (functions().program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) !=
      CL_SUCCESS)
    return {};
  std::string binary(size, '\0');
  char* at = binary.data();
  if (functions().program_info(program, CL_PROGRAM_BINARIES, sizeof at, &at, nullptr) != CL_SUCCESS)
    return {};
  return binary;
}

}  // namespace

KeptBinary::KeptBinary(const ::sycl::context& context, const target::CodeImage& image,
                       std::string options)
    : context_(context), entry_(image.entry_name), options_(std::move(options)) {
  if (context.get_backend() != kOpenCl || context.get_devices().size() != 1 ||
      !functions().are_there())
    return;
  static const std::string& cpu = *new std::string(instructions_of_this_cpu());
  const ::sycl::device device = context.get_devices().front();
  const ::sycl::platform platform = device.get_platform();
  for (const std::string& part :
       {std::string("binary of OpenCL's, 1"), platform.get_info<::sycl::info::platform::name>(),
        platform.get_info<::sycl::info::platform::version>(),
        device.get_info<::sycl::info::device::name>(),
        device.get_info<::sycl::info::device::driver_version>(),
        device.is_cpu() ? cpu : std::string(), options_})
    key_ += part + '\n';
  key_.append(image.bytes.begin(), image.bytes.end());
}

std::optional<::sycl::kernel> KeptBinary::load() const {
  if (key_.empty()) return std::nullopt;
  const auto binary = disk_cache::DiskCache::process().load(key_);
  if (!binary) return std::nullopt;
  const Functions& cl = functions();
  const NativeContext context(::sycl::get_native<kOpenCl>(context_), cl.release_context);
  const NativeDevice device(::sycl::get_native<kOpenCl>(context_.get_devices().front()),
                            cl.release_device);
  const size_t size = binary->size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary->data());
  const cl_device_id for_device = device.get();
  const NativeProgram program(
      cl.program(context.get(), 1, &for_device, &size, &bytes, nullptr, nullptr),
      cl.release_program);
  if (!program) return std::nullopt;
  if (cl.build(program.get(), 1, &for_device, options_.c_str(), nullptr, nullptr) != CL_SUCCESS)
    return std::nullopt;
  const NativeKernel kernel(cl.kernel(program.get(), entry_.c_str(), nullptr), cl.release_kernel);
  if (!kernel) return std::nullopt;
  return ::sycl::make_kernel<kOpenCl>(kernel.get(), context_);  // takes a reference of its own
}

void KeptBinary::keep(const ::sycl::kernel& kernel) const noexcept {
  if (key_.empty()) return;
  try {
    const NativeKernel native(::sycl::get_native<kOpenCl>(kernel), functions().release_kernel);
    cl_program program = nullptr;
    if (functions().kernel_info(native.get(), CL_KERNEL_PROGRAM, sizeof program, &program,
                                nullptr) != CL_SUCCESS)
      return;
    if (const std::string binary = binary_of(program); !binary.empty())
      disk_cache::DiskCache::process().store(key_, binary);
  } catch (const std::exception&) {
  }
}

}  // namespace hither::drivers::sycl
