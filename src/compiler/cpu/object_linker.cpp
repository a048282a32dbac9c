#include "compiler/cpu/object_linker.h"

#include <atomic>

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include "compiler/cpu/host_symbols.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

namespace orc = llvm::orc;

/// Resolves functions of the process as host_symbols.h says.
class HostSymbols : public orc::DefinitionGenerator {
 public:
  llvm::Error tryToGenerate(orc::LookupState&, orc::LookupKind, orc::JITDylib& library,
                            orc::JITDylibLookupFlags, const orc::SymbolLookupSet& wanted) override {
    orc::SymbolMap found;
    for (const auto& [name, flags] : wanted)
      if (void* address = find_host_symbol((*name).str()))
        found[name] = {orc::ExecutorAddr::fromPtr(address),
                       llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    return found.empty() ? llvm::Error::success()
                         : library.define(orc::absoluteSymbols(std::move(found)));
  }
};

/// The linker of the process. It is never destroyed, because code may run until the process ends.
class ObjectLinker {
 public:
  static ObjectLinker& process() {
    static auto* const linker = new ObjectLinker;
    return *linker;
  }

  LinkedObject link(std::span<const char> object, const std::string& symbol,
                    const std::string& where) {
    // Each object is a library of its own. All may define the same names, and each can be removed
    // alone.
    orc::JITDylib& library = session_.createBareJITDylib(fmt::format("kernel {}", next_++));
    library.addToLinkOrder(host_);
    LinkedObject linked;
    linked.owner = {&library, [this](const void* gone) { remove(gone); }};
    check(layer_.add(library, llvm::MemoryBuffer::getMemBufferCopy(
                                  llvm::StringRef(object.data(), object.size()), where)),
          where);
    orc::ExecutorSymbolDef found = check(
        session_.lookup(orc::makeJITDylibSearchOrder(&library), session_.intern(symbol)), where);
    linked.entry = found.getAddress().toPtr<target::CpuEntry>();
    return linked;
  }

 private:
  ObjectLinker()
      : session_(check(orc::SelfExecutorProcessControl::Create(
                           nullptr, std::make_unique<orc::InPlaceTaskDispatcher>()),
                       "object linker")),
        layer_(session_),
        host_(session_.createBareJITDylib("host")) {
    host_.addGenerator(std::make_unique<HostSymbols>());
    // lookup() returns the failures, so they are not printed here.
    session_.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  }

  void remove(const void* library) noexcept {
    auto* gone = static_cast<orc::JITDylib*>(const_cast<void*>(library));
    llvm::consumeError(session_.removeJITDylib(*gone));
  }

  orc::ExecutionSession session_;
  orc::ObjectLinkingLayer layer_;
  orc::JITDylib& host_;
  std::atomic<uint64_t> next_{0};
};

}  // namespace

LinkedObject link_object(std::span<const char> object, const std::string& symbol,
                         const std::string& where) {
  return ObjectLinker::process().link(object, symbol, where);
}

}  // namespace hither::compiler
