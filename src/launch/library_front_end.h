// Kernels of a precompiled library, launched like kernel functions.
#pragma once

#include <memory>

#include "compiler/module/kernel_library.h"
#include "launch/specialisation.h"

namespace hither::launch {

/// Matches one kernel of `library` with the arguments of a call: dense arrays of any dtype for
/// pointers, numbers of exactly the kernel's types, and local memory for pointers to local memory.
class HITHER_EXPORT LibraryFrontEnd : public FrontEnd {
 public:
  LibraryFrontEnd(std::shared_ptr<const compiler::KernelLibrary> library, size_t kernel)
      : library_(std::move(library)), kernel_(library_->kernels[kernel]) {}

  KernelSource make(std::span<const ArgumentType> types,
                    std::span<const uint64_t> nesting) override;

 private:
  const std::shared_ptr<const compiler::KernelLibrary> library_;
  const compiler::LibraryKernel& kernel_;
};

/// Reads a library; blocking. Throws Error kCompile.
HITHER_EXPORT std::shared_ptr<const compiler::KernelLibrary> load_library(std::string_view code,
                                                                          const std::string& where);

}  // namespace hither::launch
