// Functions that can be launched: a call becomes a submission.
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
  std::span<const Argument> arguments;  ///< the leaves, if some parameters are tuples
  std::span<const uint64_t> nesting;    ///< NestingTokens, if some parameters are tuples
  const Queue* explicit_queue = nullptr;
  const Queue* context_queue = nullptr;
  std::span<const Event> depends_on;
};

struct LaunchResult {
  Event event;
  bool follows_data = false;     ///< USM arguments determined the queue
  bool context_ignored = false;  ///< the caller warns that the device context had no effect
};

/// Thread-safe.
class HITHER_EXPORT KernelFunction {
 public:
  /// `parameters` names the parameters, for messages.
  KernelFunction(std::string name, std::vector<std::string> parameters,
                 std::unique_ptr<FrontEnd> front_end);

  const std::string& name() const noexcept { return name_; }
  const std::vector<std::string>& parameters() const noexcept { return parameters_; }

  /// Checks the call, places it, compiles new specialisations, and submits. With host arrays or
  /// foreign USM it returns after the kernel has run and the results are available, and throws the
  /// kernel's error. Otherwise it does not wait, and the error of a failed kernel is in the event
  /// and in the arrays that it wrote. Throws Error kPlacement, kType, kValue or kCompile; then
  /// nothing was submitted and the arguments are unchanged.
  LaunchResult launch(const LaunchRequest& request);

  /// Compiles for calls with these types on the device of `queue`, unless the code depends on the
  /// local size. Throws Error kCompile.
  void compile_for(std::span<const ArgumentType> types, const Queue& queue);

  /// The specialisations of the calls so far, most recently used first.
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
/// Compiles a specialisation for this machine's CPU again and returns its text, or for kSpirv the
/// bytes of its SPIR-V 1.4. CPU code with groups is compiled for the most recent new local size.
/// Throws Error kCompile if there was none yet, and kUnsupported if there is no SPIR-V emitter.
HITHER_EXPORT std::string inspect(const Specialisation& specialisation, Inspection what);

}  // namespace hither::launch
