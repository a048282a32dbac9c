// Links object files into this process.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "target/code_image.h"

namespace hither::compiler {

struct LinkedObject {
  target::CpuEntry entry = nullptr;
  std::shared_ptr<const void> owner;  ///< owns the mapped code
};

/// Maps an object file, resolves its symbols (host_symbols.h) and looks up `symbol` in it. `where`
/// names the kernel in errors. Blocking. Threads link concurrently. Throws Error kCompile.
LinkedObject link_object(std::span<const char> object, const std::string& symbol,
                         const std::string& where);

}  // namespace hither::compiler
