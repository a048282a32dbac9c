// Kernels that were compiled from C++ when the program was built.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <hither/launch.h>

namespace hither {

/// A set of kernels written in C++ with <hither/device.h> and compiled to LLVM bitcode by the CMake
/// function hither_add_kernels(). They run on every device. Copies share the code. Thread-safe.
class HITHER_EXPORT Module {
 public:
  /// Reads bitcode (or text of LLVM IR); `name` stands for it in messages. Errors: kCompile when it
  /// is not IR that this library reads, holds no kernels, or one whose parameters are neither
  /// pointers nor numbers.
  explicit Module(std::string_view code, std::string name = "Module");

  /// Names of its kernels, in the order of the source.
  std::vector<std::string> kernels() const;

  /// A kernel ready for the queue's device: compiled at the first call, and kept in memory and on
  /// disk. Kernels with barriers, local memory or group functions are compiled per local size on
  /// CPUs, and per number of its dimensions elsewhere: `local` names it. Errors: kValue when there
  /// is no such kernel, or no local size where one is needed; kCompile.
  Kernel kernel(const Queue& queue, std::string_view name, const Range& local = Range(0)) const;

  /// Runs a kernel over `range` on the queue of its arrays, or options.queue; see parallel_for().
  /// Local memory arguments (pointers to HITHER_LOCAL) are given as a number: their bytes.
  Event launch(std::string_view name, const NdRange& range, std::span<const Operand> arguments,
               const LaunchOptions& options = {}) const;
  Event launch(std::string_view name, const NdRange& range,
               std::initializer_list<Operand> arguments, const LaunchOptions& options = {}) const {
    return launch(name, range, std::span(arguments.begin(), arguments.size()), options);
  }

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace hither
