// One stage of a reduction becomes a kernel module.
#pragma once

#include "array/emit/combine.h"
#include "array/form/reduce_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Parameters: address of the values stored, of the indices stored, of the producers' outputs, the
/// producers' leaves and numbers, the epilogue's numbers, the counts (see Count), extents of the
/// outer dimensions and of the rows but for the first of each, and for each walk the strides of
/// both and, where it is kStrided, that of its lanes.
target::KernelModule emit(const ReduceForm& form);

}  // namespace hither::array
