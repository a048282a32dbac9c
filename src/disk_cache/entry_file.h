// The files of the disk cache, and their folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "disk_cache/disk_cache.h"

namespace hither::disk_cache {

/// The path of an entry. It has two levels, so that no folder becomes large. The file contains the
/// full key.
std::filesystem::path file_of(const std::filesystem::path& directory, std::string_view key);

/// The payload, if the file is valid and has exactly this key; marks the entry as used. A damaged
/// or foreign file is deleted. Never throws.
std::optional<std::string> read_entry(const std::filesystem::path& file,
                                      std::string_view key) noexcept;

/// Publishes an entry by renaming a finished file, so that readers see a whole entry or none.
/// Creates `directory` (accessible to its owner only) and the file's folder. Returns the bytes
/// written, 0 if the write failed. Never throws.
uint64_t write_entry(const std::filesystem::path& directory, const std::filesystem::path& file,
                     std::string_view key, std::string_view payload) noexcept;

/// Number and total size of the entries, without temporary files. Never throws.
CacheUse use_of(const std::filesystem::path& directory) noexcept;

/// Deletes the least recently used entries until the rest fits, and temporary files of interrupted
/// writers. Files with other names are kept. Waits for another
/// thread or process that counts or trims. Never throws.
void trim_directory(const std::filesystem::path& directory, uint64_t limit_bytes) noexcept;

/// Adds to what all processes have written since the last trim. Trims some folders when that is
/// their share of a sixteenth of the limit, and when it is not known. Deletes at most 128 files,
/// because a compilation waits; the next call goes on. Returns false, and does nothing, if the
/// folder cannot be locked now. Never throws.
bool count_written(const std::filesystem::path& directory, uint64_t bytes,
                   uint64_t limit_bytes) noexcept;

}  // namespace hither::disk_cache
