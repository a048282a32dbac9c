// OpenCL functions for queries that SYCL does not offer.
#pragma once

#include <memory>
#include <type_traits>

#include <CL/cl.h>
#include <dlfcn.h>

namespace hither::drivers::sycl {

/// The OpenCL function of that name in the libOpenCL that SYCL has opened; null if there is none.
template <class Function>
Function* opencl_function(const char* name) noexcept {
  void* const library = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return nullptr;
  auto* const found = reinterpret_cast<Function*>(dlsym(library, name));
  dlclose(library);  // SYCL keeps it open
  return found;
}

/// An owned reference to an OpenCL object, and the function that releases it.
template <class Handle>
using Native = std::unique_ptr<std::remove_pointer_t<Handle>, cl_int (*)(Handle)>;

}  // namespace hither::drivers::sycl
