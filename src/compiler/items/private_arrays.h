// Private arrays of a group's items, with the same element of all items side by side.
#pragma once

#include <cstdint>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {

/// Whether each access to the private array loads or stores one element of 4 or 8 bytes, at an
/// index that is the same for all items that run the access together, by `is_common`. Besides, all
/// bytes of the array may be set together.
bool can_be_spread(llvm::AllocaInst& array, llvm::function_ref<bool(llvm::Value*)> is_common);

/// Spreads the private arrays of `f`, a function of one group (group_kernel.h) of `items` items,
/// for which can_be_spread holds. Such an array becomes one for the whole group: element k of item
/// i is element k * items + i, so that neighbouring items access neighbouring elements. The address
/// of the new array is that of the item's element 0. An index beyond the array's end leads to its
/// last element: items that skip an access may then run it, too.
void spread_private_arrays(llvm::Function& f, int64_t items);

/// The type of the elements of an array that was spread; null for other arrays.
llvm::Type* spread_element(const llvm::AllocaInst& array);

/// The array that was spread at which `pointer` points, or null.
const llvm::AllocaInst* spread_array_of(const llvm::Value* pointer);

}  // namespace hither::compiler
