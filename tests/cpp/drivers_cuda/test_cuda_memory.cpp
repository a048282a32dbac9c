#include <algorithm>

#include <hither/memory.h>

#include "drivers/subject.h"
#include "ptx_kernels.h"
#include "runtime/context_state.h"

using namespace hither;

TEST_CASE("cuda memory: later work of an in-order queue reuses memory of its earlier work") {
  const auto device = test_cuda::cuda_device();
  if (!device) return;
  const Queue queue(Context({*device}), *device), second(queue.context(), *device);
  constexpr size_t kBytes = size_t{64} << 20;
  const auto filled = [&](const Memory& memory, uint64_t word, int times) {
    Event last;
    for (int i = 0; i < times; ++i) last = queue.fill(memory.data(), &word, 8, kBytes / 8);
    memory.release_after(last);
    return last;
  };
  constexpr int kRepeats = 2000;  // some 50 us each
  void* first = nullptr;
  Event use;
  {
    const Memory memory(queue, kBytes, UsmType::kDevice);
    first = memory.data();
    use = filled(memory, 1, kRepeats);
  }
  // While the memory is in use, only requests for work of `queue` get it.
  CHECK(Memory::for_work(second, kBytes, UsmType::kDevice).data() != first);
  CHECK(Memory::for_work(queue, kBytes, UsmType::kDevice).data() == first);
  const Memory plain(queue, kBytes, UsmType::kDevice);
  CHECK(plain.data() != first);
  CHECK(!use.is_complete());
  CHECK(Memory::for_work(queue, kBytes, UsmType::kHost).data() != first);
  const Memory again = Memory::for_work(queue, kBytes, UsmType::kDevice);
  CHECK(again.data() == first);
  filled(again, 2, 1);
  std::vector<uint64_t> back(kBytes / 8);
  queue.copy(back.data(), again.data(), kBytes).wait();
  CHECK(std::count(back.begin(), back.end(), 2) == std::ssize(back));
}

TEST_CASE(
    "cuda context: a new context differs from the default one, and copies between them work") {
  const auto device = test_cuda::cuda_device();
  if (!device) return;
  const Queue own(Context({*device}), *device), shared(*device);
  const Memory x(own, 1 << 20, UsmType::kDevice), y(shared, 1 << 20, UsmType::kDevice);
  // The default context knows the memory of other contexts of its device, for copies.
  CHECK(pointer_info(x.data(), shared.context())->device == *device);
  const Event filled = own.fill(x.data(), "z", 1, 1 << 20);
  std::string back(1 << 20, '-');
  const Event copied = shared.copy(y.data(), x.data(), 1 << 20, std::span(&filled, 1));
  own.copy(back.data(), y.data(), 1 << 20, std::span(&copied, 1)).wait();
  CHECK(back == std::string(1 << 20, 'z'));
}

TEST_CASE("cuda context: several GPUs access one another's memory and run one kernel") {
  std::vector<Device> devices;
  for (const Device& device : Device::all())
    if (device.backend() == Backend::kCuda) devices.push_back(device);
  if (devices.size() < 2) {
    MESSAGE("fewer than two NVIDIA GPUs; nothing is tested");
    return;
  }
  const Context context(devices);
  const Kernel kernel = runtime::load_kernel(context, test_cuda::axpy_image());
  const Queue first(context, devices[0]), second(context, devices[1]);
  const int64_t n = 1'000'000;
  const Memory x(first, n * 8, UsmType::kDevice), y(second, n * 8, UsmType::kDevice);
  const double one = 1;
  const Event filled[] = {first.fill(x.data(), &one, 8, n), second.fill(y.data(), &one, 8, n)};
  std::vector<double> here(n);
  const Event copied = second.copy(y.data(), x.data(), n * 8, filled);
  first.copy(here.data(), y.data(), n * 8, std::span(&copied, 1)).wait();
  CHECK(std::count(here.begin(), here.end(), 1.0) == n);
  const test::AxpyArguments arguments{3, static_cast<const double*>(y.data()),
                                      static_cast<double*>(y.data())};
  second.submit(kernel, Range(n), test::packed(arguments));
  second.copy(here.data(), y.data(), n * 8).wait();
  CHECK(std::count(here.begin(), here.end(), 4.0) == n);
  CHECK(pointer_info(y.data(), context)->device == devices[1]);
}

TEST_CASE("cuda device: programs cannot divide it") {
  const auto device = test_cuda::cuda_device();
  if (!device) return;
  CHECK_THROWS_WITH_AS(device->create_sub_devices_equally(1), doctest::Contains("MIG"), Error);
}
