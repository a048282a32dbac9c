// One kernel in the place of several small launches.
#pragma once

#include <cstdint>
#include <vector>

#include "target/kernel_module.h"

namespace hither::array {

/// What is known of an argument of a part, so that the joined kernel does not read it.
struct KnownArgument {
  enum class Kind : uint8_t { kNothing, kInteger, kAddress } kind = Kind::kNothing;
  int64_t value = 0;  ///< the integer, or the offset in bytes
  int memory = -1;    ///< of an address: an index into JoinedCode::memories
};

/// A launch that becomes part of a joined kernel.
struct JoinedPart {
  const target::KernelModule* module;
  int dimensions;  ///< of its range
  /// Where they are constants of the code: the sizes of the range, and what is known of each
  /// argument. Otherwise empty.
  std::vector<int64_t> sizes;
  std::vector<KnownArgument> arguments;
};

struct JoinedMemory {
  size_t private_bytes = 0;  ///< above 0: only the joined kernel uses it, and provides it
  bool is_new = false;       ///< no other memory overlaps with it
};

/// The parts run one after another. Parameters: for each part the sizes of its range, whose
/// product is below 2**31, then its own.
struct JoinedCode {
  std::vector<JoinedPart> parts;
  /// The number of items of the only group, which share the items of each part and wait for each
  /// other after it; 0: a single item runs them all.
  int64_t group = 0;
  std::vector<JoinedMemory> memories;  ///< of known addresses
};

/// Whether a kernel can be such a part: one piece of code, whose items use nothing of their launch
/// but the global id and size.
bool can_be_joined(const target::KernelModule& module);

target::KernelModule emit_joined(const JoinedCode& code);

}  // namespace hither::array
