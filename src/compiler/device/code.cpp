#include "compiler/device/code.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/device/memory.h"
#include "compiler/device/scalars.h"
#include "compiler/module/address_space.h"
#include "compiler/module/early_returns.h"
#include "compiler/module/group_kernel.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/link_device_library.h"
#include "compiler/module/link_module.h"
#include "compiler/module/math_functions.h"
#include "compiler/module/pass_runner.h"
#include "compiler/module/powers.h"
#include "compiler/module/verify.h"

namespace hither::compiler {
namespace {

void add_cleaning(llvm::FunctionPassManager& f) {
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  // Without it, SimplifyCFG merges loads from two address spaces, which no pass can separate again.
  f.addPass(llvm::InferAddressSpacesPass(0));
  f.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
  f.addPass(llvm::SimplifyCFGPass());
}

}  // namespace

void run_on_functions(llvm::Module& module,
                      llvm::function_ref<void(llvm::FunctionPassManager&)> add) {
  PassRunner passes(nullptr);
  llvm::FunctionPassManager f;
  add(f);
  passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  passes.run(module);
}

namespace {

/// Replaces vector operations by operations on lanes, as far as possible.
void scalarise(llvm::Module& module, llvm::Function& kernel) {
  scalarise_vector_calls(kernel);
  run_on_functions(module, [](llvm::FunctionPassManager& f) {
    llvm::ScalarizerPassOptions all;
    all.ScalarizeVariableInsertExtract = all.ScalarizeLoadStore = true;
    f.addPass(llvm::ScalarizerPass(all));
    add_cleaning(f);
  });
}

}  // namespace

void DeviceCode::link() {
  module_ = link_module(source_, diagnostics_, kind_.triple, llvm::DataLayout(kind_.layout));
  if (!kind_.contracts) round_each_operation(*module_);
  verify_linked(*module_, source_);
}

void DeviceCode::inline_all() {
  llvm::StripDebugInfo(*module_);
  rename_libm_calls(*module_);
  link_device_library(*module_, DeviceLibrary::kPortable, source_.entry, diagnostics_);
  normalise_math(*module_);
  annotate_intrinsics(*module_);
  inline_everything(*module_);
  shorten_powers(*module_);
  pass_print_buffer(*module_, source_);
  verify_private_memory(*module_, source_);
  refuse_functions();
  in_groups_ = uses_groups(*module_, source_.signature);
  if (!in_groups_) return;
  // Only the number of dimensions of the launches is known, not their local sizes (0: unknown).
  std::array<int64_t, 3> extents{};
  for (int d = 0; d < 3; ++d)
    extents[static_cast<size_t>(d)] = d < std::max(source_.dimensions, 1) ? 0 : 1;
  convert_early_returns(*module_, source_, LocalSize(extents));
}

void DeviceCode::refuse_functions() const {
  for (const llvm::Function& f : *module_)
    if (!f.isDeclaration() && f.getName() != source_.entry)
      refuse_unsupported(source_.entry,
                         fmt::format("{} calls itself, but {} do not support recursion; use a loop",
                                     f.getName().str(), kind_.devices));
}

void DeviceCode::simplify() {
  move_constants(*module_, kind_.constant_space);
  llvm::Module& module = *module_;
  llvm::Function& kernel = *module_->getFunction(source_.entry);
  run_on_functions(module, [](llvm::FunctionPassManager& f) { add_cleaning(f); });
  scalarise(module, kernel);
  lower_vector_memory(kernel);
  run_on_functions(module, [](llvm::FunctionPassManager& f) {
    add_cleaning(f);
    // The second round is for variables that held addresses. Constants are cast twice.
    for (unsigned space : {0u, 4u, 0u}) f.addPass(llvm::InferAddressSpacesPass(space));
    add_cleaning(f);
    f.addPass(llvm::InferAddressSpacesPass(0));
    f.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                    /*UseMemorySSA=*/true));
    f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  });
  // The cleaning may make vectors of small variables, which it then combines.
  for (int rounds = 0; rounds < 2 && remaining_vector(kernel); ++rounds) scalarise(module, kernel);
}

void DeviceCode::refuse_types(const llvm::Function& f) const {
  auto check = [&](const llvm::Type* type) {
    if (auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
      const unsigned bits = integer->getBitWidth();
      if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
        refuse_unsupported(
            source_.entry,
            fmt::format("{} support integers of 8, 16, 32 and 64 bits, but not of {}",
                        kind_.devices, bits));
    }
  };
  for (const llvm::Instruction& i : llvm::instructions(f)) {
    check(i.getType());
    for (const llvm::Value* operand : i.operands()) check(operand->getType());
  }
  if (const llvm::Type* vector = remaining_vector(f)) {
    std::string text;
    llvm::raw_string_ostream(text) << *vector;
    refuse_unsupported(source_.entry, fmt::format("vectors cannot be used this way on {}: {}",
                                                  kind_.devices, text));
  }
}

void DeviceCode::check_diagnostics() {
  std::string complaints = diagnostics_.take();
  if (!complaints.empty()) refuse(source_.entry, complaints);
}

std::string DeviceCode::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module_->print(stream, nullptr);
  return text;
}

target::CodeImage DeviceCode::describe(const DeviceEntry& entry) const {
  target::CodeImage image;
  image.target = kind_.target;
  image.entry_name = source_.entry;
  image.signature = source_.signature;
  image.dimensions = entry.dimensions;
  image.uses_groups = in_groups_;
  image.local_bytes = local_bytes();
  image.strip_items = entry.items_of_thread;
  image.strips_if_many = entry.several_if_many;
  image.reports_errors = entry.reports_errors;
  image.source_file = source_.source_file;
  image.messages = source_.messages;
  return image;
}

int64_t DeviceCode::local_bytes() const {
  int64_t bytes = 0;
  for (const llvm::GlobalVariable& v : module_->globals())
    if (v.getAddressSpace() == kLocal)
      bytes += static_cast<int64_t>(
          module_->getDataLayout().getTypeAllocSize(v.getValueType()).getFixedValue());
  return bytes;
}

}  // namespace hither::compiler
