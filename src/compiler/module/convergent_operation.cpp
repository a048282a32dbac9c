#include "compiler/module/convergent_operation.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {

bool is_convergent(const llvm::Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call || !call->getCalledFunction()) return false;
  auto intrinsic = intrinsic_of(*call->getCalledFunction());
  return intrinsic &&
         (*intrinsic == Intrinsic::kBarrier || *intrinsic == Intrinsic::kSubGroupBarrier ||
          *intrinsic == Intrinsic::kGroupFunction);
}

const llvm::CallInst* convergent_operation_of(const llvm::BasicBlock& block) {
  const llvm::Instruction& first = *block.begin();
  return is_convergent(first) ? llvm::cast<llvm::CallInst>(&first) : nullptr;
}

std::string place_of(const llvm::CallInst& operation, const std::string& source_file) {
  const llvm::MDNode* node = operation.getMetadata(kLine);
  if (!node || node->getNumOperands() == 0) return source_file;
  auto* line = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0));
  if (!line) return source_file;
  std::string file = source_file;
  if (node->getNumOperands() > 1)
    if (auto* known = llvm::dyn_cast<llvm::MDString>(node->getOperand(1)))
      file = known->getString();
  const int64_t number = line->getSExtValue();
  return file.empty() ? fmt::format("line {}", number) : fmt::format("{}:{}", file, number);
}

std::string description_of(const llvm::CallInst& operation) {
  llvm::StringRef name = operation.getCalledFunction()->getName();
  name.consume_front("hither.");
  return name == "barrier" ? "the barrier" : name.split('.').first.str();
}

void split_at_convergent_operations(llvm::Function& f) {
  llvm::SmallVector<llvm::Instruction*, 16> operations;
  for (llvm::Instruction& i : llvm::instructions(f))
    if (is_convergent(i)) operations.push_back(&i);
  for (llvm::Instruction* operation : operations)
    operation->getParent()->splitBasicBlock(operation, "convergent");
}

}  // namespace hither::compiler
