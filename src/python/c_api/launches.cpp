// Kernels and host tasks over arrays.
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <hither/host_task.h>
#include <hither/stream.h>

#include "python/c_api/handles.h"
#include "python/interpreter/host_task.h"

namespace hither::python::c_api {
namespace {

static_assert(HITHER_POINTER_PARAMETER == static_cast<int>(KernelParameter::kPointer));
static_assert(HITHER_INT64_PARAMETER == static_cast<int>(KernelParameter::kInt64));
static_assert(HITHER_COMPLEX128_PARAMETER == static_cast<int>(KernelParameter::kComplex128));
static_assert(HITHER_LOCAL_BYTES_PARAMETER == static_cast<int>(KernelParameter::kLocalBytes));

/// Borrows the memory of the caller.
class Where {
 public:
  explicit Where(const hither_launch* where) {
    if (!where) return;
    if (where->queue) options_.queue = &of(where->queue);
    events_ = events_of(where->depends_on, where->depends_on_count);
    options_.depends_on = events_;
  }
  Where(const Where&) = delete;
  Where& operator=(const Where&) = delete;
  LaunchOptions reading(uint64_t only_read) const {
    LaunchOptions options = options_;
    options.only_read = only_read;
    return options;
  }

 private:
  std::vector<Event> events_;
  LaunchOptions options_;
};

Operand operand_of(const hither_argument& argument, size_t position) {
  switch (argument.kind) {
    case HITHER_ARRAY:
    case HITHER_INPUT:
      return of(argument.value.array);
    case HITHER_INTEGER:
      return argument.value.integer;
    case HITHER_UNSIGNED:
      return argument.value.unsigned_integer;
    case HITHER_REAL:
      return argument.value.real;
    case HITHER_COMPLEX:
      return std::complex(argument.value.parts[0], argument.value.parts[1]);
    default:
      throw Error(ErrorKind::kType, "arguments",
                  fmt::format("argument {} has kind {}, which is not a hither_argument_kind",
                              position, argument.kind));
  }
}

struct Arguments {
  std::vector<Operand> operands;
  uint64_t only_read = 0;  ///< as in LaunchOptions

  Arguments(const hither_argument* arguments, size_t count) {
    if (count > 0 && !arguments) refuse_null("arguments");
    for (size_t i = 0; i < count; ++i) {
      operands.push_back(operand_of(arguments[i], i));
      if (arguments[i].kind == HITHER_INPUT && i < 64) only_read |= uint64_t{1} << i;
    }
  }
};

NdRange range_of(const hither_range* range) {
  if (!range) refuse_null("the range");
  NdRange found(Range{});
  found.global.dimensions = range->dimensions;
  for (int d = 0; d < 3; ++d) {
    found.global.size[d] = d < range->dimensions ? range->size[d] : 1;
    found.local[d] = range->local[0] == 0 ? 0 : d < range->dimensions ? range->local[d] : 1;
  }
  return found;
}

KernelSource source_of(const hither_kernel_source* source) {
  if (!source || !source->entry || !source->code) refuse_null("the source");
  if (source->parameter_count > 0 && !source->parameters) refuse_null("the parameters");
  KernelSource found{source->entry, std::string(source->code, source->code_bytes), {}};
  for (size_t i = 0; i < source->parameter_count; ++i) {
    const hither_parameter p = source->parameters[i];
    if (p < 0 || p > HITHER_LOCAL_BYTES_PARAMETER)
      throw Error(ErrorKind::kType, source->entry,
                  fmt::format("parameter {} is {}, which is not a hither_parameter", i, p));
    found.parameters.push_back(static_cast<KernelParameter>(p));
  }
  found.independent_items = source->independent_items != 0;
  std::ranges::copy(source->local_size, found.local_size);
  return found;
}

void throw_failure(int result, const char* message, const char* where) {
  if (result == 0) return;
  throw Error(ErrorKind::kKernel, where,
              message ? std::string(message) : fmt::format("the task returned {}", result));
}

/// A callback of the extension, whose state is freed after the last use. The callback may take the
/// GIL, so that threads that wait must release it.
class Callback {
 public:
  Callback(hither_host_function work, void* state, hither_free_function release)
      : work_(work), state_(state), release_(release) {
    python_work.fetch_add(1, std::memory_order_relaxed);
  }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback() {
    if (release_) release_(state_);
    python_work.fetch_sub(1, std::memory_order_relaxed);
  }
  void call(std::span<void* const> data) const {
    const char* message = nullptr;
    const int result = work_(state_, data.data(), &message);
    throw_failure(result, message, "host_task");
  }

 private:
  hither_host_function work_;
  void* state_;
  hither_free_function release_;
};

std::vector<ArrayUse> uses_of(const hither_argument* arrays, size_t count, const char* where) {
  if (count > 0 && !arrays) refuse_null("arrays");
  std::vector<ArrayUse> uses;
  for (size_t i = 0; i < count; ++i) {
    if (arrays[i].kind != HITHER_ARRAY && arrays[i].kind != HITHER_INPUT)
      throw Error(ErrorKind::kType, where, fmt::format("argument {} is not an array", i));
    uses.push_back({&of(arrays[i].value.array),
                    arrays[i].kind == HITHER_INPUT ? Access::kRead : Access::kReadWrite});
  }
  return uses;
}

Event submit_host_task(const hither_argument* arrays, size_t count, hither_host_function work,
                       std::shared_ptr<Callback> callback, const Where& where) {
  if (!work) refuse_null("work");
  const std::vector<ArrayUse> uses = uses_of(arrays, count, "host_task");
  auto call = [callback = std::move(callback)](std::span<void* const> data) {
    callback->call(data);
  };
  return hither::host_task(uses, std::move(call), where.reading(0));
}

Event submit_to_stream(const hither_argument* arrays, size_t count, hither_stream_function work,
                       void* state, const LaunchOptions& options) {
  constexpr const char* where = "stream_task";
  if (!work) refuse_null("work");
  std::vector<Array> reads, writes;
  const std::vector<ArrayUse> uses = uses_of(arrays, count, where);
  for (const ArrayUse& use : uses) {
    const bool written = use.access == Access::kReadWrite;
    if (written && use.array->is_read_only())
      throw Error(ErrorKind::kValue, where, "an array to be written has read-only memory");
    (written ? writes : reads).push_back(*use.array);
  }
  if (!options.queue && uses.empty())
    throw Error(ErrorKind::kPlacement, where, "takes arrays, or a queue");
  const Queue queue = options.queue ? *options.queue : uses.front().array->queue();
  if (!options.depends_on.empty()) queue.submit_barrier(options.depends_on);
  StreamWork begun(queue, reads, writes);
  // In the order of the arguments.
  std::vector<void*> data;
  size_t read = 0, written = reads.size();
  for (const ArrayUse& use : uses)
    data.push_back(begun.addresses()[use.access == Access::kRead ? read++ : written++]);
  const char* message = nullptr;
  const int result = work(state, begun.stream(), data.data(), &message);
  Event event = begun.end();
  throw_failure(result, message, where);
  return event;
}

void fill_module_launches(hither_table& t) {
  t.module_load = [](const char* code, size_t code_bytes, const char* name, hither_module** out) {
    return status_of([&] {
      if (!code) refuse_null("the code");
      give(out, Module(std::string_view(code, code_bytes), name ? name : "Module"));
    });
  };
  t.module_launch = [](const hither_module* module, const char* kernel, const hither_range* range,
                       const hither_argument* arguments, size_t count, const hither_launch* where,
                       hither_event** event) {
    return status_of([&] {
      if (!kernel) refuse_null("the kernel's name");
      const Arguments given(arguments, count);
      offer(event, of(module).launch(kernel, range_of(range), given.operands,
                                     Where(where).reading(given.only_read)));
    });
  };
  t.module_share = share<hither_module>;
  t.module_release = release<hither_module>;
}

void fill_kernel_launches(hither_table& t) {
  t.kernel_build = [](const hither_queue* queue, const hither_kernel_source* source,
                      hither_kernel** out) {
    return status_of([&] { give(out, build_kernel(of(queue), source_of(source))); });
  };
  t.kernel_launch = [](const hither_kernel* kernel, const hither_range* range,
                       const hither_argument* arguments, size_t count, const hither_launch* where,
                       hither_event** event) {
    return status_of([&] {
      const Arguments given(arguments, count);
      offer(event, parallel_for(of(kernel), range_of(range), given.operands,
                                Where(where).reading(given.only_read)));
    });
  };
  t.kernel_share = share<hither_kernel>;
  t.kernel_release = release<hither_kernel>;
}

}  // namespace

void fill_launches(hither_table& t) {
  fill_module_launches(t);
  fill_kernel_launches(t);
  t.host_task = [](const hither_argument* arrays, size_t count, hither_host_function work,
                   void* state, hither_free_function release, const hither_launch* where,
                   hither_event** event) {
    return status_of([&] {
      auto callback = std::make_shared<Callback>(work, state, release);
      offer(event, submit_host_task(arrays, count, work, std::move(callback), Where(where)));
    });
  };
  t.stream_task = [](const hither_argument* arrays, size_t count, hither_stream_function work,
                     void* state, const hither_launch* where, hither_event** event) {
    return status_of([&] {
      const Where there(where);
      offer(event, submit_to_stream(arrays, count, work, state, there.reading(0)));
    });
  };
}

}  // namespace hither::python::c_api
