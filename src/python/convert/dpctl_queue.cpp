#include "python/convert/dpctl_queue.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>

#include "python/convert/usm_interface.h"
#include "python/interpreter/gil.h"
#include "runtime/foreign_work.h"

namespace hither::python {
namespace {

// dpctl.SyclQueue; None if dpctl is not imported, or if the name dpctl stands for hither.compat.
nb::object queue_class() {
  nb::object module = nb::steal(PyImport_GetModule(nb::str("dpctl").ptr()));
  if (!module.is_valid()) {
    PyErr_Clear();
    return nb::none();
  }
  nb::object found = nb::getattr(module, "SyclQueue", nb::none());
  std::string home;
  const bool is_dpctl = !found.is_none() &&
                        nb::try_cast(nb::getattr(found, "__module__", nb::none()), home) &&
                        home.starts_with("dpctl");
  return is_dpctl ? found : nb::none();
}

bool is_sycl(const Queue& queue) {
  const Backend backend = queue.device().backend();
  return backend == Backend::kOpenCl || backend == Backend::kLevelZero;
}

/// One dpctl object for each queue, because dpnp compares identities. Needs the GIL.
class QueuesOfDpctl {
 public:
  static QueuesOfDpctl& process() {
    static QueuesOfDpctl& queues = *new QueuesOfDpctl;
    return queues;
  }
  nb::object find(const Queue& queue) const {
    const auto found = known_.find(queue.state().get());
    return found == known_.end() || found->second.first.expired() ? nb::object()
                                                                  : found->second.second;
  }
  nb::object keep(const Queue& queue, nb::object made) {
    std::erase_if(known_, [](const auto& item) { return item.second.first.expired(); });
    known_.insert_or_assign(queue.state().get(), std::pair{std::weak_ptr(queue.state()), made});
    return made;
  }

 private:
  std::map<const void*, std::pair<std::weak_ptr<runtime::QueueState>, nb::object>> known_;
};

// The sycl::events that dpctl tracks for the queue. dpnp records each operation there.
nb::object events_of_dpctl(const Queue& queue) {
  const nb::object utils = nb::steal(PyImport_GetModule(nb::str("dpctl.utils").ptr()));
  if (!utils.is_valid()) PyErr_Clear();
  if (!utils.is_valid() || queue_class().is_none()) return nb::tuple();
  const nb::object managers = nb::getattr(utils, "SequentialOrderManager", nb::none());
  if (managers.is_none()) return nb::tuple();
  return managers[dpctl_queue(queue)].attr("submitted_events");
}

void await_work_of_dpctl(const Queue& queue) {
  if (!GilAcquired::is_possible()) return;
  GilAcquired gil;
  with_python([&] {
    const nb::object events = events_of_dpctl(queue);
    std::vector<const void*> addresses;
    for (nb::handle event : events)
      addresses.push_back(PyLong_AsVoidPtr(nb::object(event.attr("addressof_ref")()).ptr()));
    if (addresses.empty()) return;
    GilReleased release;  // dpctl's host tasks take it
    runtime::await_foreign_events(queue, addresses);
  });
}

}  // namespace

void watch_work_of_dpctl() { runtime::await_work_of_dpctl = await_work_of_dpctl; }

nb::object dpctl_queue(const Queue& queue) {
  if (!is_sycl(queue)) return nb::cast(queue);
  nb::object type = queue_class();
  if (type.is_none()) return nb::cast(queue);
  QueuesOfDpctl& made = QueuesOfDpctl::process();
  if (nb::object known = made.find(queue); known.is_valid()) return known;
  return made.keep(queue, type(queue_capsule(queue)));
}

bool dpnp_takes(const Array& x) {
  return x.size() > 0 && is_sycl(x.queue()) && !queue_class().is_none() &&
         nb::steal(PyImport_GetModule(nb::str("dpnp").ptr())).is_valid();
}

}  // namespace hither::python
