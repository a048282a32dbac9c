// Code for group functions, which runs once for the group.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/group_function.h"

namespace hither::compiler {

/// An argument of a group function: one value for all items, or an array with one value for each.
struct GroupOperand {
  llvm::Value* same = nullptr;
  llvm::Value* array = nullptr;
  llvm::Type* type = nullptr;
};

/// Writes loops over the items of a group in the order of their linear ids. Floating-point sums
/// have a fixed order, which depends only on the number of items.
class GroupFunctionWriter {
 public:
  /// Appends to the builder's block. Leaves the builder at the end of the code.
  GroupFunctionWriter(llvm::IRBuilder<>& b, int64_t items, int64_t sub_group_size)
      : b_(b), items_(items), sub_group_size_(sub_group_size) {}

  /// The result of a function with is_uniform(). `index` is the index of a broadcast.
  llvm::Value* write_uniform(const GroupFunction& f, const GroupOperand& x,
                             const GroupOperand& index);
  /// Stores the result of each item into the array `results`.
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
  void match(const GroupOperand& x, llvm::Value* results);
  void shuffle(const GroupFunction& f, const GroupOperand& x, const GroupOperand& index,
               llvm::Value* results);

  llvm::IRBuilder<>& b_;
  int64_t items_;
  int64_t sub_group_size_;
};

}  // namespace hither::compiler
