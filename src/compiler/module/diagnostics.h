// LLVM's diagnostics, as errors of hither.
#pragma once

#include <string>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/Error.h>

namespace hither::compiler {

/// A context that collects error diagnostics and does not print them. Each compilation has its own,
/// so that threads share nothing.
class Diagnostics {
 public:
  Diagnostics();
  llvm::LLVMContext& context() noexcept { return context_; }
  /// The error diagnostics since the last call, empty if there are none.
  std::string take() noexcept { return std::exchange(text_, {}); }

 private:
  llvm::LLVMContext context_;
  std::string text_;
};

/// Throws Error kCompile. `where` names the kernel (and function), `message` the broken rule.
[[noreturn]] void refuse(const std::string& where, const std::string& message);
/// Throws Error kUnsupported.
[[noreturn]] void refuse_unsupported(const std::string& where, const std::string& message);
/// Throws Error kCompile with LLVM's message if `error` holds one.
void check(llvm::Error error, const std::string& where);

template <class T>
T check(llvm::Expected<T> value, const std::string& where) {
  check(value.takeError(), where);
  return std::move(*value);
}

}  // namespace hither::compiler
