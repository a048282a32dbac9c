// Emits the kernel module of one stage of a reduction.
#pragma once

#include "array/emit/combine.h"
#include "array/form/reduce_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Parameters: address of the stored values, of the stored indices, of the producers' outputs, the
/// producers' leaves and numbers, the epilogue's numbers, and the counts (see Count). Then the
/// extents of the outer dimensions and of the rows, without the first of each. Then for each walk
/// the outer and row strides and, where it is kStrided, its lane stride.
target::KernelModule emit(const ReduceForm& form);

}  // namespace hither::array
