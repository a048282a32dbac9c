#include "disk_cache/disk_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using hither::disk_cache::DiskCache;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone when the test ends.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "hither-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path_); }
  fs::path folder() const { return path_ / "cache"; }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto& e : fs::recursive_directory_iterator(folder()))
      if (e.is_regular_file() && e.path().filename() != "lock") found.push_back(e.path());
    return found;
  }

 private:
  fs::path path_;
};

constexpr uint64_t kPlenty = 1 << 20;

}  // namespace

TEST_CASE("what was stored is loaded, in this process and the next") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), kPlenty);
  CHECK_FALSE(cache.load("key"));
  CHECK_FALSE(fs::exists(scratch.folder()));
  std::string payload(100000, 'x');
  payload[5] = 0;
  cache.store("key", payload);
  cache.store("other", "");
  CHECK(cache.load("key") == payload);
  CHECK(DiskCache(scratch.folder(), kPlenty).load("key") == payload);
  CHECK(cache.load("other") == "");
  cache.store("key", "new");
  CHECK(cache.load("key") == "new");
  cache.clear();
  CHECK_FALSE(cache.load("key"));
  CHECK(scratch.entries().empty());
}

TEST_CASE("the folder and its files are the user's alone") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), kPlenty);
  cache.store("key", "payload");
  CHECK(fs::status(scratch.folder()).permissions() == fs::perms::owner_all);
  fs::path file = scratch.entries().at(0);
  CHECK((fs::status(file).permissions() & fs::perms::others_all) == fs::perms::none);
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  CHECK_FALSE(cache.load("key"));
}

TEST_CASE("a damaged entry is a miss and goes away") {
  for (int damage = 0; damage < 4; ++damage) {
    CAPTURE(damage);
    Scratch scratch;
    DiskCache cache(scratch.folder(), kPlenty);
    cache.store("key", "a payload of some length");
    fs::path file = scratch.entries().at(0);
    if (damage == 0) fs::resize_file(file, fs::file_size(file) - 1);
    if (damage == 1) fs::resize_file(file, 3);
    if (damage == 2) std::ofstream(file, std::ios::app) << "x";
    if (damage == 3) {
      std::fstream stream(file, std::ios::in | std::ios::out);
      stream.seekp(-4, std::ios::end);
      stream << "!";
    }
    CHECK_FALSE(cache.load("key"));
    CHECK_FALSE(fs::exists(file));
    cache.store("key", "again");
    CHECK(cache.load("key") == "again");
  }
}

TEST_CASE("an entry that was written for another key is a miss") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), kPlenty);
  cache.store("one", "1");
  fs::path one = scratch.entries().at(0);
  fs::path kept = scratch.folder() / "kept";
  fs::rename(one, kept);
  cache.store("two", "2");
  fs::path two;
  for (const fs::path& p : scratch.entries())
    if (p != kept) two = p;
  fs::rename(kept, two);
  CHECK_FALSE(cache.load("two"));
}

TEST_CASE("the least recently used entries go when the limit is passed") {
  Scratch scratch;
  constexpr uint64_t kLimit = 64 << 10;
  DiskCache cache(scratch.folder(), kLimit);
  std::string payload(4 << 10, 'p');
  cache.store("used", payload);
  auto past = fs::file_time_type::clock::now() - std::chrono::minutes(5);
  for (int i = 0; i < 40; ++i) {
    cache.store(std::to_string(i), payload);
    for (const fs::path& p : scratch.entries())
      if (fs::last_write_time(p) > past + std::chrono::minutes(4))
        fs::last_write_time(p, past + std::chrono::seconds(i));
    CHECK(cache.load("used"));  // marks it as used now
  }
  uint64_t total = 0;
  for (const fs::path& p : scratch.entries()) total += fs::file_size(p);
  CHECK(total <= kLimit + kLimit / 8);
  CHECK(total >= kLimit / 2);
  CHECK(cache.load("used") == payload);
  CHECK_FALSE(cache.load("0").has_value());
}

TEST_CASE("processes that each write little do not exceed the limit") {
  Scratch scratch;
  constexpr uint64_t kLimit = 64 << 10;
  uint64_t largest = 0;
  for (int process = 0; process < 60; ++process) {
    DiskCache(scratch.folder(), kLimit).store(std::to_string(process), std::string(3000, 'p'));
    largest = std::max(largest, DiskCache(scratch.folder(), kLimit).use().bytes);
  }
  CHECK(largest <= kLimit);
  CHECK(largest >= kLimit / 2);
}

TEST_CASE("a write does not read the folder again soon after a trim") {
  Scratch scratch;
  const std::string payload(3000, 'p');
  DiskCache(scratch.folder(), kPlenty).store("first", payload);
  // A temporary file of an interrupted writer, which each trim deletes.
  const fs::path left = scratch.folder() / "ab" / (std::string(30, 'a') + ".1-1.part");
  fs::create_directories(left.parent_path());
  std::ofstream(left) << "x";
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  DiskCache(scratch.folder(), kPlenty).store("second", payload);
  CHECK(fs::exists(left));
  SUBCASE("but after a sixteenth of the limit") {
    for (uint64_t written = 0; written < kPlenty / 16; written += payload.size())
      DiskCache(scratch.folder(), kPlenty).store(std::to_string(written), payload);
  }
  SUBCASE("but with a smaller limit") {
    DiskCache(scratch.folder(), kPlenty / 2).store("third", payload);
  }
  SUBCASE("but where the count was lost") {
    fs::remove(scratch.folder() / "lock");
    DiskCache(scratch.folder(), kPlenty).store("third", payload);
  }
  SUBCASE("but where the count is damaged") {
    std::ofstream(scratch.folder() / "lock") << std::string(24, 'x');
    DiskCache(scratch.folder(), kPlenty).store("third", payload);
  }
  CHECK_FALSE(fs::exists(left));
}

TEST_CASE("a write deletes a bounded number of files, and later writes go on") {
  Scratch scratch;
  constexpr size_t kFiles = 6000;
  const std::string payload(40, 'p');
  {
    DiskCache large(scratch.folder(), kPlenty << 10);
    for (size_t i = 0; i < kFiles; ++i) large.store(std::to_string(i), payload);
  }
  DiskCache cache(scratch.folder(), kPlenty);
  const uint64_t limit = cache.use().bytes * 7 / 8;
  DiskCache small(scratch.folder(), limit);
  uint64_t last = kFiles, writes = 0;
  for (; cache.use().bytes > limit; ++writes) {
    REQUIRE(writes < 100);
    small.store("new " + std::to_string(writes), payload);
    const uint64_t now = cache.use().entries;
    CHECK(now + 128 > last);
    last = now;
  }
  CHECK(writes > 2);
  CHECK(last > kFiles * 3 / 4);
  cache.clear();  // has no bound
  CHECK(cache.use().entries == 0);
}

TEST_CASE("while another process trims, writes do not wait, and are counted later") {
  Scratch scratch;
  constexpr uint64_t kLimit = 64 << 10;
  DiskCache cache(scratch.folder(), kLimit);
  cache.store("first", "");
  const int other = ::open((scratch.folder() / "lock").c_str(), O_RDWR);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  for (int i = 0; i < 30; ++i) cache.store(std::to_string(i), std::string(3000, 'p'));
  CHECK(cache.use().bytes > kLimit);
  std::thread clears([&] { cache.clear(); });
  CHECK(cache.load("29"));  // clear() waits for the other one
  ::flock(other, LOCK_UN);
  ::close(other);
  clears.join();
  CHECK(cache.use().entries == 0);
  cache.store("last", "");
  CHECK(cache.use().bytes <= kLimit);
}

TEST_CASE("a limit of nothing switches it off") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), 0);
  cache.store("key", "payload");
  CHECK_FALSE(cache.load("key"));
  CHECK_FALSE(fs::exists(scratch.folder()));
}

TEST_CASE("a folder that cannot be written is as good as none") {
  DiskCache cache("/proc/nowhere/cache", kPlenty);
  cache.store("key", "payload");
  CHECK_FALSE(cache.load("key"));
}

TEST_CASE("threads see whole entries or none") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), 256 << 10);
  std::atomic<int> torn{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        std::string key = std::to_string(i % 7);
        cache.store(key, std::string(5000 + 100 * t, key[0]));
        if (auto found = cache.load(key))
          torn += found->find_first_not_of(key[0]) != std::string::npos || found->size() % 100 != 0;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(torn == 0);
}

TEST_CASE("what is no regular file is no entry, and nothing waits for it") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), kPlenty);
  cache.store("key", "payload");
  const fs::path file = scratch.entries().at(0), elsewhere = scratch.folder() / "elsewhere";
  SUBCASE("a pipe") {
    fs::remove(file);
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  }
  SUBCASE("a link to an entry elsewhere") {
    fs::rename(file, elsewhere);
    fs::create_symlink(elsewhere, file);
  }
  SUBCASE("a link to nothing") {
    fs::remove(file);
    fs::create_symlink(elsewhere, file);
  }
  SUBCASE("a device") {
    fs::remove(file);
    fs::create_symlink("/dev/zero", file);
  }
  CHECK_FALSE(cache.load("key"));
  cache.store("key", "again");
  CHECK(cache.load("key") == "again");
  cache.clear();
}

TEST_CASE("a folder in an entry's place is a miss") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), kPlenty);
  cache.store("key", "payload");
  const fs::path file = scratch.entries().at(0);
  fs::remove(file);
  fs::create_directories(file / "inside");
  CHECK_FALSE(cache.load("key"));
  cache.store("key", "again");
  CHECK_FALSE(cache.load("key"));
  cache.clear();
  CHECK(fs::exists(file / "inside"));
}

TEST_CASE("the lock is a file of the folder: no link leads out of it and no pipe waits") {
  for (int kind = 0; kind < 2; ++kind) {
    CAPTURE(kind);
    Scratch scratch;
    DiskCache cache(scratch.folder(), kPlenty);
    fs::create_directories(scratch.folder());
    const fs::path lock = scratch.folder() / "lock", outside = scratch.folder() / "outside";
    if (kind == 0)
      fs::create_symlink(outside, lock);
    else
      REQUIRE(::mkfifo(lock.c_str(), 0600) == 0);
    cache.store("key", "payload");
    cache.clear();
    CHECK_FALSE(fs::exists(outside));
    CHECK(cache.load("key") == "payload");
  }
}

TEST_CASE("files of others in the same folder stay") {
  Scratch scratch;
  DiskCache cache(scratch.folder(), 64 << 10);
  fs::create_directories(scratch.folder() / "ab" / "deep");
  fs::create_directories(scratch.folder() / "letters");
  const std::string entry(30, 'a');
  const std::vector<fs::path> others = {
      "notes",         "letters/one", "ab/thesis.tex", "ab/deep/" + entry, "letters/" + entry,
      "ab/thesis.part"};
  for (const fs::path& p : others) std::ofstream(scratch.folder() / p) << std::string(9000, 'x');
  const fs::path target = scratch.folder() / "letters" / "one";
  fs::create_symlink(target, scratch.folder() / "ab" / std::string(30, 'b'));
  for (int i = 0; i < 40; ++i) cache.store(std::to_string(i), std::string(4 << 10, 'p'));
  cache.clear();
  CHECK_FALSE(cache.load("39"));
  for (const fs::path& p : others) {
    CAPTURE(p);
    CHECK(fs::exists(scratch.folder() / p));
  }
}
