#include "drivers/sycl/cached_binary.h"

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

/// Binaries for CPUs run only on CPUs with the instructions of this one.
std::string instructions_of_this_cpu() {
  std::ifstream file("/proc/cpuinfo");
  std::string all;
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      all += line + '\n';
  return all;
}

/// The binary of the kernel's program; empty if OpenCL does not return it.
std::string binary_of(const ::sycl::kernel& kernel) {
  const Native<cl_kernel> native(::sycl::get_native<kOpenCl>(kernel), functions().release_kernel);
  cl_program program = nullptr;
  size_t size = 0;
  if (functions().kernel_info(native.get(), CL_KERNEL_PROGRAM, sizeof program, &program, nullptr) !=
          CL_SUCCESS ||
      functions().program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) !=
          CL_SUCCESS)
    return {};
  std::string binary(size, '\0');
  char* at = binary.data();
  if (functions().program_info(program, CL_PROGRAM_BINARIES, sizeof at, &at, nullptr) != CL_SUCCESS)
    return {};
  return binary;
}

}  // namespace

CachedBinary::CachedBinary(const ::sycl::context& context,
                           const std::vector<::sycl::device>& devices,
                           const target::CodeImage& image, std::string options)
    : context_(context), entry_(image.entry_name), options_(std::move(options)) {
  static const std::string& cpu = *new std::string(instructions_of_this_cpu());
  if (context.get_backend() != kOpenCl || devices.size() != 1 || context.get_devices() != devices ||
      cpu.empty() || !functions().are_there())
    return;
  const ::sycl::platform platform = devices.front().get_platform();
  for (const std::string& part :
       {std::string("binary of OpenCL's, 1"), platform.get_info<::sycl::info::platform::name>(),
        platform.get_info<::sycl::info::platform::version>(),
        devices.front().get_info<::sycl::info::device::name>(),
        devices.front().get_info<::sycl::info::device::driver_version>(), cpu, options_})
    key_ += part + '\n';
  key_.append(image.bytes.begin(), image.bytes.end());
}

std::optional<::sycl::kernel> CachedBinary::load() const {
  if (key_.empty()) return std::nullopt;
  const auto binary = disk_cache::DiskCache::process().load(key_);
  if (!binary) return std::nullopt;
  try {
    return kernel_of(*binary);
  } catch (const ::sycl::exception&) {
    return std::nullopt;
  }
}

std::optional<::sycl::kernel> CachedBinary::kernel_of(const std::string& binary) const {
  const Functions& cl = functions();
  const Native<cl_context> context(::sycl::get_native<kOpenCl>(context_), cl.release_context);
  const Native<cl_device_id> device(::sycl::get_native<kOpenCl>(context_.get_devices().front()),
                                    cl.release_device);
  const cl_device_id only = device.get();
  const size_t size = binary.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const Native<cl_program> program(
      cl.program(context.get(), 1, &only, &size, &bytes, nullptr, nullptr), cl.release_program);
  if (!program ||
      cl.build(program.get(), 1, &only, options_.c_str(), nullptr, nullptr) != CL_SUCCESS)
    return std::nullopt;
  const Native<cl_kernel> kernel(cl.kernel(program.get(), entry_.c_str(), nullptr),
                                 cl.release_kernel);
  if (!kernel) return std::nullopt;
  return ::sycl::make_kernel<kOpenCl>(kernel.get(), context_);  // retains the kernel
}

::sycl::kernel CachedBinary::store_and_load(const ::sycl::kernel& kernel) const {
  if (key_.empty()) return kernel;
  try {
    if (const std::string binary = binary_of(kernel); !binary.empty()) {
      disk_cache::DiskCache::process().store(key_, binary);
      return kernel_of(binary).value_or(kernel);
    }
  } catch (const std::exception&) {  // the kernel works without a binary
  }
  return kernel;
}

}  // namespace hither::drivers::sycl
