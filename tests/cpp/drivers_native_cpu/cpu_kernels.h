// Kernel images as the compiler makes them for CPUs.
#pragma once

#include <memory>
#include <string_view>

#include "target/code_image.h"

namespace hither::test {

/// The code of test::Subject::code for CPUs.
std::shared_ptr<target::CodeImage> cpu_code(std::string_view kernel);
/// y[i] = a * x[i] + y[i] over one dimension.
std::shared_ptr<target::CodeImage> axpy_image();

}  // namespace hither::test
