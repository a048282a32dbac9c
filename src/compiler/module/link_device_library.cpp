#include "compiler/module/link_device_library.h"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "device_library/embedded.h"

namespace hither::compiler {
namespace {

std::vector<llvm::Function*> missing_functions(llvm::Module& module) {
  std::vector<llvm::Function*> missing;
  for (llvm::Function& f : module)
    if (f.isDeclaration() && f.getName().starts_with("hither_") && !f.use_empty())
      missing.push_back(&f);
  return missing;
}

std::string text_of(const llvm::Type* type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return text;
}

void check_types(const std::vector<llvm::Function*>& wanted, const llvm::Module& library,
                 const std::string& kernel) {
  for (const llvm::Function* f : wanted) {
    const llvm::Function* found = library.getFunction(f->getName());
    if (!found)
      refuse(kernel, fmt::format("the device library has no function {}", f->getName().str()));
    if (found->getFunctionType() != f->getFunctionType())
      refuse(kernel, fmt::format("{} is {} in the device library, but the kernel declares {}",
                                 f->getName().str(), text_of(found->getFunctionType()),
                                 text_of(f->getFunctionType())));
  }
}

std::string_view bitcode_of(DeviceLibrary library) {
  return library == DeviceLibrary::kCpu ? device_library::kDeviceLibraryCpu
                                        : device_library::kDeviceLibraryPortable;
}

}  // namespace

void link_device_library(llvm::Module& module, DeviceLibrary which, const std::string& kernel,
                         Diagnostics& diagnostics) {
  auto wanted = missing_functions(module);
  if (wanted.empty()) return;
  auto library =
      check(llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode_of(which), "device library"),
                                       module.getContext()),
            kernel);
  check_types(wanted, *library, kernel);
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  std::set<std::string> before;
  for (const llvm::Function& f : module)
    if (!f.isDeclaration()) before.insert(f.getName().str());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    refuse(kernel, "the device library does not link: " + diagnostics.take());
  for (llvm::Function& f : module) {
    if (f.isDeclaration() || before.contains(f.getName().str())) continue;
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    // The library was built for the lowest CPU of the triple. The kernel's machine decides.
    for (const char* attribute : {"target-cpu", "target-features", "tune-cpu"})
      f.removeFnAttr(attribute);
  }
}

}  // namespace hither::compiler
