// The drivers that the conformance tests run on.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <hither/queue.h>

#include "runtime/kernel_state.h"

namespace hither::test {

/// A driver under test. The tests of its folder define one of these at namespace scope.
struct Subject {
  std::string driver;  ///< the name of its folder
  /// The device; empty if this machine has none.
  std::function<std::optional<Device>()> device;
  /// The code of a kernel, without signature; null if the driver runs no kernels:
  ///   axpy(double a, double* x, double* y)       y[i] = a * x[i] + y[i]
  ///   visit1(int* visits), visit3(int* visits)   adds 1 atomically at i, and at (i, j, k)
  ///   reads(int code)                            item (3, 4) reports `code` at line 12
  ///   reverse(int* x, local int*, short last)    reverses x within each group
  /// where i, j and k are the indices of dimensions 0, 1 and 2.
  std::function<std::shared_ptr<target::CodeImage>(std::string_view kernel)> code;
  /// Whether host tasks of a queue run one at a time and after earlier submissions, on any thread.
  bool orders_host_tasks = true;
  /// Whether each host task of an out-of-order queue has a thread of its own.
  bool has_host_threads = false;
  /// Whether contexts keep freed device memory in a runtime::DevicePool.
  bool has_device_pool = false;
};

/// Adds a subject to the ones of this program.
struct Registration {
  explicit Registration(Subject subject);
};

/// Calls `test` for each device under test, in a subcase with the driver's name. A driver without a
/// device is skipped with a message.
void for_each_device(const std::function<void(const Subject&, const Device&)>& test);
/// The same for devices that run kernels.
void for_each_kernel_device(const std::function<void(const Subject&, const Device&)>& test);
/// The same for both kinds of queue of each device.
void for_each_queue(const std::function<void(const Subject&, const Queue&)>& test);
/// The same for the queues of devices that run kernels.
void for_each_kernel_queue(const std::function<void(const Subject&, const Queue&)>& test);

/// The image of a kernel of Subject::code.
std::shared_ptr<target::CodeImage> image_of(const Subject& subject, std::string_view kernel);
/// That kernel, loaded.
Kernel load(const Subject& subject, const Queue& queue, std::string_view kernel);

/// Whether submissions wait for their dependencies: then the task is complete on return.
bool submission_waits(const Queue& queue);

struct AxpyArguments {
  double a;
  const double* x;
  double* y;
};

template <class Arguments>
std::span<const std::byte> packed(const Arguments& arguments) {
  return std::as_bytes(std::span(&arguments, 1));
}

/// y = a * x + y, repeatedly; each launch depends on the previous one.
Event add_up(const Queue& queue, const Kernel& axpy, void* x, void* y, int64_t n, int times,
             Event last);

}  // namespace hither::test
