// A reference implementation of kernel modules: it interprets the LLVM IR of each work-item on its
// own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace hither::compiler::tests {

/// Runs the groups of a range one after another. Between two convergent operations of a group it
/// runs the items one after another in random order, each to its next convergent operation. It
/// shares no code with the compiler's passes. Supports integers up to 64 bits, pointers and the
/// instructions of test kernels; group functions on integers.
class ItemInterpreter {
 public:
  ItemInterpreter(const std::string& code, int64_t sub_group_size, uint64_t seed);

  /// `arguments` are addresses and integers. Returns an empty text, or how the items diverged.
  /// Aborts on unknown IR.
  std::string run(const std::vector<uint64_t>& arguments, const int64_t (&groups)[3],
                  const int64_t (&local)[3]);

 private:
  struct Item {
    int64_t local_id[3];
    int64_t linear;
    const llvm::BasicBlock* block;
    llvm::BasicBlock::const_iterator next;
    const llvm::CallInst* waits = nullptr;
    std::map<const llvm::Value*, uint64_t> values;
    std::vector<std::unique_ptr<char[]>> memory;
  };

  std::string run_group(const std::vector<uint64_t>& arguments);
  void run_item(Item& item);
  void go_to(Item& item, const llvm::BasicBlock* to);
  bool step(Item& item, const llvm::Instruction& i);
  void converge();
  uint64_t group_function_result(const llvm::CallInst& call, int64_t item, int64_t first,
                                 int64_t count);
  uint64_t argument_of(int64_t item, const llvm::CallInst& call, unsigned argument) const;
  uint64_t value(const Item& item, const llvm::Value* v) const;
  int64_t signed_value(const Item& item, const llvm::Value* v) const;
  uint64_t compute(Item& item, const llvm::Instruction& i);
  static uint64_t update(const llvm::AtomicRMWInst& i, uint64_t address, uint64_t operand);
  uint64_t call(Item& item, const llvm::CallInst& i);

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  int64_t sub_group_size_;
  std::mt19937_64 random_;
  std::map<const llvm::GlobalVariable*, std::unique_ptr<char[]>> local_memory_;
  std::vector<Item> items_;
  int64_t groups_[3], local_[3], group_[3];
};

}  // namespace hither::compiler::tests
