#include "compiler/module/diagnostics.h"

#include <hither/error.h>

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

namespace hither::compiler {

Diagnostics::Diagnostics() {
  context_.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* self) {
        if (info->getSeverity() != llvm::DS_Error) return;
        std::string& text = static_cast<Diagnostics*>(self)->text_;
        if (!text.empty()) text += "; ";
        llvm::raw_string_ostream stream(text);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
      },
      this, /*RespectFilters=*/true);
}

void refuse(const std::string& where, const std::string& message) {
  throw Error(ErrorKind::kCompile, where, message);
}

void refuse_unsupported(const std::string& where, const std::string& message) {
  throw Error(ErrorKind::kUnsupported, where, message);
}

void check(llvm::Error error, const std::string& where) {
  if (error) refuse(where, llvm::toString(std::move(error)));
}

}  // namespace hither::compiler
