#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/raw_ostream.h>
#include <xxhash.h>

#include "compiler/compiler.h"
#include "compiler/module/link_module.h"
#include "compiler/module/llvm_guard.h"
#include "process/environment.h"

namespace hither::compiler {
namespace {

/// Front ends put process-wide numbers into names, which do not change the code.
void strip_names(llvm::Module& module, const std::string& entry) {
  module.setModuleIdentifier("");
  module.setSourceFileName("");
  int next = 0;
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration()) variable.setName(fmt::format("g{}", next++));
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    f.setName(f.getName() == entry ? "entry" : fmt::format("f{}", next++));
    for (llvm::Argument& a : f.args()) a.setName("");
    for (llvm::BasicBlock& block : f) {
      block.setName("");
      for (llvm::Instruction& i : block) i.setName("");
    }
  }
}

std::string bitcode_of(const llvm::Module& module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

std::string key_of(const target::KernelModule& source) {
  Diagnostics diagnostics;
  // The triple and the layout do not matter, because the key identifies the module and not its
  // code.
  auto module = link_module(source, diagnostics, "", llvm::DataLayout(""));
  if (!source.debug) llvm::StripDebugInfo(*module);
  strip_names(*module, source.entry);
  std::string bytes = bitcode_of(*module);
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::string key = fmt::format("module {:016x}{:016x} {} {}", hash.high64, hash.low64,
                                source.independent_items, source.debug);
  for (target::Parameter p : source.signature.parameters)
    key += fmt::format(" p{}", static_cast<int>(p));
  for (int64_t size : source.local_size) key += fmt::format(" {}", size);
  if (source.resident_groups > 0) key += fmt::format(" r{}", source.resident_groups);
  key += fmt::format("\n{}\n", process::environment(process::variable::kMaskedLoops));
  key += source.source_file;
  for (const std::string& message : source.messages) key += '\n' + message;
  return key;
}

}  // namespace

std::string module_key(const target::KernelModule& source) {
  return with_llvm([&] { return key_of(source); });
}

}  // namespace hither::compiler
