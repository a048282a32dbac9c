#include <algorithm>
#include <future>
#include <vector>

#include <doctest/doctest.h>
#include <hither/launch.h>
#include <hither/ops.h>

using namespace hither;

namespace {

constexpr const char* kAxpy = R"(
declare i64 @hither.global_id(i32)
define void @axpy(double %a, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %i = call i64 @hither.global_id(i32 0)
  %px = getelementptr double, ptr addrspace(1) %x, i64 %i
  %py = getelementptr double, ptr addrspace(1) %y, i64 %i
  %vx = load double, ptr addrspace(1) %px
  %vy = load double, ptr addrspace(1) %py
  %p = fmul double %a, %vx
  %s = fadd double %p, %vy
  store double %s, ptr addrspace(1) %py
  ret void
})";

KernelSource axpy_source() {
  return {"axpy",
          kAxpy,
          {KernelParameter::kFloat64, KernelParameter::kPointer, KernelParameter::kPointer},
          true};
}

std::vector<double> values(const Array& x) {
  std::vector<double> out(static_cast<size_t>(x.size()));
  to_host(x, out.data());
  return out;
}

}  // namespace

TEST_CASE("a kernel given as LLVM IR runs over lazy arrays, in their order") {
  const Allocate cpu{Queue::default_for(Device::select("native_cpu")), UsmType::kDevice};
  const Kernel axpy = build_kernel(cpu.queue, axpy_source());
  Array x = iota(1000, 0, 1, DType::kFloat64, cpu);
  Array y = full({1000}, 1.0, DType::kFloat64, cpu);
  Array before = y * 10;
  parallel_for(axpy, Range(1000), {2.0, x, y});
  Array after = y + 0.5;
  CHECK(values(before)[7] == 10);
  CHECK(values(y)[7] == 15);
  CHECK(values(after)[999] == 2 * 999 + 1 + 0.5);
}

TEST_CASE("wrong arguments and wrong IR are refused with a message") {
  const Allocate cpu{Queue::default_for(Device::select("native_cpu")), UsmType::kDevice};
  const Kernel axpy = build_kernel(cpu.queue, axpy_source());
  Array x = iota(10, 0, 1, DType::kFloat64, cpu);
  CHECK_THROWS_WITH_AS(parallel_for(axpy, Range(10), {2.0, x}),
                       "axpy: 2 arguments are given, the kernel takes 3", Error);
  CHECK_THROWS_WITH_AS(parallel_for(axpy, Range(10), {x, x, x}),
                       "axpy: argument 0 is an array, the kernel's parameter takes a number",
                       Error);
  KernelSource broken = axpy_source();
  broken.code = "define void @axpy( {";
  CHECK_THROWS_AS(build_kernel(cpu.queue, broken), Error);
  broken.code = kAxpy;
  broken.entry = "nowhere";
  CHECK_THROWS_AS(build_kernel(cpu.queue, broken), Error);
}

TEST_CASE("out-of-order queue: memory is returned after the task that writes it") {
  const Queue queue("native_cpu", {.in_order = false});
  const Allocate there{queue, UsmType::kDevice};
  const Kernel axpy = build_kernel(queue, axpy_source());
  constexpr int64_t n = 1000;
  for (int repeat = 0; repeat < 3; ++repeat) {
    Array x = full({n}, 1.0, DType::kFloat64, there), y = full({n}, 1.0, DType::kFloat64, there);
    x.synchronize();
    y.synchronize();
    std::promise<void> gate;
    const Event held = queue.submit_host([opened = gate.get_future().share()] { opened.wait(); });
    parallel_for(axpy, Range(n), {2.0, x, y}, {.depends_on = std::span(&held, 1)});
    {
      Array late = y + 1.0, also = late * 2.0;  // one kernel writes both, when the gate is open
      also.evaluate();
      CHECK(!also.evaluate().is_complete());
    }
    std::vector<Array> fresh;
    for (int i = 0; i < 4; ++i) {
      fresh.push_back(full({n}, 7.0, DType::kFloat64, there));
      fresh.back().synchronize();
    }
    gate.set_value();
    queue.wait();
    for (const Array& f : fresh) {
      const std::vector<double> v = values(f);
      CHECK(std::count(v.begin(), v.end(), 7.0) == n);
    }
  }
}
