#include <atomic>

#include <doctest/doctest.h>
#include <hither/queue.h>

#include "runtime/kernel_state.h"

using namespace hither;

namespace {

struct VisitArguments {
  std::atomic<int>* visits;
};

/// Counts the visits of each work-item (work-group), and refuses ranges that are empty.
std::shared_ptr<target::CodeImage> visit_image(bool uses_groups) {
  auto image = std::make_shared<target::CodeImage>();
  image->entry_name = "visit";
  image->signature.parameters = {target::Parameter::kPointer};
  image->uses_groups = uses_groups;
  image->entry = [](const void* packed, const target::WorkRange* r, target::ErrorRecord*) {
    const auto& arguments = *static_cast<const VisitArguments*>(packed);
    const int64_t n1 = r->global_size[1] / (r->local_size[1]),
                  n2 = r->global_size[2] / (r->local_size[2]);
    for (int64_t i = r->begin[0]; i < r->end[0]; ++i)
      for (int64_t j = r->begin[1]; j < r->end[1]; ++j)
        for (int64_t k = r->begin[2]; k < r->end[2]; ++k) ++arguments.visits[(i * n1 + j) * n2 + k];
  };
  return image;
}

}  // namespace

TEST_CASE("kernel: groups are not divided among threads") {
  const Queue queue("cpu");
  const Kernel kernel = runtime::load_kernel(queue.context(), visit_image(true));
  const NdRange range(Range(64, 96, 128), Range(2, 3, 4));
  std::vector<std::atomic<int>> visits(32 * 32 * 32);
  const VisitArguments arguments{visits.data()};
  const auto packed = std::as_bytes(std::span(&arguments, 1));
  for (int repeat = 1; repeat <= 3; ++repeat) queue.submit(kernel, range, packed);
  int64_t wrong = 0;
  for (const auto& v : visits) wrong += v != 3;
  CHECK(wrong == 0);
  CHECK_THROWS_WITH_AS(queue.submit(kernel, Range(64), packed), doctest::Contains("NdRange"),
                       Error);
  CHECK_THROWS_WITH_AS(queue.submit(kernel, NdRange(Range(1 << 20), Range(1 << 20)), packed),
                       doctest::Contains("max_work_group_size"), Error);
}

TEST_CASE("kernel: more local memory than the device has is refused before the launch") {
  const Queue queue("cpu");
  auto image = visit_image(true);
  image->local_bytes = 40'000;
  image->signature.parameters.push_back(target::Parameter::kLocalBytes);
  const Kernel kernel = runtime::load_kernel(queue.context(), image);
  std::atomic<int> visits[4] = {};
  struct {
    std::atomic<int>* visits;
    int64_t local_bytes;
  } arguments{visits, 20'000};
  const auto packed = std::as_bytes(std::span(&arguments, 1));
  queue.submit(kernel, NdRange(Range(4), Range(1)), packed);
  CHECK(visits[3] == 1);
  arguments.local_bytes = 30'000;
  CHECK_THROWS_WITH_AS(queue.submit(kernel, NdRange(Range(4), Range(1)), packed),
                       doctest::Contains("local_mem_size"), Error);
  CHECK(visits[3] == 1);
}
