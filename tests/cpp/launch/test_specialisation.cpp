// The table of what a kernel function was compiled for.
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "launch/specialisation.h"

using hither::launch::KernelSource;
using hither::launch::SpecialisationTable;

namespace {

KernelSource source() {
  KernelSource made;
  made.key = "a key, so that no code is needed";
  return made;
}

}  // namespace

TEST_CASE("the table keeps the most recently used specialisations") {
  SpecialisationTable table;
  const uint64_t often[] = {0};
  auto first = table.find_or_make(often, source);
  for (uint64_t i = 1; i <= 2 * SpecialisationTable::kMostSpecialisations; ++i) {
    const uint64_t key[] = {i};
    table.find_or_make(key, source);
    CHECK(table.find(often) == first);
  }
  CHECK(table.all().size() == SpecialisationTable::kMostSpecialisations);
  const uint64_t old[] = {1};
  CHECK(table.find(old) == nullptr);
}

TEST_CASE("one thread makes a specialisation, the others wait for it") {
  SpecialisationTable table;
  std::atomic<int> made = 0;
  const uint64_t key[] = {7, 8};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      table.find_or_make(key, [&] {
        ++made;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return source();
      });
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 1);
}

TEST_CASE("a failure goes to its caller alone, and the next caller tries again") {
  SpecialisationTable table;
  const uint64_t key[] = {1};
  auto fail = []() -> KernelSource { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(table.find_or_make(key, fail), std::runtime_error);
  CHECK(table.find_or_make(key, source) != nullptr);
}
