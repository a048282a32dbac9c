// Launches kernels written in C++ (kernels/image.cpp) on the default device and checks the results.
#include <hither/error.h>
#include <hither/module.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "image_kernels.h"

namespace {

constexpr int64_t kHeight = 96, kWidth = 160;

float blurred(const std::vector<float>& image, int64_t y, int64_t x) {
  float sum = 0;
  for (int64_t v = y - 1; v <= y + 1; ++v)
    for (int64_t u = x - 1; u <= x + 1; ++u)
      sum += image[static_cast<size_t>(std::clamp<int64_t>(v, 0, kHeight - 1) * kWidth +
                                       std::clamp<int64_t>(u, 0, kWidth - 1))];
  return sum / 9;
}

int run() {
  std::vector<float> image(kHeight * kWidth);
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = static_cast<float>((i * 2654435761u) % 1000) / 1000;

  const hither::Allocate where{hither::Queue::default_queue()};
  const hither::Dims shape{kHeight, kWidth}, strides{kWidth * 4, 4};
  const hither::Array in =
      hither::from_host(image.data(), shape, strides, hither::DType::kFloat32, where);
  const hither::Array blur = hither::empty(shape, hither::DType::kFloat32, where);
  const hither::Array turned = hither::empty({kWidth, kHeight}, hither::DType::kFloat32, where);
  const hither::Array bins = hither::full({64}, 0, hither::DType::kInt32, where);

  const hither::Module kernels(image_kernels, "image.cpp");
  const hither::Range size(kHeight, kWidth);
  kernels.launch("box_blur", size, {in, blur});
  kernels.launch("transpose", hither::NdRange(size, hither::Range(16, 16)), {in, turned});
  kernels.launch("histogram", hither::Range(kHeight * kWidth), {in, bins, kHeight * kWidth});

  std::vector<float> blur_host(image.size()), turned_host(image.size());
  std::vector<int32_t> bins_host(64);
  hither::to_host(blur, blur_host.data());
  hither::to_host(turned, turned_host.data());
  hither::to_host(bins, bins_host.data());

  float worst = 0;
  bool turned_well = true;
  std::vector<int32_t> expected(64);
  for (int64_t y = 0; y < kHeight; ++y)
    for (int64_t x = 0; x < kWidth; ++x) {
      const auto i = static_cast<size_t>(y * kWidth + x);
      worst = std::max(worst, std::abs(blur_host[i] - blurred(image, y, x)));
      turned_well = turned_well && turned_host[static_cast<size_t>(x * kHeight + y)] == image[i];
      ++expected[static_cast<size_t>(std::min(63, static_cast<int>(image[i] * 64)))];
    }
  std::printf("on %s: blur off by %.1e, transpose %s, histogram %s\n",
              in.device().filter_string().c_str(), static_cast<double>(worst),
              turned_well ? "right" : "wrong", bins_host == expected ? "right" : "wrong");
  return worst < 1e-6F && turned_well && bins_host == expected ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const hither::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
