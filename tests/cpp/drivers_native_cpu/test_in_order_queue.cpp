#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "cpu_kernels.h"
#include "drivers/subject.h"

using namespace hither;

TEST_CASE("in-order queue: a kernel runs over every item and is complete on return") {
  const Queue queue("native_cpu");
  const Kernel kernel = runtime::load_kernel(queue.context(), test::axpy_image());
  for (int64_t n : {1, 63, 64, 65, 1000, 100'003, 3'000'017}) {
    const Memory x(queue, n * 8, UsmType::kDevice), y(queue, n * 8, UsmType::kDevice);
    const double one = 1, two = 2;
    queue.fill(x.data(), &one, 8, n);
    queue.fill(y.data(), &two, 8, n);
    const test::AxpyArguments arguments{3, static_cast<double*>(x.data()),
                                        static_cast<double*>(y.data())};
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Event event = queue.submit(kernel, Range(n), test::packed(arguments));
      CHECK(event.is_complete());
      CHECK(!event.state());
    }
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) wrong += arguments.y[i] != 11;
    CHECK(wrong == 0);
  }
}
