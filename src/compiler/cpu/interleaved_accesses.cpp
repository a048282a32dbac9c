#include "compiler/cpu/interleaved_accesses.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>

namespace hither::compiler {
namespace {

std::shared_mutex& vectorisers() {
  static std::shared_mutex mutex;
  return mutex;
}

llvm::cl::opt<bool>* setting() {
  static auto* const found = [] {
    constexpr const char* kName = "enable-interleaved-mem-accesses";
    auto& options = llvm::cl::getRegisteredOptions();
    auto at = options.find(kName);
    if (at == options.end()) return static_cast<llvm::cl::opt<bool>*>(nullptr);
    // LLVM reads the option only if it has occurred.
    at->second->addOccurrence(0, kName, "true");
    return static_cast<llvm::cl::opt<bool>*>(at->second);
  }();
  return found;
}

/// An index modulo a power of 2, in any of its forms.
bool wraps(const llvm::Instruction& i) {
  if (llvm::isa<llvm::ZExtInst>(i)) {
    auto* narrow = llvm::dyn_cast<llvm::TruncInst>(i.getOperand(0));
    return narrow && !narrow->getType()->isIntegerTy(1);
  }
  if (i.getOpcode() != llvm::Instruction::And && i.getOpcode() != llvm::Instruction::URem)
    return false;
  auto* by = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  if (!by) return false;
  return i.getOpcode() == llvm::Instruction::And ? by->getValue().isMask()
                                                 : by->getValue().isPowerOf2();
}

bool has_wrapping_indices(const llvm::Module& module) {
  for (const llvm::Function& f : module)
    for (const llvm::Instruction& i : llvm::instructions(f))
      if (wraps(i)) return true;
  return false;
}

}  // namespace

InterleavedAccesses::InterleavedAccesses(const llvm::Module& module)
    : shared_(vectorisers(), std::defer_lock), alone_(vectorisers(), std::defer_lock) {
  if (!setting() || !has_wrapping_indices(module)) {
    shared_.lock();
    return;
  }
  alone_.lock();
  setting()->setValue(false);
}

InterleavedAccesses::~InterleavedAccesses() {
  if (alone_.owns_lock()) setting()->setValue(true);
}

}  // namespace hither::compiler
