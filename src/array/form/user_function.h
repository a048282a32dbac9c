// User-defined operations in kernels.
#pragma once

#include <initializer_list>
#include <string>

#include <hither/user_op.h>

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Shared by all nodes that apply it.
struct UserFunction {
  UserOpSource source;
  std::string key;  ///< identical keys mean identical code, dtypes and identity
  /// Of reductions and scans: an element of the operands' dtype.
  alignas(8) unsigned char identity[16] = {};
};

/// Adds the code of the user-defined operations of forms, which may be null, and of one more
/// function, which may be null, to their module.
void add_user_code(target::KernelModule& module, std::initializer_list<const KernelForm*> forms,
                   const UserFunction* more = nullptr);

}  // namespace hither::array
