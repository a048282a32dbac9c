#include <cstring>
#include <thread>

#include <doctest/doctest.h>
#include <hither/counters.h>
#include <hither/memory.h>
#include <hither/memory_info.h>

using namespace hither;

TEST_CASE("memory: every type is aligned, known and returned") {
  const Queue queue("cpu");
  const int64_t before = counters().live_allocations;
  const PoolUse use = pool_use(queue.context());
  for (UsmType type : {UsmType::kDevice, UsmType::kShared, UsmType::kHost})
    for (size_t bytes : {0ul, 1ul, 64ul, 65ul, 4096ul, 100'000ul, 3'000'000ul, 70'000'000ul}) {
      const Memory memory(queue, bytes, type);
      CAPTURE(bytes);
      auto* const data = static_cast<char*>(memory.data());
      REQUIRE(data);
      CHECK(reinterpret_cast<uintptr_t>(data) % 64 == 0);
      std::memset(data, 7, bytes);
      CHECK(memory.bytes() == bytes);
      CHECK(memory.usm_type() == type);
      const auto info = pointer_info(data + (bytes ? bytes - 1 : 0), queue.context());
      REQUIRE(info);
      CHECK(info->type == type);
      CHECK(info->device == queue.device());
      CHECK(info->base == data);
      CHECK(info->bytes == bytes);
      if (bytes) CHECK(!pointer_info(data + bytes, queue.context()));
      CHECK(!pointer_info(data, Context({queue.device()})));
      CHECK(counters().live_allocations == before + 1);
      CHECK(pool_use(queue.context()).live_bytes == use.live_bytes + bytes);
    }
  CHECK(counters().live_allocations == before);
  CHECK(pool_use(queue.context()).live_allocations == use.live_allocations);
  int local = 0;
  CHECK(!pointer_info(&local, queue.context()));
  CHECK(!pointer_info(nullptr, queue.context()));
}

TEST_CASE("memory: sizes around every class neither overlap nor mix") {
  const Queue queue("cpu");
  std::vector<Memory> memories;
  std::vector<size_t> sizes;
  for (size_t base = 64; base <= (8u << 20); base += base / 4 / 64 * 64 + 64)
    for (size_t bytes : {base - 1, base, base + 1}) sizes.push_back(bytes);
  for (size_t i = 0; i < sizes.size(); ++i) {
    memories.emplace_back(queue, sizes[i], UsmType::kDevice);
    std::memset(memories.back().data(), static_cast<int>(i & 255), sizes[i]);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto* data = static_cast<const unsigned char*>(memories[i].data());
    const bool whole =
        data[0] == (i & 255) && data[sizes[i] - 1] == (i & 255) && data[sizes[i] / 2] == (i & 255);
    CHECK(whole);
  }
}

TEST_CASE("memory: the most recently freed block is reused first") {
  const Queue queue("cpu");
  for (size_t bytes : {100ul, 8192ul, 1'000'000ul, 10'000'000ul}) {
    const void* first;
    {
      const Memory memory(queue, bytes, UsmType::kDevice);
      first = memory.data();
    }
    CHECK(Memory(queue, bytes, UsmType::kDevice).data() == first);
  }
}

TEST_CASE("memory: larger alignments") {
  const Queue queue("cpu");
  for (size_t alignment : {128ul, 4096ul, 1ul << 21, 1ul << 23})
    for (size_t bytes : {10ul, 5'000'000ul}) {
      const Memory memory(queue, bytes, UsmType::kShared, alignment);
      CHECK(reinterpret_cast<uintptr_t>(memory.data()) % alignment == 0);
    }
  CHECK_THROWS_AS(Memory(queue, 8, UsmType::kDevice, 48), Error);
}

TEST_CASE("memory: requests beyond the memory of the machine are refused") {
  const Queue queue("cpu");
  for (size_t bytes : {size_t{1} << 50, SIZE_MAX / 2, SIZE_MAX - 100, SIZE_MAX}) try {
      Memory(queue, bytes, UsmType::kDevice);
      FAIL("was given");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kMemory);
    }
  CHECK(Memory(queue, 1000, UsmType::kDevice).data());
}

TEST_CASE("memory: trimming returns unused memory") {
  const Queue plain("cpu");
  const Queue queue(Context({plain.device()}), plain.device());
  const Memory kept(queue, 1000, UsmType::kDevice);
  std::memset(kept.data(), 5, 1000);
  {
    std::vector<Memory> some;
    for (int i = 0; i < 5000; ++i) some.emplace_back(queue, 1000 + 8 * i, UsmType::kDevice);
    some.emplace_back(queue, 50'000'000, UsmType::kDevice);
  }
  const PoolUse before = pool_use(queue.context());
  CHECK(before.live_allocations == 1);
  CHECK(before.held_bytes > 50'000'000);
  trim_pools(queue.context());
  CHECK(pool_use(queue.context()).held_bytes < 3'000'000);
  CHECK(static_cast<const char*>(kept.data())[999] == 5);
  for (int i = 0; i < 5000; ++i)
    std::memset(Memory(queue, 1000 + 8 * i, UsmType::kDevice).data(), 1, 1000);
  CHECK(static_cast<const char*>(kept.data())[0] == 5);
}

TEST_CASE("memory: foreign memory is released once, after its last use") {
  const Queue queue("cpu"), later("cpu", {.in_order = false});
  char buffer[100];
  int released = 0;
  {
    const Memory memory = Memory::foreign(queue, buffer, 100, UsmType::kHost, [&] { ++released; });
    const Memory copy = memory;
    CHECK(memory.is_foreign());
    const auto info = pointer_info(buffer + 50, queue.context());
    REQUIRE(info);
    CHECK(info->base == buffer);
    CHECK(info->type == UsmType::kHost);
  }
  CHECK(released == 1);
  CHECK(!pointer_info(buffer, queue.context()));

  std::atomic<bool> go{false};
  std::atomic<int> after{0};
  const Event event = later.submit_host([&] {
    while (!go) std::this_thread::yield();
  });
  {
    const Memory memory = Memory::foreign(queue, buffer, 100, UsmType::kHost, [&] { ++after; });
    memory.release_after(event);
  }
  CHECK(after == 0);
  go = true;
  event.wait();
  while (after == 0) std::this_thread::yield();
  CHECK(after == 1);
}

TEST_CASE("memory: a block in use by unfinished work is not reused") {
  const Queue queue("cpu"), later("cpu", {.in_order = false});
  std::atomic<bool> go{false};
  const Event event = later.submit_host([&] {
    while (!go) std::this_thread::yield();
  });
  const void* used;
  {
    const Memory memory(queue, 8192, UsmType::kDevice);
    used = memory.data();
    memory.release_after(event);
  }
  CHECK(Memory(queue, 8192, UsmType::kDevice).data() != used);
  CHECK(pointer_info(used, queue.context()));
  go = true;
  event.wait();
  while (pointer_info(used, queue.context())) std::this_thread::yield();
}

TEST_CASE("memory: threads free blocks that other threads allocated") {
  const Queue queue("cpu");
  const size_t before = pool_use(queue.context()).live_allocations;
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::vector<Memory> shared;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      uint32_t seed = static_cast<uint32_t>(t) * 77 + 1;
      for (int i = 0; i < 3000; ++i) {
        seed = seed * 1664525 + 1013904223;
        const size_t bytes = 1 + (seed >> 8) % (i % 50 == 0 ? 3'000'000 : 20'000);
        Memory memory(queue, bytes, UsmType::kDevice);
        auto* data = static_cast<char*>(memory.data());
        data[0] = data[bytes - 1] = static_cast<char>(t);
        if (!pointer_info(data, queue.context())) ++wrong;
        if (data[0] != t || data[bytes - 1] != t) ++wrong;
        if (i % 500 == 499) trim_pools(queue.context());
        std::lock_guard lock(mutex);
        if (shared.size() < 32)
          shared.push_back(std::move(memory));
        else
          shared[seed % 32] = std::move(memory);
      }
    });
  for (auto& thread : threads) thread.join();
  shared.clear();
  CHECK(wrong == 0);
  CHECK(pool_use(queue.context()).live_allocations == before);
}

TEST_CASE("queue: copies and fills; copies between host and USM are counted") {
  const Queue queue("cpu");
  const size_t n = 5'000'011;
  std::vector<char> host(n), back(n);
  for (size_t i = 0; i < n; ++i) host[i] = static_cast<char>(i * 7 + i / 251);
  const Counters before = counters();
  const Memory a(queue, n, UsmType::kDevice), b(Queue("cpu"), n, UsmType::kShared);
  queue.copy(a.data(), host.data(), n);
  queue.copy(b.data(), a.data(), n);
  queue.copy(back.data(), b.data(), n);
  CHECK(host == back);
  CHECK(counters().bytes_to_device - before.bytes_to_device == static_cast<int64_t>(n));
  CHECK(counters().bytes_to_host - before.bytes_to_host == static_cast<int64_t>(n));
  queue.copy(static_cast<char*>(a.data()) + 3, a.data(), n - 3);
  CHECK(std::memcmp(static_cast<char*>(a.data()) + 3, host.data(), n - 3) == 0);

  for (size_t width : {1, 2, 4, 8, 16}) {
    const size_t count = 300'001;
    std::vector<char> pattern(width);
    for (size_t i = 0; i < width; ++i) pattern[i] = static_cast<char>(i + 1);
    queue.fill(a.data(), pattern.data(), width, count);
    bool same = true;
    for (size_t i = 0; i < count * width; ++i)
      same &= static_cast<char*>(a.data())[i] == pattern[i % width];
    CHECK(same);
  }
  CHECK_THROWS_AS(queue.fill(a.data(), "abc", 3, 1), Error);
  CHECK_THROWS_AS(queue.copy(a.data(), nullptr, 1), Error);
}

TEST_CASE("memory: used, cached and peak bytes add up") {
  const Queue queue("cpu");
  const Context context = queue.context();
  trim_pools(context);
  const MemoryInfo before = memory_info(context);
  constexpr size_t kBytes = 64u << 20;
  {
    const Memory memory(queue, kBytes, UsmType::kDevice);
    const MemoryInfo during = memory_info(context);
    CHECK(during.used == before.used + kBytes);
    CHECK(during.peak >= during.used + during.cached);
  }
  const MemoryInfo after = memory_info(context);
  CHECK(after.used == before.used);
  CHECK(after.cached >= kBytes);
  trim_pools(context);
  const MemoryInfo trimmed = memory_info(context);
  CHECK(trimmed.cached + kBytes <= after.cached);
  CHECK(trimmed.peak >= before.used + kBytes);
  REQUIRE(trimmed.free);
  CHECK(*trimmed.free > 0);
}
