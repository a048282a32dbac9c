// The target of machine code.
#pragma once

#include <cstdint>
#include <string>

namespace hither::target {

/// The rows of target_table.def.
enum class TargetKind : uint8_t {
#define HITHER_TARGET(constant, folder, code_target) constant,
#include "target/target_table.def"
#undef HITHER_TARGET
};

/// One kind of machine code. Equal targets may share compiled code.
struct Target {
  TargetKind kind = TargetKind::kCpu;
  /// CPU: an LLVM CPU name, or empty for the current machine. PTX: "sm_90". SPIR-V: "1.4".
  std::string arch;
  friend bool operator==(const Target&, const Target&) = default;
};

}  // namespace hither::target
