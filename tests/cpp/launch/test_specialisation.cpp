// The table of what a kernel function was compiled for.
#include <atomic>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "launch/specialisation.h"
#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/kernel_state.h"

using hither::launch::KernelSource;
using hither::launch::SpecialisationTable;

namespace {

KernelSource source() {
  KernelSource made;
  made.key = "a key, so that no code is needed";
  return made;
}

// A context that loads everything, and whose queues nobody uses.
class Context final : public hither::runtime::DriverContext {
 public:
  bool allocate(hither::runtime::Block&) override { return false; }
  void release(const hither::runtime::Block&, std::span<const hither::Event>) noexcept override {}
  std::optional<hither::runtime::Block> find(const void*) const override { return std::nullopt; }
  hither::PoolUse pool_use() const override { return {}; }
  size_t peak_held_bytes() const override { return 0; }
  void trim() override {}
  std::shared_ptr<hither::runtime::KernelState> load(
      std::shared_ptr<const hither::target::CodeImage>) override {
    return std::make_shared<hither::runtime::KernelState>();
  }
  std::unique_ptr<hither::runtime::DriverQueue> make_queue(
      const std::shared_ptr<hither::runtime::DriverDevice>&, hither::QueueProperties,
      std::shared_ptr<hither::runtime::FailureLog>) override {
    return nullptr;
  }
};

class DeviceOfModel final : public hither::runtime::DriverDevice {
 public:
  explicit DeviceOfModel(const char* model) {
    facts_.target = {hither::target::TargetKind::kCpu, model};
    facts_.compiles_for_local_size = true;
    for (const char* count : {"max_compute_units", "max_work_item_dims", "global_mem_size"})
      facts_.info[count] = int64_t{1};
  }
  const hither::runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  std::vector<std::shared_ptr<hither::runtime::DriverDevice>> partition(hither::PartitionKind,
                                                                        std::span<const int64_t>,
                                                                        std::string_view) override {
    return {};
  }
  std::unique_ptr<hither::runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<hither::runtime::DriverDevice>>) override {
    return std::make_unique<Context>();
  }

 private:
  hither::runtime::DeviceFacts facts_;
};

hither::Device device_of(const char* model) {
  auto state =
      std::make_shared<hither::runtime::DeviceState>(std::make_shared<DeviceOfModel>(model));
  state->filter_string = model;
  return hither::Device(state);
}

}  // namespace

TEST_CASE("devices of one context have each the code of its target") {
  const std::vector devices = {device_of("x86-64-v2"), device_of("x86-64-v3")};
  const hither::Context context(devices);
  KernelSource empty;
  empty.module.entry = "k";
  empty.module.code = {"define void @k() { ret void }"};
  hither::launch::Specialisation specialisation({}, std::move(empty));
  for (int again : {0, 1})
    for (const hither::Device& device : devices) {
      CAPTURE(again);
      const auto loaded = specialisation.kernel_for(hither::Queue(context, device), {1});
      CHECK(loaded->kernel.state()->image->target.arch == device.filter_string());
    }
}

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
