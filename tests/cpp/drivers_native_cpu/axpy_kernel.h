// A hand-written kernel image, as the compiler makes it.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "runtime/kernel_state.h"

namespace hither::test {

struct AxpyArguments {
  double a;
  const double* x;
  double* y;
};

/// y[i] = a * x[i] + y[i] over one dimension.
inline std::shared_ptr<target::CodeImage> axpy_image() {
  auto image = std::make_shared<target::CodeImage>();
  image->entry_name = "axpy";
  image->signature.parameters = {target::Parameter::kFloat64, target::Parameter::kPointer,
                                 target::Parameter::kPointer};
  image->entry = [](const void* packed, const target::WorkRange* range, target::ErrorRecord*) {
    const auto& arguments = *static_cast<const AxpyArguments*>(packed);
    for (int64_t i = range->begin[0]; i < range->end[0]; ++i)
      arguments.y[i] = arguments.a * arguments.x[i] + arguments.y[i];
  };
  return image;
}

template <class Arguments>
std::span<const std::byte> packed(const Arguments& arguments) {
  return std::as_bytes(std::span(&arguments, 1));
}

}  // namespace hither::test
