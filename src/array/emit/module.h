// The frame of an array kernel: parameters, ids, and the finished kernel module.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <hither/dtype.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "target/kernel_module.h"

namespace hither::array {

target::Parameter parameter_of(DType t) noexcept;

/// Builds one kernel: declare parameters, call begin(), emit with b(), call finish(). Not
/// thread-safe.
class ModuleBuilder {
 public:
  explicit ModuleBuilder(std::string entry);
  ~ModuleBuilder();

  void parameter(target::Parameter p) { signature_.parameters.push_back(p); }
  /// Creates the entry function. The builder is positioned in its first block.
  llvm::IRBuilder<>& begin();
  llvm::IRBuilder<>& b() noexcept { return *builder_; }
  llvm::Function* function() const noexcept { return function_; }
  /// The declared parameters in order. Pointers are cast to address space 0.
  llvm::Value* next_parameter();
  llvm::Value* global_id(int dimension) { return place("hither.global_id", dimension); }
  llvm::Value* global_size(int dimension) { return place("hither.global_size", dimension); }
  /// Of `many` elements for each item of a range of one dimension, item i has the elements i,
  /// i + items, ..., where consecutive items read consecutive memory. Those behind the end are the
  /// last of all `count` elements.
  std::vector<llvm::Value*> spread_ids(int64_t many, llvm::Value* count);
  /// Calls an intrinsic that returns an id or a size, for one dimension.
  llvm::Value* place(const char* name, int dimension);
  /// Calls another intrinsic.
  llvm::Value* call(const std::string& name, llvm::Type* result,
                    llvm::ArrayRef<llvm::Value*> arguments);
  /// Bitcode and signature. The builder cannot be used afterwards.
  target::KernelModule finish();

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::IRBuilder<>> builder_;
  llvm::Function* function_ = nullptr;
  std::string entry_;
  target::Signature signature_;
  unsigned next_ = 0;
};

}  // namespace hither::array
