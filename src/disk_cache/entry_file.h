// One file of the disk cache, and the folder that holds them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hither::disk_cache {

/// Where an entry is: two levels, so that no folder grows large. The full key is inside the file.
std::filesystem::path file_of(const std::filesystem::path& directory, std::string_view key);

/// The payload, if the file is whole and was written for exactly this key; marks the entry as used.
/// A damaged or foreign file is deleted. Never throws.
std::optional<std::string> read_entry(const std::filesystem::path& file,
                                      std::string_view key) noexcept;

/// Publishes an entry by renaming a finished file, so that readers see all of it or none. Makes
/// `directory` (for its owner alone) and the file's folder. Returns the bytes written, 0 when the
/// disk would not take them. Never throws.
uint64_t write_entry(const std::filesystem::path& directory, const std::filesystem::path& file,
                     std::string_view key, std::string_view payload) noexcept;

/// Deletes entries, least recently used first, until the rest fits, and what interrupted writers
/// left behind; nothing whose name is no entry's. One process at a time; others skip it. Never
/// throws.
void trim_directory(const std::filesystem::path& directory, uint64_t limit_bytes) noexcept;

}  // namespace hither::disk_cache
