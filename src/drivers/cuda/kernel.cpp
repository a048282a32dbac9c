#include "drivers/cuda/kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "drivers/cuda/device.h"

namespace hither::drivers::cuda {
namespace {

using target::Parameter;

constexpr size_t kLogBytes = 16 * 1024;
constexpr int64_t kLocalAlignment = 16;
constexpr int64_t kWarp = 32;
/// What every architecture takes, in the order x, y, z.
constexpr int64_t kMostGroups[3] = {INT32_MAX, 65535, 65535};
constexpr int64_t kMostItems[3] = {1024, 1024, 64};

/// A launch in the device's order: x, y, z.
struct Shape {
  int64_t sizes[3] = {1, 1, 1};
  int64_t block[3] = {1, 1, 1};
  unsigned grid[3] = {1, 1, 1};
};

/// The device's dimension of ours: a kernel that asks about `known` ones finds them in reverse.
int device_dimension(int d, int known) noexcept { return d < known ? known - 1 - d : d; }

int64_t largest_divisor(int64_t n, int64_t most) noexcept {
  int64_t d = std::min(n, most);
  while (n % d != 0) --d;
  return d;
}

void choose_block(Shape& shape, bool whole_groups, int64_t items) noexcept {
  if (whole_groups) {
    shape.block[0] = largest_divisor(shape.sizes[0], items);
    return;
  }
  for (int d = 0; d < 3; ++d) {
    const auto wanted = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(shape.sizes[d])));
    shape.block[d] = std::clamp<int64_t>(wanted, 1, std::min(items, kMostItems[d]));
    items = std::max<int64_t>(1, items / shape.block[d]);
  }
  // Alone in its warp an item of x wastes the rest of it.
  if (shape.block[1] == 1 && shape.block[2] == 1) shape.block[0] = std::max(shape.block[0], kWarp);
}

Shape shape_of(const target::CodeImage& image, const NdRange& range, int64_t block_items) {
  Shape shape;
  const bool is_given = range.local[0] > 0;
  const bool is_fixed = !is_given && image.uses_groups && image.local_size[0] > 0;
  for (int d = 0; d < range.global.dimensions; ++d) {
    const int at = device_dimension(d, image.dimensions);
    shape.sizes[at] = range.global.size[d];
    if (is_given) shape.block[at] = range.local[d];
    if (is_fixed) shape.block[at] = image.local_size[d];
  }
  if (!is_given && !is_fixed) choose_block(shape, image.uses_groups, block_items);
  for (int d = 0; d < 3; ++d) {
    int64_t groups = (shape.sizes[d] + shape.block[d] - 1) / shape.block[d];
    if (groups > kMostGroups[d] && image.uses_groups)
      throw Error(ErrorKind::kValue, image.entry_name,
                  fmt::format("{} work-groups in dimension {} of the device are more than its {}; "
                              "use larger groups, or put the long dimension last",
                              groups, "xyz"[d], kMostGroups[d]));
    groups = std::min(groups, kMostGroups[d]);
    shape.grid[d] = static_cast<unsigned>(groups);
  }
  return shape;
}

/// The addresses of a launch's parameters, and the values that the driver adds.
struct Parameters {
  std::vector<void*> addresses;
  std::vector<int64_t> offsets;  ///< of local memory
  int64_t local_bytes = 0;
  void* report = nullptr;

  Parameters(const target::CodeImage& image, std::span<const std::byte> arguments,
             int64_t (&sizes)[3], void* record)
      : report(record) {
    const auto& parameters = image.signature.parameters;
    addresses.reserve(parameters.size() + 4);
    offsets.reserve(parameters.size());  // their addresses stay
    const std::byte* slot = arguments.data();
    for (const Parameter parameter : parameters) {
      if (parameter == Parameter::kLocalBytes)
        add_local(slot);
      else
        addresses.push_back(const_cast<std::byte*>(slot));
      slot += (size_of(parameter) + 7) / 8 * 8;
    }
    if (!image.uses_groups)
      for (int64_t& size : sizes) addresses.push_back(&size);
    if (report) addresses.push_back(&report);
  }

 private:
  void add_local(const std::byte* slot) {
    int64_t bytes;
    std::memcpy(&bytes, slot, sizeof bytes);
    offsets.push_back(local_bytes);
    addresses.push_back(&offsets.back());
    local_bytes += (bytes + kLocalAlignment - 1) / kLocalAlignment * kLocalAlignment;
  }
};

bool is_text(const std::vector<char>& bytes) noexcept {
  constexpr std::array<char, 4> elf = {0x7f, 'E', 'L', 'F'};
  return bytes.size() < elf.size() || !std::equal(elf.begin(), elf.end(), bytes.begin());
}

}  // namespace

LoadedFunction::LoadedFunction(std::shared_ptr<NativeContext> context,
                               const target::CodeImage& image)
    : context_(std::move(context)) {
  if (image.target.kind != target::TargetKind::kPtx)
    throw Error(ErrorKind::kUnsupported, "load_kernel",
                "kernel " + image.entry_name + " was not compiled for an NVIDIA GPU");
  const Current current(*context_);
  load(image);
  try {
    context_->check(api().cuModuleGetFunction(&function_, module_, image.entry_name.c_str()),
                    "cuModuleGetFunction", "load_kernel");
    int fixed_local = 0, grid = 0, block = 0;
    context_->check(api().cuFuncGetAttribute(&fixed_local, kFunctionSharedBytes, function_),
                    "cuFuncGetAttribute", "load_kernel");
    const int64_t local = attribute(context_->device(), kMaxSharedBytesPerBlockOptin) - fixed_local;
    context_->check(api().cuFuncSetAttribute(function_, kFunctionMaxDynamicSharedBytes,
                                             static_cast<int>(std::max<int64_t>(local, 0))),
                    "cuFuncSetAttribute", "load_kernel");
    context_->check(
        api().cuOccupancyMaxPotentialBlockSize(&grid, &block, function_, nullptr, 0, 256),
        "cuOccupancyMaxPotentialBlockSize", "load_kernel");
    block_items_ = std::max<int64_t>(
        kWarp, static_cast<int64_t>(std::bit_floor(static_cast<unsigned>(std::max(block, 1)))));
  } catch (...) {
    api().cuModuleUnload(module_);
    throw;
  }
}

void LoadedFunction::load(const target::CodeImage& image) {
  std::string text;  // PTX ends in a zero
  if (is_text(image.bytes)) text.assign(image.bytes.begin(), image.bytes.end());
  std::string log(kLogBytes, '\0');
  int options[] = {kJitErrorLog, kJitErrorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(kLogBytes)};
  const CUresult result = api().cuModuleLoadDataEx(
      &module_, text.empty() ? static_cast<const void*>(image.bytes.data()) : text.c_str(), 2,
      options, values);
  if (result == kSuccess) return;
  const Error error = context_->failure(result, "cuModuleLoadDataEx", "load_kernel");
  log.resize(std::strlen(log.c_str()));
  throw Error(error.kind(), "load_kernel",
              "kernel " + image.entry_name + " was refused by the NVIDIA driver for CUDA " +
                  version_text(api().version) + ": " + error.message() +
                  (log.empty() ? "" : "\n" + log),
              error.native_code());
}

LoadedFunction::~LoadedFunction() { context_->retire(module_); }

void LoadedFunction::launch(CUstream stream, const target::CodeImage& image, const NdRange& range,
                            std::span<const std::byte> arguments, void* report) const {
  Shape shape = shape_of(image, range, block_items_);
  Parameters parameters(image, arguments, shape.sizes, report);
  const auto block = [&](int d) { return static_cast<unsigned>(shape.block[d]); };
  context_->check(
      api().cuLaunchKernel(function_, shape.grid[0], shape.grid[1], shape.grid[2], block(0),
                           block(1), block(2), static_cast<unsigned>(parameters.local_bytes),
                           stream, parameters.addresses.data(), nullptr),
      "cuLaunchKernel", "Queue.submit");
}

}  // namespace hither::drivers::cuda
