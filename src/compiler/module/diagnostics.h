// LLVM's complaints, as our errors.
#pragma once

#include <string>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/Error.h>

namespace hither::compiler {

/// A context whose error diagnostics are collected and not printed. One per compile: nothing is
/// shared between threads.
class Diagnostics {
 public:
  Diagnostics();
  llvm::LLVMContext& context() noexcept { return context_; }
  /// What LLVM complained about since the last call; empty when nothing.
  std::string take() noexcept { return std::exchange(text_, {}); }

 private:
  llvm::LLVMContext context_;
  std::string text_;
};

/// Throws Error kCompile. `where` names the kernel (and function), `message` the rule.
[[noreturn]] void refuse(const std::string& where, const std::string& message);
/// Throws Error kUnsupported.
[[noreturn]] void refuse_unsupported(const std::string& where, const std::string& message);
/// Throws Error kCompile with LLVM's own words if `error` holds one.
void check(llvm::Error error, const std::string& where);

template <class T>
T check(llvm::Expected<T> value, const std::string& where) {
  check(value.takeError(), where);
  return std::move(*value);
}

}  // namespace hither::compiler
