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
  /// Reads bitcode (or textual LLVM IR); `name` is used in messages. Error kCompile if the IR
  /// cannot be read, or holds no kernels, or a kernel has a parameter that is neither a pointer nor
  /// a number.
  explicit Module(std::string_view code, std::string name = "Module");

  /// Names of its kernels, in the order of the source.
  std::vector<std::string> kernels() const;

  /// A kernel ready for the queue's device: compiled at the first call, and cached in memory and on
  /// disk. Kernels with barriers, local memory or group functions are compiled for each local size
  /// on CPUs, and for each number of dimensions on other devices; they need `local`. Errors: kValue
  /// if there is no such kernel or a needed local size is missing; kCompile.
  Kernel kernel(const Queue& queue, std::string_view name, const Range& local = Range(0)) const;

  /// Runs a kernel over `range` on the queue of its arrays, or options.queue; see parallel_for().
  /// The argument for a pointer to local memory is its size in bytes.
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
