// Lists the devices, then fills USM memory on the default one and copies it back.
#include <hither/device.h>
#include <hither/error.h>
#include <hither/memory.h>
#include <hither/queue.h>
#include <hither/version.h>

#include <cstdint>
#include <cstdio>
#include <vector>

int main() try {
  std::printf("hither %s\n", hither::version());
  for (const hither::Device& device : hither::Device::all())
    std::printf("  %s\n", device.filter_string().c_str());

  const hither::Queue queue = hither::Queue::default_queue();
  const size_t count = 1 << 20;
  const hither::Memory memory(queue, count * sizeof(int32_t), hither::UsmType::kDevice);

  const int32_t pattern = 42;
  const hither::Event filled = queue.fill(memory.data(), &pattern, sizeof pattern, count);
  std::vector<int32_t> host(count);
  const hither::Event after[] = {filled};
  queue.copy(host.data(), memory.data(), memory.bytes(), after).wait();

  for (const int32_t value : host)
    if (value != pattern) return std::fprintf(stderr, "wrong value %d\n", value), 1;
  std::printf("filled and copied %zu integers on %s\n", count,
              queue.device().filter_string().c_str());
  return 0;
} catch (const hither::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
