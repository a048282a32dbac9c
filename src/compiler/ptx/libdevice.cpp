#include "compiler/ptx/libdevice.h"

#include <filesystem>
#include <set>

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include "process/environment.h"

namespace hither::compiler {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "nvvm/libdevice/libdevice.10.bc";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Searches packages such as nvidia/cu13 and nvidia/cuda_nvcc, which are installed next to hither.
std::string among_packages() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void*>(&find_libdevice), &self) || !self.dli_fname) return {};
  const fs::path packages = fs::path(self.dli_fname).parent_path().parent_path() / "nvidia";
  std::error_code none;
  std::set<fs::path> found;  // sorted, so that the choice does not depend on the directory's order
  for (const auto& package : fs::directory_iterator(packages, none))
    if (is_file(package.path() / kFile)) found.insert(package.path() / kFile);
  return found.empty() ? "" : found.rbegin()->string();
}

bool is_wanted(const llvm::Function& f) {
  return f.isDeclaration() && is_libdevice(f) && !f.use_empty();
}

bool is_wanted_by(const llvm::Module& module) {
  for (const llvm::Function& f : module)
    if (is_wanted(f)) return true;
  return false;
}

void make_internal(llvm::Module& module, const std::set<std::string>& before) {
  for (llvm::Function& f : module) {
    if (f.isDeclaration() || before.contains(f.getName().str())) continue;
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    for (const char* attribute : {"target-cpu", "target-features"}) f.removeFnAttr(attribute);
    f.removeFnAttr(llvm::Attribute::NoInline);
    f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace

std::string find_libdevice() {
  if (const auto named = process::environment(process::variable::kLibdevice); !named.empty())
    return std::string(named);
  for (const char* variable : {process::variable::kCudaHome, process::variable::kCudaPath})
    if (const auto home = process::environment(variable);
        !home.empty() && is_file(fs::path(home) / kFile))
      return fs::path(home) / kFile;
  if (std::string found = among_packages(); !found.empty()) return found;
  const fs::path toolkit = fs::path("/usr/local/cuda") / kFile;
  return is_file(toolkit) ? toolkit.string() : "";
}

std::string libdevice_identity() {
  const std::string path = find_libdevice();
  std::error_code none;
  const auto bytes = fs::file_size(path, none);
  const auto written = fs::last_write_time(path, none).time_since_epoch().count();
  return fmt::format("{} {} {}", path, bytes, written);
}

void link_libdevice(llvm::Module& module, const std::string& kernel, Diagnostics& diagnostics) {
  if (!is_wanted_by(module)) return;
  const std::string path = find_libdevice();
  if (path.empty())
    refuse_unsupported(
        kernel,
        "calls a mathematical function, which needs NVIDIA's libdevice on CUDA devices, and "
        "libdevice was not found; run `pip install nvidia-cuda-nvcc`, or set "
        "HITHER_LIBDEVICE to a file libdevice.10.bc, or CUDA_HOME to a toolkit");
  llvm::SMDiagnostic complaint;
  auto library = llvm::getLazyIRFileModule(path, complaint, module.getContext());
  if (!library)
    refuse_unsupported(
        kernel,
        fmt::format("cannot read {}: {}; set HITHER_LIBDEVICE or CUDA_HOME to use another file",
                    path, complaint.getMessage().str()));
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  std::set<std::string> before;
  for (const llvm::Function& f : module)
    if (!f.isDeclaration()) before.insert(f.getName().str());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    refuse(kernel, fmt::format("{} does not link: {}", path, diagnostics.take()));
  make_internal(module, before);
  for (const llvm::Function& f : module)
    if (is_wanted(f))
      refuse_unsupported(kernel, fmt::format("{} has no function {}", path, f.getName().str()));
  // Denormal numbers are not flushed to zero.
  module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 0u);
}

}  // namespace hither::compiler
