#include "launch/kernel_function.h"

#include <cstdint>

#include <fmt/format.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "launch/argument_pack.h"
#include "launch/array_use.h"
#include "launch/launch_range.h"
#include "launch/staging.h"

namespace hither::launch {
namespace {

// Type words of a call, on the stack unless it has very many arguments.
class Fingerprint {
 public:
  explicit Fingerprint(std::span<const Argument> arguments) {
    if (arguments.size() > kInline) spilled_.resize(arguments.size());
    uint64_t* words = spilled_.empty() ? inline_ : spilled_.data();
    for (size_t i = 0; i < arguments.size(); ++i) words[i] = type_of(arguments[i]).word();
    words_ = {words, arguments.size()};
  }
  std::span<const uint64_t> words() const noexcept { return words_; }

 private:
  static constexpr size_t kInline = 24;

  static ArgumentType type_of(const Argument& a) noexcept {
    if (a.kind == ArgumentKind::kScalar) return {a.dtype};
    if (a.kind == ArgumentKind::kArray) {
      const Array& x = *a.array;
      return {x.dtype(), static_cast<int8_t>(x.ndim()), x.is_c_contiguous(), x.is_read_only(),
              true};
    }
    const int64_t step = a.kind == ArgumentKind::kUsm ? 1 : size_of(a.dtype);
    return {a.dtype, static_cast<int8_t>(a.shape->size()), is_c_order(*a.shape, *a.strides, step),
            a.read_only, is_aligned(a)};
  }
  static bool is_aligned(const Argument& a) noexcept {
    const int64_t unit = is_complex(a.dtype) ? size_of(a.dtype) / 2 : size_of(a.dtype);
    if (reinterpret_cast<uintptr_t>(a.data) % static_cast<uintptr_t>(unit) != 0) return false;
    if (a.kind == ArgumentKind::kUsm) return true;
    for (int64_t stride : *a.strides)
      if (stride % unit != 0) return false;
    return true;
  }

  uint64_t inline_[kInline];
  std::vector<uint64_t> spilled_;
  std::span<const uint64_t> words_;
};

void pack_array(ArgumentPack& pack, const void* data, const Dims& shape, const Dims& strides,
                int64_t stride_bytes, bool contiguous) {
  pack.pointer(data);
  for (int64_t extent : shape) pack.integer(extent);
  if (contiguous) return;
  for (int64_t stride : strides) pack.integer(stride * stride_bytes);
}

bool waits_for_foreign_memory(std::span<const Argument> arguments) noexcept {
  for (const Argument& a : arguments)
    if (a.kind == ArgumentKind::kUsm) return true;
  return false;
}

}  // namespace

KernelFunction::KernelFunction(std::string name, std::vector<std::string> parameters,
                               std::unique_ptr<FrontEnd> front_end)
    : name_(std::move(name)),
      parameters_(std::move(parameters)),
      front_end_(std::move(front_end)) {}

LaunchResult KernelFunction::launch(const LaunchRequest& request) {
  if (request.arguments.size() != parameters_.size())
    throw Error(ErrorKind::kType, name_,
                fmt::format("takes {} argument(s) ({}) and was given {}", parameters_.size(),
                            fmt::join(parameters_, ", "), request.arguments.size()));
  const runtime::Placement placement = place(request);
  const NdRange range =
      request.range ? *request.range : range_of_arguments(name_, request.arguments);
  check_range(name_, range);
  LaunchResult result;
  result.context_ignored = placement.context_ignored;
  result.event = placement.stage_host_arrays ? submit_staged(request, range, placement.queue)
                                             : submit(request, range, placement.queue);
  return result;
}

runtime::Placement KernelFunction::place(const LaunchRequest& request) const {
  constexpr size_t kInline = 8;  // few: each is filled in at every launch
  runtime::PlacedArgument on_stack[kInline];
  std::vector<runtime::PlacedArgument> spilled;
  const size_t count = request.arguments.size();
  if (count > kInline) spilled.resize(count);
  runtime::PlacedArgument* placed = spilled.empty() ? on_stack : spilled.data();
  for (size_t i = 0; i < count; ++i) {
    const Argument& a = request.arguments[i];
    runtime::PlacedArgument& p = placed[i];
    p.name = parameters_[i];
    switch (a.kind) {
      case ArgumentKind::kScalar:
        p.kind = runtime::ArgumentKind::kScalar;
        break;
      case ArgumentKind::kHost:
        p.kind = runtime::ArgumentKind::kHostArray;
        p.type_name = a.type_name;
        break;
      case ArgumentKind::kArray:
        p.kind = runtime::ArgumentKind::kUsmArray;
        p.queue = &a.array->queue();
        p.usm_type = a.array->usm_type();
        p.type_name = "hither.Array";
        break;
      case ArgumentKind::kUsm:
        p.kind = runtime::ArgumentKind::kUsmArray;
        p.queue = a.queue;
        p.usm_type = a.usm_type;
        p.type_name = a.type_name;
        break;
    }
  }
  return runtime::place(name_, {placed, count}, request.explicit_queue, request.context_queue);
}

std::shared_ptr<Specialisation> KernelFunction::specialise(std::span<const Argument> arguments) {
  const Fingerprint fingerprint(arguments);
  if (auto found = table_.find(fingerprint.words())) return found;
  return table_.find_or_make(fingerprint.words(), [&] {
    std::vector<ArgumentType> types;
    for (uint64_t word : fingerprint.words()) types.push_back(ArgumentType::from_word(word));
    return front_end_->make(types);
  });
}

Event KernelFunction::submit(const LaunchRequest& request, const NdRange& range,
                             const Queue& queue) {
  const auto specialisation = specialise(request.arguments);
  const Kernel kernel = specialisation->kernel_for(queue);
  if (range.global.items() == 0) return Event();
  for (size_t i = 0; i < request.arguments.size(); ++i)
    if (request.arguments[i].kind == ArgumentKind::kArray && specialisation->writes(i))
      ArrayUses::own(*request.arguments[i].array);
  ArgumentPack pack;
  ArrayUses uses(request.depends_on, request.arguments.size());
  for (size_t i = 0; i < request.arguments.size(); ++i) {
    const Argument& a = request.arguments[i];
    switch (a.kind) {
      case ArgumentKind::kScalar:
        pack.number(a.number, static_cast<size_t>(size_of(a.dtype)));
        break;
      case ArgumentKind::kArray: {
        const Array& x = *a.array;
        void* data = uses.begin(x, specialisation->writes(i));
        pack_array(pack, data, x.shape(), x.strides(), x.itemsize(), x.is_c_contiguous());
        break;
      }
      case ArgumentKind::kUsm:
      case ArgumentKind::kHost: {
        const int64_t unit = a.kind == ArgumentKind::kUsm ? size_of(a.dtype) : 1;
        pack_array(pack, a.data, *a.shape, *a.strides, unit,
                   is_c_order(*a.shape, *a.strides, size_of(a.dtype) / unit));
        break;
      }
    }
  }
  const Event event = queue.submit(kernel, range, pack.bytes(), uses.dependencies());
  uses.end(event);
  if (waits_for_foreign_memory(request.arguments)) event.wait();
  return event;
}

Event KernelFunction::submit_staged(const LaunchRequest& request, const NdRange& range,
                                    const Queue& queue) {
  HostStaging staging(request.arguments, queue);
  const auto specialisation = specialise(staging.arguments());
  if (range.global.items() == 0) return Event();
  LaunchRequest staged = request;
  staged.arguments = staging.arguments();
  staging.copy_in(request.depends_on);
  const Event event = submit(staged, range, queue);
  event.wait();
  for (size_t i = 0; i < request.arguments.size(); ++i)
    if (request.arguments[i].kind == ArgumentKind::kHost && specialisation->writes(i))
      staging.copy_out(i);
  staging.finish();
  return event;
}

std::string inspect(const Specialisation& specialisation, Inspection what) {
  const auto stage =
      what == Inspection::kOptimised ? compiler::Stage::kOptimised : compiler::Stage::kAssembly;
  return compiler::inspect(specialisation.source().module, target::Target{}, stage);
}

}  // namespace hither::launch
