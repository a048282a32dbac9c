// Kernels given as LLVM IR, for C++ programs.
#include <algorithm>

#include <fmt/format.h>

#include <hither/launch.h>

#include "array/placed.h"
#include "compiler/compiler.h"
#include "launch/argument_pack.h"
#include "launch/array_use.h"
#include "launch/place_operands.h"
#include "profiling/ranges.h"
#include "profiling/record.h"
#include "runtime/kernel_state.h"

namespace hither {

namespace {

using target::Parameter;

static_assert(static_cast<int>(KernelParameter::kPointer) == static_cast<int>(Parameter::kPointer));
static_assert(static_cast<int>(KernelParameter::kLocalBytes) ==
              static_cast<int>(Parameter::kLocalBytes));

// The dtype in which a number is passed.
DType dtype_of(Parameter p, const Scalar& s) {
  const bool is_unsigned = s.kind() == Scalar::Kind::kUInt;
  switch (p) {
    case Parameter::kInt8:
      return is_unsigned ? DType::kUInt8 : DType::kInt8;
    case Parameter::kInt16:
      return is_unsigned ? DType::kUInt16 : DType::kInt16;
    case Parameter::kInt32:
      return is_unsigned ? DType::kUInt32 : DType::kInt32;
    case Parameter::kInt64:
    case Parameter::kLocalBytes:
      return is_unsigned ? DType::kUInt64 : DType::kInt64;
    case Parameter::kFloat16:
      return DType::kFloat16;
    case Parameter::kFloat32:
      return DType::kFloat32;
    case Parameter::kFloat64:
      return DType::kFloat64;
    case Parameter::kComplex64:
      return DType::kComplex64;
    default:
      return DType::kComplex128;
  }
}

bool writes(const LaunchOptions& options, size_t argument) noexcept {
  return argument >= 64 || (options.only_read >> argument & 1) == 0;
}

void check_arguments(const Kernel& kernel, std::span<const Parameter> parameters,
                     std::span<const Operand> arguments, const LaunchOptions& options) {
  if (arguments.size() != parameters.size())
    throw Error(ErrorKind::kValue, kernel.name(),
                fmt::format("{} arguments are given, the kernel takes {}", arguments.size(),
                            parameters.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool pointer = parameters[i] == Parameter::kPointer;
    if (pointer != arguments[i].is_array())
      throw Error(
          ErrorKind::kType, kernel.name(),
          fmt::format("argument {} is {}, the kernel's parameter takes {}", i,
                      pointer ? "a number" : "an array", pointer ? "an array" : "a number"));
    if (pointer && writes(options, i) && arguments[i].array().is_read_only())
      throw Error(ErrorKind::kValue, kernel.name(),
                  fmt::format("argument {} is read-only memory; pass copy(x)", i));
  }
}

}  // namespace

Queue launch::place_operands(const std::string& kernel, std::span<const Operand> arguments,
                             const Queue* queue) {
  std::vector<runtime::PlacedArgument> placed;
  for (const Operand& o : arguments)
    placed.push_back(o.is_array() ? array::placed_argument(o.array()) : runtime::PlacedArgument());
  return runtime::place(kernel, placed, queue, nullptr).queue;
}

Kernel build_kernel(const Queue& queue, const KernelSource& source) {
  target::KernelModule module;
  module.entry = source.entry;
  module.code = {source.code};
  for (KernelParameter p : source.parameters)
    module.signature.parameters.push_back(static_cast<Parameter>(p));
  module.independent_items = source.independent_items;
  std::ranges::copy(source.local_size, module.local_size);
  const profiling::Range range("compile ", source.entry);
  compiler::CacheOutcome outcome;
  auto image = compiler::compile_cached(
      compiler::module_key(module), runtime::target_of(queue.device()), [&] { return module; },
      &outcome);
  profiling::add_compilation(source.entry, compiler::name_of(outcome.source), outcome.seconds);
  return runtime::load_kernel(queue.context(), std::move(image));
}

Event parallel_for(const Kernel& kernel, const NdRange& range, std::span<const Operand> arguments,
                   const LaunchOptions& options) {
  const auto& parameters = kernel.state()->image->signature.parameters;
  check_arguments(kernel, parameters, arguments, options);
  const Queue queue = launch::place_operands(kernel.name(), arguments, options.queue);
  launch::ArrayUses uses(options.depends_on, arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].is_array() && writes(options, i)) uses.own(arguments[i].array());
  launch::ArgumentPack pack;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_array()) {
      pack.pointer(uses.begin(arguments[i].array(), writes(options, i)));
      continue;
    }
    const Scalar& s = arguments[i].scalar();
    alignas(16) unsigned char number[16];
    const DType dtype = dtype_of(parameters[i], s);
    s.write(dtype, number);
    pack.number(number, static_cast<size_t>(size_of(dtype)));
  }
  Event event = queue.submit(kernel, range, pack.bytes(), uses.dependencies());
  uses.end(event);
  return event;
}

}  // namespace hither
