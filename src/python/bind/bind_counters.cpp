// hither.counters().
#include <hither/counters.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"

namespace hither::python {

void bind_counters(nb::module_& m) {
  m.def(
      "counters",
      [] {
        const Counters totals = counters();
        nb::dict d;
        d["launches"] = totals.launches;
        d["compiles"] = totals.compiles;
        d["cache_hits"] = totals.cache_hits;
        d["bytes_to_device"] = totals.bytes_to_device;
        d["bytes_to_host"] = totals.bytes_to_host;
        d["live_allocations"] = totals.live_allocations;
        d["offloaded_regions"] = totals.offloaded_regions;
        return d;
      },
      documentation("counters"));
}

}  // namespace hither::python
