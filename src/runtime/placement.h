// Compute follows data: determines the queue of a call from its arguments.
#pragma once

#include <span>
#include <string_view>

#include <hither/memory.h>
#include <hither/queue.h>

namespace hither::runtime {

enum class ArgumentKind : uint8_t { kScalar, kHostArray, kUsmArray };

/// The properties of an argument that determine placement. Non-owning.
struct PlacedArgument {
  ArgumentKind kind = ArgumentKind::kScalar;
  const Queue* queue = nullptr;      ///< of a USM array
  const Context* context = nullptr;  ///< where its memory lives, null = queue's context
  UsmType usm_type = UsmType::kDevice;
  std::string_view name;       ///< "x"; if empty, messages give the position
  std::string_view type_name;  ///< "numpy.ndarray", "hither.Array"
};

struct Placement {
  Queue queue;
  UsmType usm_type = UsmType::kDevice;  ///< strongest of the USM arguments
  bool stage_host_arrays = false;       ///< host arrays are copied to `queue` and back
  bool follows_data = false;            ///< USM arguments determined the queue
  bool context_ignored = false;         ///< warn: follows_data, with another queue than the context
};

/// Applies the placement rules (docs/explanation/placement.md). `where` names the function for
/// messages. `explicit_queue` is queue=, `context_queue` the innermost device context of the
/// caller's thread or task. Throws Error kPlacement naming the arguments and queues that disagree.
/// Takes no lock.
HITHER_EXPORT Placement place(std::string_view where, std::span<const PlacedArgument> arguments,
                              const Queue* explicit_queue, const Queue* context_queue);

}  // namespace hither::runtime
