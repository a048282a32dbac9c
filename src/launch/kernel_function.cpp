#include "launch/kernel_function.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/recording.h>
#include <hither/strides.h>

#include "array/record/launch_recording.h"
#include "compiler/compiler.h"
#include "launch/argument_pack.h"
#include "launch/array_use.h"
#include "launch/launch_range.h"
#include "launch/print_buffer.h"
#include "launch/staging.h"
#include "profiling/kernel_history.h"
#include "profiling/ranges.h"
#include "runtime/device_state.h"
#include "runtime/launch_check.h"

namespace hither::launch {
namespace {

// The nesting tokens and argument types of a call. They are on the stack unless there are very
// many.
class Fingerprint {
 public:
  Fingerprint(std::span<const Argument> arguments, std::span<const uint64_t> nesting) {
    const size_t count = nesting.size() + arguments.size();
    if (count > kInline) spilled_.resize(count);
    uint64_t* words = spilled_.empty() ? inline_ : spilled_.data();
    words_ = {words, count};
    words = std::ranges::copy(nesting, words).out;
    for (const Argument& a : arguments) *words++ = type_of(a).word();
  }
  std::span<const uint64_t> words() const noexcept { return words_; }

 private:
  static constexpr size_t kInline = 24;

  static ArgumentType type_of(const Argument& a) noexcept {
    if (a.kind == ArgumentKind::kScalar) return {.dtype = a.dtype, .record = a.record};
    if (a.kind == ArgumentKind::kLocal)
      return {.dtype = a.dtype, .rank = static_cast<int8_t>(a.shape->size()), .local = true};
    if (a.kind == ArgumentKind::kArray) {
      const Array& x = *a.array;
      return {.dtype = x.dtype(),
              .rank = static_cast<int8_t>(x.ndim()),
              .contiguous = x.is_c_contiguous(),
              .read_only = x.is_read_only()};
    }
    const int64_t step = a.kind == ArgumentKind::kUsm ? 1 : a.item_bytes();
    return {.dtype = a.dtype,
            .rank = static_cast<int8_t>(a.shape->size()),
            .contiguous = is_contiguous(*a.shape, *a.strides, step),
            .read_only = a.read_only,
            .aligned = is_aligned(a),
            .record = a.record};
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

void pack_scalar(ArgumentPack& pack, const Argument& a) {
  if (!a.record) return pack.number(a.number, static_cast<size_t>(size_of(a.dtype)));
  for (size_t at = 0; at < a.record_bytes; at += 8)
    pack.number(static_cast<const char*>(a.data) + at, std::min<size_t>(8, a.record_bytes - at));
}

void pack_local(ArgumentPack& pack, const Argument& a) {
  pack.integer(a.shape->product() * size_of(a.dtype));
  for (int64_t extent : *a.shape) pack.integer(extent);
}

int64_t bytes_of(std::span<const Argument> arguments) noexcept {
  int64_t bytes = 0;
  for (const Argument& a : arguments)
    if (a.is_array())
      bytes +=
          (a.kind == ArgumentKind::kArray ? a.array->shape() : *a.shape).product() * a.item_bytes();
  return bytes;
}

void note_launch(const LoadedKernel& loaded, const std::string& name, const NdRange& range,
                 std::span<const Argument> arguments, uint64_t spent) noexcept {
  const bool first = !loaded.launched.exchange(true, std::memory_order_relaxed);
  profiling::record_launch(
      {name, loaded.device, first ? loaded.source : "memory", first ? loaded.compile_seconds : 0},
      range.global.items(), bytes_of(arguments), spent);
}

void record(array::LaunchRecording& recording, const Argument& a, const ArgumentPack& pack) {
  const size_t slot = pack.bytes().size() / sizeof(uint64_t);
  recording.number(slot, a.symbol, a.dtype);
  if (a.kind == ArgumentKind::kArray) recording.address(slot);
  if (a.kind == ArgumentKind::kUsm || a.kind == ArgumentKind::kHost)
    Recorder::refuse("a kernel has arguments of other libraries");
}

void pack_argument(ArgumentPack& pack, ArrayUses& uses, const Argument& a, bool writes,
                   const Queue& queue) {
  switch (a.kind) {
    case ArgumentKind::kScalar:
      return pack_scalar(pack, a);
    case ArgumentKind::kLocal:
      return pack_local(pack, a);
    case ArgumentKind::kArray: {
      const Array& x = *a.array;
      void* data = uses.begin(x, writes);
      return pack_array(pack, data, x.shape(), x.strides(), x.itemsize(), x.is_c_contiguous());
    }
    case ArgumentKind::kUsm:
      if (*a.queue == queue)
        wait_for_foreign_commands(queue);
      else
        uses.depend_on(event_of_foreign_work(*a.queue));
      [[fallthrough]];
    case ArgumentKind::kHost: {
      const int64_t unit = a.kind == ArgumentKind::kUsm ? size_of(a.dtype) : 1;
      return pack_array(pack, a.data, *a.shape, *a.strides, unit,
                        is_contiguous(*a.shape, *a.strides, a.item_bytes() / unit));
    }
  }
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
  check_count(request);
  const runtime::Placement placement = place(request);
  const NdRange range =
      request.range ? *request.range : range_of_arguments(name_, request.arguments);
  runtime::check_range(name_, range, placement.queue.device().state()->facts());
  LaunchResult result;
  result.follows_data = placement.follows_data;
  result.context_ignored = placement.context_ignored;
  result.event = placement.stage_host_arrays ? submit_staged(request, range, placement.queue)
                                             : submit(request, range, placement.queue);
  return result;
}

void KernelFunction::check_count(const LaunchRequest& request) const {
  size_t given = request.arguments.size();
  if (!request.nesting.empty()) {
    given = 0;
    for (size_t at = 0; at < request.nesting.size(); ++given)
      at = NestingToken::end_of(request.nesting, at);
  }
  if (given != parameters_.size())
    throw Error(ErrorKind::kType, name_,
                fmt::format("takes {} argument(s) ({}) and was given {}", parameters_.size(),
                            fmt::join(parameters_, ", "), given));
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
    if (request.nesting.empty()) p.name = parameters_[i];
    switch (a.kind) {
      case ArgumentKind::kScalar:
      case ArgumentKind::kLocal:
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

std::shared_ptr<Specialisation> KernelFunction::specialise(const LaunchRequest& request) {
  const Fingerprint fingerprint(request.arguments, request.nesting);
  if (auto found = table_.find(fingerprint.words())) return found;
  return table_.find_or_make(fingerprint.words(), [&] {
    std::vector<ArgumentType> types;
    for (uint64_t word : fingerprint.words().last(request.arguments.size()))
      types.push_back(ArgumentType::from_word(word));
    return front_end_->make(types, request.nesting);
  });
}

void KernelFunction::compile_for(std::span<const ArgumentType> types, const Queue& queue) {
  std::vector<uint64_t> words;
  for (const ArgumentType& type : types) words.push_back(type.word());
  const auto specialisation =
      table_.find_or_make(words, [&] { return front_end_->make(types, {}); });
  if (!specialisation->source().has_groups) specialisation->kernel_for(queue);
}

Event KernelFunction::submit(const LaunchRequest& request, const NdRange& range,
                             const Queue& queue) {
  const auto specialisation = specialise(request);
  if (specialisation->source().has_groups) runtime::check_has_groups(name_, range);
  const auto loaded = specialisation->kernel_for(queue, range);
  if (range.global.items() == 0) return Event();
  ArrayUses uses(request.depends_on, request.arguments.size());
  for (size_t i = 0; i < request.arguments.size(); ++i)
    if (request.arguments[i].kind == ArgumentKind::kArray && specialisation->writes(i))
      uses.own(*request.arguments[i].array);
  ArgumentPack pack;
  array::LaunchRecording recording;
  for (size_t i = 0; i < request.arguments.size(); ++i) {
    const Argument& a = request.arguments[i];
    if (recording.is_active()) [[unlikely]]
      record(recording, a, pack);
    pack_argument(pack, uses, a, specialisation->writes(i), queue);
  }
  std::optional<PrintBuffer> printed;
  if (!specialisation->source().prints.empty()) [[unlikely]] {
    Recorder::refuse("a kernel prints");
    pack.pointer(printed.emplace(queue).address());
  }
  const profiling::KernelNaming naming(name_);
  const uint64_t start = profiling::ticks();
  Event event = queue.submit(loaded->kernel, range, pack.bytes(), uses.dependencies());
  const uint64_t spent = profiling::ticks() - start;
  if (printed) std::move(*printed).launched(specialisation, name_, event);
  if (recording.is_active()) [[unlikely]]
    recording.end(queue, loaded->kernel, name_, loaded->device, range, pack.bytes(),
                  bytes_of(request.arguments));
  uses.end(event);
  note_launch(*loaded, name_, range, request.arguments, spent);
  if (waits_for_foreign_memory(request.arguments)) event.wait();
  return event;
}

Event KernelFunction::submit_staged(const LaunchRequest& request, const NdRange& range,
                                    const Queue& queue) {
  HostStaging staging(request.arguments, queue);
  LaunchRequest staged = request;
  staged.arguments = staging.arguments();
  const auto specialisation = specialise(staged);
  if (range.global.items() == 0) return Event();
  staging.copy_in(request.depends_on);
  Event event = submit(staged, range, queue);
  event.wait();
  for (size_t i = 0; i < request.arguments.size(); ++i)
    if (request.arguments[i].kind == ArgumentKind::kHost && specialisation->writes(i))
      staging.copy_out(i);
  staging.finish();
  return event;
}

std::string inspect(const Specialisation& specialisation, Inspection what) {
  if (what == Inspection::kSpirv)
    return compiler::inspect(specialisation.newest_module(), {target::TargetKind::kSpirv, "1.4"},
                             compiler::Stage::kAssembly);
  const auto stage =
      what == Inspection::kOptimised ? compiler::Stage::kOptimised : compiler::Stage::kAssembly;
  return compiler::inspect(specialisation.newest_module(), target::Target{}, stage);
}

}  // namespace hither::launch
