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
/// Limit of streams with a RepeatedLaunch for one kernel, because graphs take memory.
constexpr size_t kMostStreams = 8;
/// The limits that every architecture supports, in the order x, y, z.
constexpr int64_t kMostGroups[3] = {INT32_MAX, 65535, 65535};
constexpr int64_t kMostItems[3] = {1024, 1024, 64};

/// A launch in the device's order: x, y, z.
struct Shape {
  int64_t sizes[3] = {1, 1, 1};
  int64_t block[3] = {1, 1, 1};
  int64_t grid[3] = {1, 1, 1};
};

int64_t quotient_up(int64_t n, int64_t by) noexcept { return (n + by - 1) / by; }

int64_t power_from(int64_t n) noexcept {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n)));
}

/// Chooses blocks of `items` threads for a kernel that checks the range in its `known` dimensions;
/// the block size is 1 in the others. x is filled first, unless the grid becomes too large.
void choose_block(Shape& shape, int known, int64_t items) noexcept {
  for (int d = 0; d < known; ++d) {
    shape.block[d] = power_from(quotient_up(shape.sizes[d], kMostGroups[d]));
    items = std::max<int64_t>(1, items / shape.block[d]);
  }
  for (int d = 0; d < known; ++d) {
    const int64_t most = std::min(power_from(shape.sizes[d]), kMostItems[d]);
    const int64_t factor = std::clamp<int64_t>(most / shape.block[d], 1, items);
    shape.block[d] *= factor;
    items /= factor;
  }
}

/// Threads take several items unless too few of them would be left to fill the device.
bool takes_strips(const target::CodeImage& image, const NdRange& range, int64_t along,
                  int64_t resident) noexcept {
  return !image.strips_if_many ||
         (along >= image.strip_items && range.global.items() / image.strip_items >= resident);
}

Shape shape_of(const target::CodeImage& image, const NdRange& range, int64_t block_items,
               int64_t resident) {
  Shape shape;
  const int known = image.dimensions;
  const bool is_fixed = range.local[0] == 0 && image.local_size[0] > 0;
  const int64_t* const local = is_fixed ? image.local_size : range.local;
  for (int d = 0; d < range.global.dimensions; ++d) {
    // The dimensions that a kernel uses are in reverse order.
    const int device_dimension = d < known ? known - 1 - d : d;
    shape.sizes[device_dimension] = range.global.size[d];
    if (local[0] > 0) shape.block[device_dimension] = local[d];
  }
  int64_t& along = shape.sizes[known == 1 ? 0 : 1];
  if (takes_strips(image, range, along, resident)) along = quotient_up(along, image.strip_items);
  if (local[0] == 0) choose_block(shape, known, block_items);
  for (int d = 0; d < 3; ++d) {
    shape.grid[d] = quotient_up(shape.sizes[d], shape.block[d]);
    if (shape.grid[d] > kMostGroups[d] || shape.block[d] > kMostItems[d])
      throw Error(
          ErrorKind::kValue, image.entry_name,
          fmt::format("the range needs {} groups of {} in the device's dimension {}, which "
                      "supports {} of {}; put the longest dimension last",
                      shape.grid[d], shape.block[d], "xyz"[d], kMostGroups[d], kMostItems[d]));
  }
  return shape;
}

/// The parameters of a launch if each has eight bytes, which is usual: CUDA is faster with one
/// buffer.
class PackedParameters {
 public:
  /// Whether all parameters have eight bytes and fit the buffer.
  static bool fit(const target::CodeImage& image) noexcept {
    const auto& parameters = image.signature.parameters;
    return parameters.size() + kAdded <= kMost && std::ranges::all_of(parameters, [](Parameter p) {
             return p != Parameter::kLocalBytes && p != Parameter::kComplex64 && size_of(p) == 8;
           });
  }
  PackedParameters(const target::CodeImage& image, const NdRange& range,
                   std::span<const std::byte> arguments, void* report) noexcept
      : bytes_(arguments.size()) {
    std::memcpy(words_, arguments.data(), arguments.size());
    if (report) add(reinterpret_cast<uintptr_t>(report));
    if (image.uses_groups) return;
    for (int d = 0; d < image.dimensions; ++d)
      add(d < range.global.dimensions ? static_cast<uint64_t>(range.global.size[d]) : 1);
  }
  PackedParameters(const PackedParameters&) = delete;
  PackedParameters& operator=(const PackedParameters&) = delete;

  /// cuLaunchKernel's `extra`.
  void** list() noexcept { return list_; }
  std::span<const uint64_t> words() const noexcept { return {words_, bytes_ / sizeof *words_}; }

 private:
  static constexpr size_t kMost = 64, kAdded = 4;
  void add(uint64_t word) noexcept {
    words_[bytes_ / sizeof word] = word;
    bytes_ += sizeof word;
  }

  uint64_t words_[kMost];
  size_t bytes_;
  void* list_[5] = {kParameterBuffer, words_, kParameterBytes, &bytes_, kParameterEnd};
};

/// The addresses of a launch's parameters, and the values that the driver adds.
struct Parameters {
  std::vector<void*> addresses;
  std::vector<int32_t> offsets;  ///< of local memory
  int64_t local_bytes = 0;
  int64_t sizes[3];  ///< of the range, in hither's order
  void* report = nullptr;

  Parameters(const target::CodeImage& image, const NdRange& range,
             std::span<const std::byte> arguments, void* record)
      : report(record) {
    const auto& parameters = image.signature.parameters;
    addresses.reserve(parameters.size() + 4);
    const std::byte* slot = arguments.data();
    for (const Parameter parameter : parameters) {
      if (parameter == Parameter::kLocalBytes)
        add_local(slot);
      else
        addresses.push_back(const_cast<std::byte*>(slot));
      slot += (size_of(parameter) + 7) / 8 * 8;
    }
    if (report) addresses.push_back(&report);
    for (int d = 0; d < 3; ++d) sizes[d] = d < range.global.dimensions ? range.global.size[d] : 1;
    if (!image.uses_groups)
      for (int d = 0; d < image.dimensions; ++d) addresses.push_back(&sizes[d]);
  }
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

 private:
  void add_local(const std::byte* slot) {
    int64_t bytes;
    std::memcpy(&bytes, slot, sizeof bytes);
    offsets.reserve(addresses.capacity());  // so that their addresses stay valid
    offsets.push_back(static_cast<int32_t>(local_bytes));
    addresses.push_back(&offsets.back());
    local_bytes += quotient_up(bytes, kLocalAlignment) * kLocalAlignment;
  }
};

bool is_text(const std::vector<char>& bytes) noexcept {
  constexpr std::array<char, 4> elf = {0x7f, 'E', 'L', 'F'};
  return bytes.size() < elf.size() || !std::equal(elf.begin(), elf.end(), bytes.begin());
}

}  // namespace

LoadedFunction::LoadedFunction(std::shared_ptr<NativeContext> context,
                               const target::CodeImage& image)
    : context_(std::move(context)), is_packed_(PackedParameters::fit(image)) {
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
    resident_ = int64_t{grid} * block;
    block_items_ = std::max<int64_t>(
        kWarp, static_cast<int64_t>(std::bit_floor(static_cast<unsigned>(std::max(block, 1)))));
  } catch (...) {
    api().cuModuleUnload(module_);
    throw;
  }
}

void LoadedFunction::load(const target::CodeImage& image) {
  std::string text;  // PTX is zero-terminated
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

LoadedFunction::~LoadedFunction() {
  std::vector<std::unique_ptr<RepeatedLaunch>> launches;
  for (InStream& each : repeated_) launches.push_back(std::move(each.launch));
  context_->retire(module_, std::move(launches));
}

RepeatedLaunch* LoadedFunction::repeated_in(CUstream stream) const {
  std::lock_guard lock(repeated_lock_);
  for (const InStream& known : repeated_)
    if (known.stream == stream) return known.launch.get();
  if (repeated_.size() == kMostStreams) return nullptr;
  repeated_.push_back({stream, std::make_unique<RepeatedLaunch>()});
  return repeated_.back().launch.get();
}

void LoadedFunction::launch(CUstream stream, const target::CodeImage& image, const NdRange& range,
                            std::span<const std::byte> arguments, void* report) const {
  const Shape shape = shape_of(image, range, block_items_, resident_);
  CUkernelNode node{};
  node.function = function_;
  for (int d = 0; d < 3; ++d) {
    node.grid[d] = static_cast<unsigned>(shape.grid[d]);
    node.block[d] = static_cast<unsigned>(shape.block[d]);
  }
  const auto launch = [&](std::span<const uint64_t> packed) {
    RepeatedLaunch* const repeated = repeated_in(stream);
    context_->check(
        repeated ? repeated->launch(stream, node, packed) : RepeatedLaunch::plainly(stream, node),
        "cuLaunchKernel", "Queue.submit");
  };
  if (is_packed_) {
    PackedParameters parameters(image, range, arguments, report);
    node.extra = parameters.list();
    launch(parameters.words());
  } else {
    Parameters parameters(image, range, arguments, report);
    node.parameters = parameters.addresses.data();
    node.local_bytes = static_cast<unsigned>(parameters.local_bytes);
    launch({});
  }
}

}  // namespace hither::drivers::cuda
