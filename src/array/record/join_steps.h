// Joins the small launches of recorded work.
#pragma once

#include <vector>

#include "array/record/recorded_work.h"

namespace hither::array {

/// The steps of the work, where each run of at least two small launches and copies is one launch of
/// a joined kernel; empty if there is no such run. Compiles the kernels. Throws Error kCompile.
std::vector<RecordedStep> join_steps(const RecordedWork& work);

/// For each step the number of steps that join_steps() makes one, at the first of them; otherwise
/// 1, and 0 for those that follow the first.
std::vector<int> joined_counts(const RecordedWork& work);

}  // namespace hither::array
