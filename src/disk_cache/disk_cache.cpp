#include "disk_cache/disk_cache.h"

#include "disk_cache/entry_file.h"
#include "process/environment.h"

namespace hither::disk_cache {
namespace {

namespace fs = std::filesystem;
namespace variable = process::variable;

constexpr uint64_t kDefaultLimit = uint64_t{1} << 30;

fs::path default_directory() {
  using process::environment;
  if (const auto d = environment(variable::kCacheDir); !d.empty()) return d;
  if (const auto d = environment(variable::kXdgCacheHome); !d.empty())
    return fs::path(d) / "hither";
  if (const auto d = environment(variable::kHome); !d.empty())
    return fs::path(d) / ".cache" / "hither";
  return {};
}

uint64_t default_limit() {
  if (process::environment(variable::kDiskCache) == "0") return 0;
  return process::number_in_environment(variable::kCacheSize).value_or(kDefaultLimit);
}

}  // namespace

DiskCache::DiskCache(fs::path directory, uint64_t limit_bytes)
    : directory_(std::move(directory)), limit_bytes_(directory_.empty() ? 0 : limit_bytes) {}

DiskCache& DiskCache::process() {
  static auto* const cache = new DiskCache(default_directory(), default_limit());
  return *cache;
}

std::optional<std::string> DiskCache::load(std::string_view key) {
  if (limit_bytes_ == 0) return std::nullopt;
  return read_entry(file_of(directory_, key), key);
}

void DiskCache::store(std::string_view key, std::string_view payload) {
  if (limit_bytes_ == 0 || payload.size() > limit_bytes_ / 2) return;
  uncounted_ += write_entry(directory_, file_of(directory_, key), key, payload);
  const uint64_t written = uncounted_.exchange(0);
  if (!count_written(directory_, written, limit_bytes_)) uncounted_ += written;
}

CacheUse DiskCache::use() const noexcept {
  return directory_.empty() ? CacheUse{} : use_of(directory_);
}

void DiskCache::clear() {
  if (!directory_.empty()) trim_directory(directory_, 0);
}

}  // namespace hither::disk_cache
