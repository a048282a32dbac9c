// Queues and events.
#include <fmt/format.h>
#include <hither/native.h>
#include <hither/queue.h>
#include <hither/stream.h>

#include "python/c_api/handles.h"

namespace hither::python::c_api {
namespace {

static_assert(HITHER_COMPLETE == static_cast<int>(EventStatus::kComplete));

QueueProperties queue_properties_of(int32_t flags) {
  constexpr int32_t kKnown = HITHER_OUT_OF_ORDER | HITHER_PROFILING;
  if (flags & ~kKnown)
    throw Error(ErrorKind::kValue, "queue",
                fmt::format("{} is not a combination of properties of queues", flags));
  return {.in_order = !(flags & HITHER_OUT_OF_ORDER),
          .enable_profiling = (flags & HITHER_PROFILING) != 0};
}

int32_t queue_flags_of(const QueueProperties& properties) {
  return (properties.in_order ? 0 : HITHER_OUT_OF_ORDER) |
         (properties.enable_profiling ? HITHER_PROFILING : 0);
}

void fill_new_queues(hither_table& t) {
  t.queue_select = [](const char* filter, int32_t properties, hither_queue** out) {
    return status_of([&] {
      const Device device = filter ? Device::select(filter) : Device::select_default();
      give(out, Queue(device, queue_properties_of(properties)));
    });
  };
  t.queue_create = [](const hither_context* context, const hither_device* device,
                      int32_t properties, hither_queue** out) {
    return status_of([&] {
      const QueueProperties wanted = queue_properties_of(properties);
      give(out, context ? Queue(of(context), of(device), wanted) : Queue(of(device), wanted));
    });
  };
  t.queue_default = [](const hither_device* device, hither_queue** out) {
    return status_of(
        [&] { give(out, device ? Queue::default_for(of(device)) : Queue::default_queue()); });
  };
  t.queue_native = [](const hither_queue* queue, const void** out) {
    return status_of([&] {
      if (!out) refuse_null("the output pointer");
      *out = native_queue(of(queue));
    });
  };
  t.queue_stream = [](const hither_queue* queue, void** out) {
    return status_of([&] {
      if (!out) refuse_null("the output pointer");
      *out = native_stream(of(queue));
    });
  };
  t.queue_adopt_native = [](const void* native, hither_queue** out) {
    return status_of([&] {
      if (!native) refuse_null("the sycl::queue");
      give(out, adopt_native_queue(native));
    });
  };
  t.queue_share = share<hither_queue>;
  t.queue_release = release<hither_queue>;
}

void fill_queue_properties(hither_table& t) {
  t.queue_device = [](const hither_queue* queue, hither_device** out) {
    return status_of([&] { give(out, of(queue).device()); });
  };
  t.queue_context = [](const hither_queue* queue, hither_context** out) {
    return status_of([&] { give(out, of(queue).context()); });
  };
  t.queue_properties = [](const hither_queue* queue) {
    return queue ? queue_flags_of(of(queue).properties()) : 0;
  };
  t.queue_equal = [](const hither_queue* a, const hither_queue* b) -> int {
    return a && b && of(a) == of(b);
  };
  t.queue_equivalent = [](const hither_queue* a, const hither_queue* b) -> int {
    return a && b && of(a).equivalent(of(b));
  };
}

void fill_submissions(hither_table& t) {
  t.queue_wait = [](const hither_queue* queue) { return status_of([&] { of(queue).wait(); }); };
  t.queue_barrier = [](const hither_queue* queue, const hither_event* const* depends_on,
                       size_t count, hither_event** out) {
    return status_of([&] { offer(out, of(queue).submit_barrier(events_of(depends_on, count))); });
  };
  t.queue_copy = [](const hither_queue* queue, void* to, const void* from, size_t bytes,
                    const hither_event* const* depends_on, size_t count, hither_event** out) {
    return status_of(
        [&] { offer(out, of(queue).copy(to, from, bytes, events_of(depends_on, count))); });
  };
  t.queue_fill = [](const hither_queue* queue, void* to, const void* pattern, size_t pattern_bytes,
                    size_t repeats, const hither_event* const* depends_on, size_t count,
                    hither_event** out) {
    return status_of([&] {
      offer(out, of(queue).fill(to, pattern, pattern_bytes, repeats, events_of(depends_on, count)));
    });
  };
  t.queue_prefetch = [](const hither_queue* queue, const void* address, size_t bytes,
                        const hither_event* const* depends_on, size_t count, hither_event** out) {
    return status_of(
        [&] { offer(out, of(queue).prefetch(address, bytes, events_of(depends_on, count))); });
  };
}

void fill_events(hither_table& t) {
  t.event_wait = [](const hither_event* event) { return status_of([&] { of(event).wait(); }); };
  t.event_status = [](const hither_event* event, hither_event_status* out) {
    return status_of([&] {
      if (!out) refuse_null("the output pointer");
      *out = static_cast<hither_event_status>(of(event).status());
    });
  };
  t.event_profiling = [](const hither_event* event, uint64_t* submit, uint64_t* start,
                         uint64_t* end) {
    return status_of([&] {
      const Event& e = of(event);
      const uint64_t times[] = {e.profiling_submit(), e.profiling_start(), e.profiling_end()};
      if (submit) *submit = times[0];
      if (start) *start = times[1];
      if (end) *end = times[2];
    });
  };
  t.event_share = share<hither_event>;
  t.event_release = release<hither_event>;
}

}  // namespace

void fill_queues(hither_table& t) {
  fill_new_queues(t);
  fill_queue_properties(t);
  fill_submissions(t);
  fill_events(t);
}

}  // namespace hither::python::c_api
