#include "disk_cache/entry_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace hither::disk_cache {
namespace {

namespace fs = std::filesystem;

struct Header {
  char magic[8];
  uint64_t key_bytes;
  uint64_t payload_bytes;
  uint64_t checksum;  ///< of key and payload
};
constexpr size_t kFolderDigits = 2, kFileDigits = 30;
constexpr uint64_t kFolders = 256;
constexpr char kMagic[8] = {'h', 'i', 't', 'h', 'e', 'r', 'c', '1'};

/// A regular file, closed by the destructor. A link, pipe or device of the name is not opened: a
/// link may lead out of the folder, and a pipe would block.
class File {
 public:
  File(const fs::path& path, int flags, mode_t mode = 0600)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)) {
    struct stat status;
    if (descriptor_ >= 0 && (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)))
      close();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }
  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }

  bool read(void* to, size_t bytes) noexcept {
    for (char* at = static_cast<char*>(to); bytes > 0;) {
      ssize_t n = ::read(descriptor_, at, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      at += n;
      bytes -= static_cast<size_t>(n);
    }
    return true;
  }
  bool write(const void* from, size_t bytes) noexcept {
    for (const char* at = static_cast<const char*>(from); bytes > 0;) {
      ssize_t n = ::write(descriptor_, at, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      at += n;
      bytes -= static_cast<size_t>(n);
    }
    return true;
  }

 private:
  void close() noexcept {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  int descriptor_;
};

/// The lock of a cache folder; empty if the file cannot be opened, or if another thread or process
/// has the lock and this one does not wait.
class FolderLock {
 public:
  FolderLock(const fs::path& directory, bool waits) : file_(directory / "lock", O_RDWR | O_CREAT) {
    const int how = waits ? LOCK_EX : LOCK_EX | LOCK_NB;
    while (file_ && !(locked_ = ::flock(file_.descriptor(), how) == 0) && errno == EINTR) continue;
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  /// Unlocks: a child that was forked meanwhile has the file open, too.
  ~FolderLock() {
    if (locked_) ::flock(file_.descriptor(), LOCK_UN);
  }
  explicit operator bool() const noexcept { return locked_; }
  int descriptor() const noexcept { return file_.descriptor(); }

 private:
  File file_;
  bool locked_ = false;
};

uint64_t checksum(std::string_view key, std::string_view payload) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), XXH3_64bits(key.data(), key.size()));
}

enum class Verdict { kGood, kBad, kUnreadable };

/// A content error makes the entry unusable; an I/O error does not concern the content.
Verdict read_checked(File& file, std::string_view key, std::string& payload) {
  struct stat status;
  Header header;
  if (::fstat(file.descriptor(), &status) != 0) return Verdict::kUnreadable;
  // Loaded code is executed, so only this user may have written the file.
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return Verdict::kUnreadable;
  auto size = static_cast<uint64_t>(status.st_size);
  if (size < sizeof header) return Verdict::kBad;
  if (!file.read(&header, sizeof header)) return Verdict::kUnreadable;
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.key_bytes != key.size() ||
      header.payload_bytes != size - sizeof header - key.size())
    return Verdict::kBad;
  std::string found_key(key.size(), 0);
  payload.resize(header.payload_bytes);
  if (!file.read(found_key.data(), found_key.size()) || !file.read(payload.data(), payload.size()))
    return Verdict::kUnreadable;
  if (found_key != key || header.checksum != checksum(key, payload)) return Verdict::kBad;
  // Marks the entry as used. Access times do not suffice, because the disk may be mounted noatime.
  ::futimens(file.descriptor(), nullptr);
  return Verdict::kGood;
}

bool write_all(const fs::path& path, std::string_view key, std::string_view payload) {
  File file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!file) return false;
  Header header{{}, key.size(), payload.size(), checksum(key, payload)};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  return file.write(&header, sizeof header) && file.write(key.data(), key.size()) &&
         file.write(payload.data(), payload.size());
}

struct Found {
  fs::path path;
  fs::file_time_type used;
  uint64_t bytes;
};

bool is_temporary(const fs::path& path) { return path.extension() == ".part"; }

/// Whether a file has the name of a cache file. Other files in the folder belong to the user and
/// are kept.
bool is_entry(const fs::path& path) {
  const std::string name = path.filename();
  return name.substr(0, name.find('.')).size() == kFileDigits &&
         name.find_first_not_of("0123456789abcdef") >= kFileDigits &&
         (name.size() == kFileDigits || is_temporary(path));
}

/// The entries and temporary files of `count` folders, cyclically from `first` on. Stops after the
/// folder with which there are `enough` files, and sets `count` to the number of folders read.
std::vector<Found> entries_of(const fs::path& directory, uint64_t first, uint64_t& count,
                              size_t enough) {
  std::vector<Found> found;
  for (uint64_t i = 0; i < count; ++i) {
    const fs::path folder = directory / fmt::format("{:02x}", (first + i) % kFolders);
    std::error_code error;
    if (fs::symlink_status(folder, error).type() != fs::file_type::directory) continue;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      if (!is_entry(it->path())) continue;
      if (it->symlink_status(ignored).type() != fs::file_type::regular) continue;
      Found entry{it->path(), it->last_write_time(ignored), it->file_size(ignored)};
      if (!ignored) found.push_back(std::move(entry));
    }
    if (found.size() >= enough) count = i + 1;
  }
  return found;
}

/// The processes that use the cache count together, in the lock's file, what they write. Every
/// folder is trimmed once while they write the limit divided by this.
constexpr uint64_t kTrimParts = 16;
/// A compilation waits for its trim. It reads no further folder after so many files, and deletes at
/// most so many, because some disks need a third of a millisecond to delete one.
constexpr size_t kReadAtOnce = 4096, kDeletedAtOnce = 128, kNoBound = SIZE_MAX;

/// The content of the lock's file. The next trim follows when `written_since` exceeds
/// limit_bytes / kTrimParts, and begins with the folder `next_folder`.
struct Trimmed {
  char magic[8];
  uint64_t limit_bytes, written_since, next_folder;
};

/// Trims the folders from `first` on, until it has read `read` files. Hashes spread the entries
/// evenly, so these folders have to fit in their share of the limit. Returns the number of folders,
/// or 0 if more than `deleted` files have to be deleted. Call with the lock.
uint64_t trim(const fs::path& directory, uint64_t limit_bytes, uint64_t first, size_t read,
              size_t deleted) {
  uint64_t folders = kFolders, total = 0;
  std::vector<Found> entries = entries_of(directory, first, folders, read);
  const uint64_t limit = folders == kFolders ? limit_bytes : limit_bytes / kFolders * folders;
  for (const Found& e : entries) total += e.bytes;
  // What is written before the next trim has to fit. Trims to seven eighths, so that the next ones
  // delete nothing.
  const bool full = total > limit - limit / kTrimParts;
  const uint64_t goal = full ? limit - limit / 8 : total;
  std::ranges::sort(entries, {}, &Found::used);
  // A writer renames its file within seconds.
  auto stale = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const Found& e : entries) {
    bool left_behind = is_temporary(e.path) && (e.used < stale || limit_bytes == 0);
    bool too_much = total > goal && !is_temporary(e.path);
    if (!left_behind && !too_much) continue;
    if (deleted-- == 0) return 0;
    std::error_code error;
    if (fs::remove(e.path, error)) total -= e.bytes;
  }
  return folders;
}

}  // namespace

fs::path file_of(const fs::path& directory, std::string_view key) {
  XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  std::string name = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  return directory / name.substr(0, kFolderDigits) / name.substr(kFolderDigits);
}

std::optional<std::string> read_entry(const fs::path& path, std::string_view key) noexcept try {
  File file(path, O_RDONLY);
  if (!file) return std::nullopt;
  std::string payload;
  Verdict verdict = read_checked(file, key, payload);
  if (verdict == Verdict::kBad) ::unlink(path.c_str());
  if (verdict != Verdict::kGood) return std::nullopt;
  return payload;
} catch (const std::exception&) {  // out of memory counts as a miss
  return std::nullopt;
}

uint64_t write_entry(const fs::path& directory, const fs::path& file, std::string_view key,
                     std::string_view payload) noexcept try {
  static std::atomic<uint64_t> serial{0};
  std::error_code error;
  if (!fs::exists(directory, error)) {
    fs::create_directories(directory, error);
    fs::permissions(directory, fs::perms::owner_all, error);
  }
  fs::create_directory(file.parent_path(), error);
  fs::path temporary = file;
  temporary += fmt::format(".{}-{}.part", ::getpid(), serial.fetch_add(1));
  if (write_all(temporary, key, payload)) {
    fs::rename(temporary, file, error);
    if (!error) return sizeof(Header) + key.size() + payload.size();
  }
  fs::remove(temporary, error);
  return 0;
} catch (const std::exception&) {
  return 0;
}

CacheUse use_of(const fs::path& directory) noexcept try {
  CacheUse use;
  uint64_t folders = kFolders;
  for (const Found& e : entries_of(directory, 0, folders, kNoBound)) {
    if (is_temporary(e.path)) continue;
    ++use.entries;
    use.bytes += e.bytes;
  }
  return use;
} catch (const std::exception&) {
  return {};
}

void trim_directory(const fs::path& directory, uint64_t limit_bytes) noexcept try {
  const FolderLock lock(directory, true);
  if (lock) trim(directory, limit_bytes, 0, kNoBound, kNoBound);
} catch (const std::exception&) {
}

bool count_written(const fs::path& directory, uint64_t bytes, uint64_t limit_bytes) noexcept try {
  const FolderLock lock(directory, false);
  if (!lock) return false;
  Trimmed last;
  const uint64_t part = limit_bytes / kTrimParts;
  const bool known = ::pread(lock.descriptor(), &last, sizeof last, 0) == sizeof last &&
                     std::memcmp(last.magic, kMagic, sizeof kMagic) == 0;
  // A trim under a larger limit may have left too much.
  if (known && last.limit_bytes <= limit_bytes && last.written_since <= part &&
      bytes <= part - last.written_since) {
    last.written_since += bytes;
  } else {
    const uint64_t first = known ? last.next_folder % kFolders : 0;
    const uint64_t folders = trim(directory, limit_bytes, first, kReadAtOnce, kDeletedAtOnce);
    std::memcpy(last.magic, kMagic, sizeof kMagic);
    last.limit_bytes = limit_bytes;
    last.written_since = part - part / kFolders * folders;
    last.next_folder = (first + folders) % kFolders;
  }
  // If the write fails, the next one trims.
  if (::pwrite(lock.descriptor(), &last, sizeof last, 0) != sizeof last)
    (void)!::ftruncate(lock.descriptor(), 0);
  return true;
} catch (const std::exception&) {
  return false;
}

}  // namespace hither::disk_cache
