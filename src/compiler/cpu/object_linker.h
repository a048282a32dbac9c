// Object files become callable code in this process.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "target/code_image.h"

namespace hither::compiler {

struct LinkedObject {
  target::CpuEntry entry = nullptr;
  std::shared_ptr<const void> owner;  ///< the code is unmapped when this goes
};

/// Maps an object file, resolves what it calls (host_symbols.h) and finds `symbol` in it. `where`
/// names the kernel in errors. Blocking; threads link side by side. Throws Error kCompile.
LinkedObject link_object(std::span<const char> object, const std::string& symbol,
                         const std::string& where);

}  // namespace hither::compiler
