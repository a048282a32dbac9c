// User-defined element-wise operations in kernels.
#pragma once

#include <string>

#include <hither/user_op.h>

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Shared by all nodes that apply it.
struct UserFunction {
  UserOpSource source;
  std::string key;  ///< identical keys mean identical code and dtypes
};

/// Adds the code of the form's user-defined operations to its module.
void add_user_code(target::KernelModule& module, const KernelForm& form);

}  // namespace hither::array
