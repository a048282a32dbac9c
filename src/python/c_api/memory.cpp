// USM allocations.
#include <hither/memory.h>

#include "python/c_api/handles.h"

namespace hither::python::c_api {
namespace {

Memory adopt_memory(const hither_queue* queue, void* data, size_t bytes, hither_usm_type type,
                    hither_free_function release, void* owner) {
  if (!data && bytes > 0) refuse_null("the memory");
  std::function<void()> give_back = [] {};
  if (release) give_back = [release, owner] { release(owner); };
  return Memory::foreign(of(queue), data, bytes, usm_type_of(type), std::move(give_back));
}

hither_pointer_info found_at(const void* pointer, const Context& context) {
  const auto info = pointer_info(pointer, context);
  if (!info) return {nullptr, 0, -1, 0};
  return {info->base, info->bytes, static_cast<hither_usm_type>(info->type), 0};
}

}  // namespace

void fill_memory(hither_table& t) {
  t.memory_allocate = [](const hither_queue* queue, size_t bytes, hither_usm_type type,
                         size_t alignment, hither_memory** out) {
    return status_of([&] {
      give(out, Memory(of(queue), bytes, usm_type_of(type), alignment ? alignment : 64));
    });
  };
  t.memory_adopt = [](const hither_queue* queue, void* data, size_t bytes, hither_usm_type type,
                      hither_free_function release, void* owner, hither_memory** out) {
    return status_of([&] {
      if (!out) refuse_null("the output pointer");  // before the memory has a second owner
      give(out, adopt_memory(queue, data, bytes, type, release, owner));
    });
  };
  t.memory_data = [](const hither_memory* memory) { return memory ? of(memory).data() : nullptr; };
  t.memory_bytes = [](const hither_memory* memory) {
    return memory ? of(memory).bytes() : size_t{0};
  };
  t.memory_usm_type = [](const hither_memory* memory) {
    return memory ? static_cast<hither_usm_type>(of(memory).usm_type()) : -1;
  };
  t.memory_host_accessible = [](const hither_memory* memory) -> int {
    return memory && of(memory).host_accessible();
  };
  t.memory_queue = [](const hither_memory* memory, hither_queue** out) {
    return status_of([&] { give(out, of(memory).queue()); });
  };
  t.memory_release_after = [](const hither_memory* memory, const hither_event* event) {
    return status_of([&] { of(memory).release_after(of(event)); });
  };
  t.memory_share = share<hither_memory>;
  t.memory_release = release<hither_memory>;
  t.pointer_query = [](const void* pointer, const hither_context* context,
                       hither_pointer_info* out) {
    return status_of([&] {
      if (!out) refuse_null("the output pointer");
      *out = found_at(pointer, of(context));
    });
  };
}

}  // namespace hither::python::c_api
