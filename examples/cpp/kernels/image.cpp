// Kernels that device_kernels.cpp launches, on any device.
#include <hither/device.h>

using namespace hither::device;

namespace {

constexpr int kTile = 16;

template <typename T>
T clamped(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}

}  // namespace

/// out = the mean of each pixel's 3 x 3 neighbourhood, borders repeated.
HITHER_KERNEL void box_blur(const float* in, float* out) {
  const int64_t y = global_id(0), x = global_id(1);
  const int64_t height = global_size(0), width = global_size(1);
  float sum = 0;
  for (int64_t dy = -1; dy <= 1; ++dy)
    for (int64_t dx = -1; dx <= 1; ++dx) {
      const int64_t from_y = clamped<int64_t>(y + dy, 0, height - 1);
      const int64_t from_x = clamped<int64_t>(x + dx, 0, width - 1);
      sum += in[from_y * width + from_x];
    }
  out[y * width + x] = sum / 9;
}

/// out = in transposed, through local memory. Needs groups of 16 x 16 items.
HITHER_KERNEL void transpose(const float* in, float* out) {
  HITHER_LOCAL float tile[kTile][kTile + 1];
  const int64_t height = global_size(0), width = global_size(1);
  const int64_t y = local_id(0), x = local_id(1);
  tile[y][x] = in[global_id(0) * width + global_id(1)];
  barrier(kLocalFence);
  const int64_t out_y = group_id(1) * kTile + y, out_x = group_id(0) * kTile + x;
  out[out_y * height + out_x] = tile[x][y];
}

/// Counts values of [0, 1) in 64 equal bins.
HITHER_KERNEL void histogram(const float* values, int32_t* bins, int64_t count) {
  const int64_t i = global_id();
  if (i < count) atomic_add(&bins[clamped(static_cast<int>(values[i] * 64), 0, 63)], 1);
}
