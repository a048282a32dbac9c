// The kernel that diffusion.cpp launches, on any device.
#include <hither/device.h>

using namespace hither::device;

/// out = in after one step of the heat equation; the border keeps its values.
HITHER_KERNEL void heat_step(const float* in, float* out, float rate) {
  const int64_t y = global_id(0), x = global_id(1);
  const int64_t height = global_size(0), width = global_size(1);
  const int64_t at = y * width + x;
  const float here = in[at];
  if (y == 0 || x == 0 || y == height - 1 || x == width - 1) {
    out[at] = here;
    return;
  }
  const float around = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
  out[at] = here + rate * (around - 4 * here);
}
