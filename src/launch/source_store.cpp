#include "launch/source_store.h"

#include "disk_cache/disk_cache.h"

namespace hither::launch {

std::optional<std::string> load_source(std::string_view key) {
  return disk_cache::DiskCache::process().load(key);
}

void store_source(std::string_view key, std::string_view text) {
  disk_cache::DiskCache::process().store(key, text);
}

}  // namespace hither::launch
