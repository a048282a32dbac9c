// Computes with an array on a device, without Python.
#include <hither/array.h>
#include <hither/device.h>
#include <hither/error.h>
#include <hither/ops.h>
#include <hither/queue.h>
#include <hither/reduce.h>
#include <hither/spirv_emitter.h>

#include <cstdio>

int main(int, char** arguments) try {
  // LINE
  const hither::Device device = hither::Device::select(arguments[1]);
  const hither::Queue queue = hither::Queue::default_for(device);
  const hither::Array x =
      hither::full({1000}, 3.0, hither::DType::kFloat64, {queue, hither::UsmType::kDevice});
  double total = 0;
  hither::sum(x * x + 1.0).item(&total);
  std::printf("%g on %s\n", total, device.filter_string().c_str());
} catch (const hither::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
