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

TEST_CASE("kernel: every item of every shape is visited once") {
  const Queue queue("cpu");
  const Kernel kernel = runtime::load_kernel(queue.context(), visit_image(false));
  for (const Range& range :
       {Range(1), Range(70'001), Range(1, 200'000), Range(200'000, 1), Range(3, 50'001),
        Range(701, 333), Range(2, 3, 40'000), Range(40, 50, 61), Range(90'000, 1, 2)}) {
    std::vector<std::atomic<int>> visits(static_cast<size_t>(range.items()));
    const VisitArguments arguments{visits.data()};
    for (int repeat = 1; repeat <= 3; ++repeat) {
      queue.submit(kernel, range, std::as_bytes(std::span(&arguments, 1)));
      int64_t wrong = 0;
      for (const auto& v : visits) wrong += v != repeat;
      CHECK(wrong == 0);
    }
  }
}

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

TEST_CASE("kernel: the event has the reported error, with source line and work-item") {
  for (bool in_order : {true, false}) {
    const Queue queue("cpu", {.in_order = in_order});
    auto image = std::make_shared<target::CodeImage>();
    image->entry_name = "reads";
    image->source_file = "work.py";
    image->messages = {"the moon is full"};
    image->signature.parameters = {target::Parameter::kInt32};
    image->entry = [](const void* packed, const target::WorkRange*, target::ErrorRecord* error) {
      error->code = *static_cast<const int32_t*>(packed);
      error->line = 12;
      error->global_id[0] = 3;
      error->global_id[1] = 4;
    };
    const Kernel kernel = runtime::load_kernel(queue.context(), image);
    const auto text = [&](int64_t code) -> std::string {
      const Event event = queue.submit(kernel, Range(8, 8), std::as_bytes(std::span(&code, 1)));
      const auto error = event.wait_for_error();
      if (!error) return "";
      CHECK(error->kind() == ErrorKind::kKernel);
      CHECK(error->native_code() == code);
      CHECK_THROWS_AS(queue.wait(), Error);
      return error->message();
    };
    CHECK(text(0).empty());
    CHECK(text(target::kIndexOutOfBounds) ==
          "index out of bounds in kernel reads at work.py:12, work-item (3, 4)");
    CHECK(text(target::kFirstMessage) ==
          "the moon is full in kernel reads at work.py:12, work-item (3, 4)");
  }
}
