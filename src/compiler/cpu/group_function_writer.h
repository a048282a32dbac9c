// What a group function computes, in code that runs once for the group.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/group_function.h"

namespace hither::compiler {

/// An argument of a group function: the same for all items, or an array with one for each.
struct GroupOperand {
  llvm::Value* same = nullptr;
  llvm::Value* array = nullptr;
  llvm::Type* type = nullptr;
};

/// Writes loops over the items of a group, in the order of their linear ids. Sums of floating point
/// are added in a fixed order that depends on the number of items alone.
class GroupFunctionWriter {
 public:
  /// Appends to the builder's block and leaves the builder where the code ends.
  GroupFunctionWriter(llvm::IRBuilder<>& b, int64_t items, int64_t sub_group_size)
      : b_(b), items_(items), sub_group_size_(sub_group_size) {}

  /// The one result of a function with is_uniform(). `index` is that of a broadcast.
  llvm::Value* write_uniform(const GroupFunction& f, const GroupOperand& x,
                             const GroupOperand& index);
  /// Stores each item's result into `results`, an array.
  void write_each(const GroupFunction& f, const GroupOperand& x, const GroupOperand& index,
                  llvm::Value* results);

 private:
  template <class Body>
  llvm::Value* loop(int64_t count, llvm::Value* start, const Body& body);
  llvm::Value* element(const GroupOperand& x, llvm::Value* item);
  llvm::Value* elements(const GroupOperand& x, llvm::Value* first, int64_t count);
  llvm::Value* truth(const GroupFunction& f, llvm::Value* x);
  llvm::Value* reduce(const GroupFunction& f, const GroupOperand& x, llvm::Value* first,
                      int64_t count);
  void store(llvm::Value* value, llvm::Value* results, llvm::Value* item);
  void scan(const GroupFunction& f, const GroupOperand& x, llvm::Value* results);
  void spread(const GroupFunction& f, const GroupOperand& x, const GroupOperand& index,
              llvm::Value* results);
  void shuffle(const GroupFunction& f, const GroupOperand& x, const GroupOperand& index,
               llvm::Value* results);

  llvm::IRBuilder<>& b_;
  int64_t items_;
  int64_t sub_group_size_;
};

}  // namespace hither::compiler
