// A function that can be launched: a call becomes a submission.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hither/event.h>
#include <hither/export.h>
#include <hither/kernel.h>

#include "launch/argument.h"
#include "launch/specialisation.h"
#include "runtime/placement.h"

namespace hither::launch {

/// One call. Non-owning.
struct LaunchRequest {
  const NdRange* range = nullptr;       ///< null: the shape of the first array argument
  std::span<const Argument> arguments;  ///< the leaves, where some parameters are tuples
  std::span<const uint64_t> nesting;    ///< NestingTokens, where some are
  const Queue* explicit_queue = nullptr;
  const Queue* context_queue = nullptr;
  std::span<const Event> depends_on;
};

struct LaunchResult {
  Event event;
  bool follows_data = false;     ///< USM arguments chose the queue
  bool context_ignored = false;  ///< the caller warns that the device context had no effect
};

/// Thread-safe.
class HITHER_EXPORT KernelFunction {
 public:
  /// `parameters` names what a call passes, for messages.
  KernelFunction(std::string name, std::vector<std::string> parameters,
                 std::unique_ptr<FrontEnd> front_end);

  const std::string& name() const noexcept { return name_; }
  const std::vector<std::string>& parameters() const noexcept { return parameters_; }

  /// Checks, places, compiles what is new, and submits. With host arrays, or USM of someone else,
  /// it returns when the kernel has run and the results are back, and throws what the kernel failed
  /// with; otherwise it does not wait, and a failed kernel shows in the event and in what it wrote.
  /// Throws Error kPlacement, kType, kValue, kCompile with nothing submitted and the arguments
  /// untouched.
  LaunchResult launch(const LaunchRequest& request);

  /// Compiles for calls with these types, on the device of `queue`, unless the code is per local
  /// size. Throws Error kCompile.
  void compile_for(std::span<const ArgumentType> types, const Queue& queue);

  /// What the calls so far compiled, most recently used first.
  std::vector<std::shared_ptr<Specialisation>> specialisations() const { return table_.all(); }

 private:
  runtime::Placement place(const LaunchRequest& request) const;
  std::shared_ptr<Specialisation> specialise(const LaunchRequest& request);
  void check_count(const LaunchRequest& request) const;
  Event submit(const LaunchRequest& request, const NdRange& range, const Queue& queue);
  Event submit_staged(const LaunchRequest& request, const NdRange& range, const Queue& queue);

  const std::string name_;
  const std::vector<std::string> parameters_;
  const std::unique_ptr<FrontEnd> front_end_;
  SpecialisationTable table_;
};

enum class Inspection : uint8_t { kOptimised, kAssembly, kSpirv };
/// Compiles a specialisation for this machine's CPU once more, and returns the text; for kSpirv the
/// bytes of its SPIR-V, version 1.4. CPU code with groups is compiled for the local size that was
/// new last. Throws Error kCompile before there was one; kUnsupported when there is no emitter of
/// SPIR-V.
HITHER_EXPORT std::string inspect(const Specialisation& specialisation, Inspection what);

}  // namespace hither::launch
