// Runs the loops that items leave in different iterations for all items of a group together.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "compiler/items/divergent_loops.h"
#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// Rewrites `region` so that all its loops have uniform control flow: each iteration runs for the
/// items that are still in the loop, and a vote (hither.group_any_of) decides whether another one
/// follows. Loops move out of divergent branches: an item remembers at which block it continues,
/// and waits while the others run a loop. Loop counters that are the same for all items in a loop
/// stay uniform.
///
/// Requires loops in simplified and LCSSA form, branches as the only terminators and no convergent
/// operations in the region. A block with atomics contains nothing else; they run for one item
/// after the other. `loops` describes the function before the call and stays as it is. Values of
/// the region are variables in memory afterwards; SROA makes them registers again.
void run_in_lockstep(llvm::Function& f, const DivergentRegion& region, const llvm::LoopInfo& loops,
                     const Uniformity& uniformity);

}  // namespace hither::compiler
