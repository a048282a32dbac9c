// The error of kernels that Ctrl-C ended, or kept from their launch.
#pragma once

#include <string>
#include <utility>

#include <hither/error.h>

#include "target/kernel_fault.h"

namespace hither::target {

/// It counts as reported, because KeyboardInterrupt reports it.
inline Error interrupted(std::string where, std::string message) {
  Error error(ErrorKind::kKernel, std::move(where), std::move(message), kInterrupted);
  error.mark_reported();
  return error;
}

}  // namespace hither::target
