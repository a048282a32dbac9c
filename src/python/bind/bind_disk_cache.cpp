// The disk cache of compiled code, for the command `hither cache`.
#include <nanobind/stl/string.h>

#include "disk_cache/disk_cache.h"
#include "python/bind/bindings.h"

namespace hither::python {

void bind_disk_cache(nb::module_& m) {
  m.def(
      "disk_cache_use",
      [] {
        const disk_cache::DiskCache& cache = disk_cache::DiskCache::process();
        const disk_cache::CacheUse use = cache.use();
        return nb::make_tuple(cache.directory().string(), use.entries, use.bytes,
                              cache.limit_bytes());
      },
      "The folder of the disk cache, the number of its entries, their bytes, and the largest\n"
      "number of bytes (0: the cache is disabled).");
  m.def(
      "clear_disk_cache", [] { disk_cache::DiskCache::process().clear(); },
      "Deletes all entries of the disk cache.");
}

}  // namespace hither::python
