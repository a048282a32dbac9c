// What user operations are in the graph and in kernels.
#pragma once

#include <string>
#include <string_view>

#include <hither/user_op.h>

#include "array/value.h"
#include "target/kernel_module.h"

namespace hither::array {

struct Cluster;

/// Shared by the nodes that apply it.
struct UserFunction {
  UserOpSource source;
  std::string key;  ///< the same for the same code and dtypes only
};

/// "add", or the name of the program's own operation. `node` is kElementwise.
std::string_view operation_name(const Value& node) noexcept;

/// The dtype that operand `index` of an element-wise node is cast to.
DType operand_dtype(const Value& node, int index) noexcept;

/// Adds the code of the cluster's user operations to its module.
void add_user_code(target::KernelModule& module, const Cluster& cluster);

}  // namespace hither::array
