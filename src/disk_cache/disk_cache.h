// A bounded on-disk store of bytes by key, with checksums and atomic writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <hither/export.h>

namespace hither::disk_cache {

struct CacheUse {
  uint64_t entries = 0, bytes = 0;
};

/// Files under one private directory, one per key: versioned header, full key, checksum, payload;
/// published by rename, so that a reader sees a whole entry or none. The least recently used
/// entries are deleted when the total exceeds the limit. A damaged or foreign entry is a miss and
/// is deleted; an I/O error is a miss. Thread- and process-safe. Never throws because of the disk.
class HITHER_EXPORT DiskCache {
 public:
  /// The first write creates the directory (mode 0700). `limit_bytes` bounds the sum of files.
  DiskCache(std::filesystem::path directory, uint64_t limit_bytes);
  /// The process's cache: $HITHER_CACHE_DIR, else $XDG_CACHE_HOME/hither, else ~/.cache/hither;
  /// HITHER_CACHE_SIZE bytes (1 GiB); HITHER_DISK_CACHE=0 disables it (all misses). Throws Error
  /// kValue if HITHER_CACHE_SIZE is not a number.
  static DiskCache& process();

  std::optional<std::string> load(std::string_view key);
  void store(std::string_view key, std::string_view payload);
  void clear();
  /// Number and total size of the entries. Reads the folders, not the files.
  CacheUse use() const noexcept;
  /// Empty if neither a variable nor the system names a folder.
  const std::filesystem::path& directory() const noexcept { return directory_; }
  /// 0 if the cache is disabled.
  uint64_t limit_bytes() const noexcept { return limit_bytes_; }

 private:
  std::filesystem::path directory_;
  uint64_t limit_bytes_;
  std::atomic<uint64_t> uncounted_{0};  ///< bytes that this process has written
};

}  // namespace hither::disk_cache
