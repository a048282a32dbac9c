#include <cstdlib>
#include <set>

#include <doctest/doctest.h>
#include <hither/context.h>
#include <hither/memory.h>
#include <hither/queue.h>

using namespace hither;

namespace {
int64_t units(const Device& device) { return std::get<int64_t>(device.info("max_compute_units")); }
}  // namespace

TEST_CASE("device: the CPU is found by each of its names") {
  const Device cpu = Device::select("cpu");
  CHECK(cpu.backend() == Backend::kNativeCpu);
  CHECK(cpu.filter_string() == "native_cpu:cpu:0");
  for (const char* text :
       {"native_cpu", "cpu:0", "native_cpu:cpu:0", "native_cpu:0", "cuda:gpu:99,cpu"})
    CHECK(Device::select(text) == cpu);
  CHECK(cpu.is_root());
  CHECK(!cpu.parent());
  CHECK_THROWS_WITH_AS(Device::select("cpu:77"),
                       doctest::Contains("the devices are native_cpu:cpu:0"), Error);
}

TEST_CASE("device: HITHER_DEVICE decides the default") {
  setenv("HITHER_DEVICE", "native_cpu:cpu", 1);
  CHECK(Device::select_default() == Device::select("cpu"));
  setenv("HITHER_DEVICE", "gpuu", 1);
  CHECK_THROWS_WITH_AS(Device::select_default(), doctest::Contains("HITHER_DEVICE"), Error);
  unsetenv("HITHER_DEVICE");
  CHECK(Device::select_default().is_root());
}

TEST_CASE("device: descriptors of a CPU") {
  const Device cpu = Device::select("cpu");
  for (const char* name : {"name",
                           "vendor",
                           "driver_version",
                           "version",
                           "max_compute_units",
                           "max_work_item_dims",
                           "max_work_item_sizes",
                           "max_work_group_size",
                           "max_num_sub_groups",
                           "sub_group_sizes",
                           "preferred_vector_width_float",
                           "native_vector_width_double",
                           "global_mem_size",
                           "global_mem_cache_size",
                           "local_mem_size",
                           "local_mem_type",
                           "max_mem_alloc_size",
                           "partition_max_sub_devices",
                           "profiling_timer_resolution",
                           "is_endian_little",
                           "max_clock_frequency",
                           "address_bits",
                           "numa_nodes",
                           "simd_width_bits"})
    CHECK_NOTHROW(cpu.info(name));
  CHECK(units(cpu) >= 1);
  CHECK(std::get<int64_t>(cpu.info("global_mem_size")) > (1 << 20));
  CHECK(!std::get<std::string>(cpu.info("name")).empty());
  CHECK_THROWS_WITH_AS(cpu.info("colour"), doctest::Contains("max_compute_units"), Error);
  CHECK(cpu.has(Aspect::kCpu));
  CHECK(cpu.has(Aspect::kFp64));
  CHECK(!cpu.has(Aspect::kGpu));
}

TEST_CASE("device: sub-devices") {
  const Device cpu = Device::select("cpu");
  const int64_t all = units(cpu);
  CHECK_THROWS_AS(cpu.create_sub_devices_equally(0), Error);
  CHECK_THROWS_AS(cpu.create_sub_devices_equally(all + 1), Error);
  const int64_t too_many[] = {all, 1}, none[] = {0};
  CHECK_THROWS_AS(cpu.create_sub_devices_by_counts(too_many), Error);
  CHECK_THROWS_AS(cpu.create_sub_devices_by_counts(none), Error);
  CHECK_THROWS_AS(cpu.create_sub_devices_by_counts({}), Error);
  CHECK_THROWS_AS(cpu.create_sub_devices_by_affinity("moon"), Error);

  const auto ones = cpu.create_sub_devices_equally(1);
  REQUIRE(static_cast<int64_t>(ones.size()) == all);
  std::set<std::string> names;
  for (const Device& sub : ones) {
    CHECK(units(sub) == 1);
    CHECK(!sub.is_root());
    CHECK(sub.parent() == cpu);
    CHECK(!(sub == cpu));
    names.insert(sub.filter_string());
  }
  CHECK(names.size() == ones.size());
  CHECK(cpu.create_sub_devices_equally(1) == ones);
  CHECK(Context::default_for(ones[0]) == Context::default_for(ones[0]));
  CHECK(!(Context::default_for(ones[0]) == Context::default_for(cpu)));
  CHECK(Queue(ones[0]).equivalent(Queue(ones[0])));
  CHECK(!Queue(ones[0]).equivalent(Queue(cpu)));
  CHECK_THROWS_AS(ones[0].create_sub_devices_equally(2), Error);
}

TEST_CASE("queue: equivalence") {
  const Queue a("cpu"), b("native_cpu:cpu:0");
  const Queue out_of_order("cpu", {.in_order = false}),
      profiling("cpu", {.enable_profiling = true});
  const Queue own(Context({a.device()}), a.device());
  CHECK(!(a == b));
  CHECK(a.equivalent(a));
  CHECK(a.equivalent(b));
  CHECK(b.equivalent(a));
  for (const Queue& q : {out_of_order, profiling, own}) {
    CHECK(!a.equivalent(q));
    CHECK(!q.equivalent(a));
  }
  CHECK(Queue::default_for(Device::select("cpu")) == Queue::default_for(Device::select("cpu:0")));
  CHECK(a.context() == Context::default_for(a.device()));
}

TEST_CASE("context: it holds devices of one platform, once each") {
  const Device cpu = Device::select("cpu");
  CHECK_THROWS_AS(Context(std::vector<Device>()), Error);
  CHECK_THROWS_AS(Context({cpu, cpu}), Error);
  CHECK(!(Context({cpu}) == Context({cpu})));
  const auto sub = cpu.create_sub_devices_equally(1);
  CHECK_THROWS_AS(Queue(Context({sub[0]}), cpu), Error);
}
