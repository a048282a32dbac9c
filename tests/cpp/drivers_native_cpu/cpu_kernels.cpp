#include "cpu_kernels.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "drivers/subject.h"

namespace hither::test {
namespace {

using target::ErrorRecord;
using target::WorkRange;

/// Calls f(i, j, k) for each item or group of the range.
template <class F>
void for_each(const WorkRange& range, F f) {
  for (int64_t i = range.begin[0]; i < range.end[0]; ++i)
    for (int64_t j = range.begin[1]; j < range.end[1]; ++j)
      for (int64_t k = range.begin[2]; k < range.end[2]; ++k) f(i, j, k);
}

void axpy(const void* packed, const WorkRange* range, ErrorRecord*) {
  const auto& arguments = *static_cast<const AxpyArguments*>(packed);
  for (int64_t i = range->begin[0]; i < range->end[0]; ++i)
    arguments.y[i] = arguments.a * arguments.x[i] + arguments.y[i];
}

void add_one(int32_t& visits) { std::atomic_ref(visits).fetch_add(1); }

void visit1(const void* packed, const WorkRange* range, ErrorRecord*) {
  auto* const visits = *static_cast<int32_t* const*>(packed);
  for_each(*range, [&](int64_t i, int64_t, int64_t) { add_one(visits[i]); });
}

void visit3(const void* packed, const WorkRange* range, ErrorRecord*) {
  auto* const visits = *static_cast<int32_t* const*>(packed);
  const auto& size = range->global_size;
  for_each(*range, [&](int64_t i, int64_t j, int64_t k) {
    add_one(visits[(i * size[1] + j) * size[2] + k]);
  });
}

void reads(const void* packed, const WorkRange* range, ErrorRecord* error) {
  const int32_t code = *static_cast<const int32_t*>(packed);
  for_each(*range, [&](int64_t i, int64_t j, int64_t) {
    if (i != 3 || j != 4 || code == 0) return;
    *error = {.code = code, .line = 12, .global_id = {3, 4, 0}};
  });
}

void reverse(const void* packed, const WorkRange* range, ErrorRecord*) {
  struct Arguments {
    int32_t* x;
    int64_t local_bytes;
    int64_t last;
  };
  const auto& arguments = *static_cast<const Arguments*>(packed);
  for_each(*range, [&](int64_t group, int64_t, int64_t) {
    int32_t* const first = arguments.x + group * range->local_size[0];
    std::reverse(first, first + arguments.last + 1);
  });
}

}  // namespace

std::shared_ptr<target::CodeImage> cpu_code(std::string_view kernel) {
  constexpr std::pair<std::string_view, target::CpuEntry> kEntries[] = {{"axpy", axpy},
                                                                        {"visit1", visit1},
                                                                        {"visit3", visit3},
                                                                        {"reads", reads},
                                                                        {"reverse", reverse}};
  auto image = std::make_shared<target::CodeImage>();
  for (const auto& [name, entry] : kEntries)
    if (name == kernel) image->entry = entry;
  if (!image->entry) throw std::invalid_argument(std::string(kernel));
  return image;
}

std::shared_ptr<target::CodeImage> axpy_image() {
  using target::Parameter;
  auto image = cpu_code("axpy");
  image->entry_name = "axpy";
  image->signature.parameters = {Parameter::kFloat64, Parameter::kPointer, Parameter::kPointer};
  return image;
}

namespace {

const Registration native_cpu{{
    .driver = "native_cpu",
    .device = [] { return Device::select("native_cpu"); },
    .code = cpu_code,
}};

}  // namespace

}  // namespace hither::test
