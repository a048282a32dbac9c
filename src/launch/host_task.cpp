#include <hither/host_task.h>

#include <vector>

#include <fmt/format.h>

#include "array/graph/value.h"
#include "launch/array_use.h"
#include "launch/place_operands.h"

namespace hither {
namespace {

constexpr const char* kWhere = "host_task";

Queue queue_for(std::span<const ArrayUse> arrays, const LaunchOptions& options) {
  std::vector<Operand> operands;
  for (const ArrayUse& use : arrays) operands.emplace_back(*use.array);
  return launch::place_operands(kWhere, operands, options.queue);
}

void check_access(std::span<const ArrayUse> arrays) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].access == Access::kRead || !arrays[i].array->is_read_only()) continue;
    throw Error(ErrorKind::kValue, kWhere,
                fmt::format("array {} is read-only memory; only read it, or pass copy(x)", i));
  }
}

// Requires that the array has been submitted.
void check_reach(const Array& x, size_t position) {
  if (x.storage()->value()->memory.host_accessible()) return;
  throw Error(ErrorKind::kBuffer, kWhere,
              fmt::format("array {} is {} USM of {}, out of the host's reach; allocate it with "
                          "usm_type=\"shared\", or copy it",
                          position, name_of(x.usm_type()), x.device().filter_string()));
}

}  // namespace

Event host_task(std::span<const ArrayUse> arrays,
                std::function<void(std::span<void* const> data)> work,
                const LaunchOptions& options) {
  if (!work) throw Error(ErrorKind::kValue, kWhere, "work is empty");
  const Queue queue = queue_for(arrays, options);
  check_access(arrays);
  launch::ArrayUses uses(options.depends_on, arrays.size());
  for (const ArrayUse& use : arrays)
    if (use.access == Access::kReadWrite) uses.own(*use.array);
  std::vector<void*> data;
  for (const ArrayUse& use : arrays) {
    data.push_back(uses.begin(*use.array, use.access == Access::kReadWrite));
    check_reach(*use.array, data.size() - 1);
  }
  Event event = queue.submit_host([data = std::move(data), work = std::move(work)] { work(data); },
                                  uses.dependencies());
  uses.end(event);
  return event;
}

}  // namespace hither
