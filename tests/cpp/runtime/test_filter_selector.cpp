#include "runtime/filter_selector.h"

#include <doctest/doctest.h>
#include <hither/error.h>

using namespace hither;
using runtime::parse_filter;

TEST_CASE("filter selector: every part is optional") {
  const auto one = [](std::string_view text) {
    const auto filters = parse_filter(text);
    REQUIRE(filters.size() == 1);
    return filters[0];
  };
  CHECK(one("gpu").type == DeviceType::kGpu);
  CHECK(!one("gpu").backend);
  CHECK(one("cuda").backend == Backend::kCuda);
  CHECK(one("CUDA:GPU:12").index == 12);
  CHECK(one("native_cpu:0").backend == Backend::kNativeCpu);
  CHECK(one("level_zero:accelerator").type == DeviceType::kAccelerator);
  CHECK(one("3").index == 3);
  CHECK(!one("3").type);
  const auto two = parse_filter("level_zero:gpu,native_cpu");
  REQUIRE(two.size() == 2);
  CHECK(two[0].backend == Backend::kLevelZero);
  CHECK(two[1].backend == Backend::kNativeCpu);
}

TEST_CASE("filter selector: malformed strings are refused with a caret under the fault") {
  struct Fault {
    const char* text;
    size_t column;
    const char* words;
  };
  for (const Fault& fault : {
           Fault{"cudda", 0, "did you mean \"cuda\"?"},
           Fault{"", 0, "missing"},
           Fault{"gpu,", 4, "missing"},
           Fault{",gpu", 0, "missing"},
           Fault{"gpu,,cpu", 4, "missing"},
           Fault{":", 0, "empty"},
           Fault{"gpu:", 4, "empty"},
           Fault{"cuda::1", 5, "empty"},
           Fault{"gpux:1", 0, "neither a back end"},
           Fault{"cuda:gpo:1", 5, "neither a back end"},
           Fault{"gpu:cuda", 4, "before the device type"},
           Fault{"cuda:native_cpu", 5, "second back end"},
           Fault{"gpu:cpu", 4, "second device type"},
           Fault{"gpu:1:2", 6, "nothing may follow"},
           Fault{"gpu:1:", 6, "nothing may follow"},
           Fault{"1:gpu", 2, "nothing may follow"},
           Fault{"gpu:-1", 4, "digits only"},
           Fault{"gpu:1x", 5, "digits only"},
           Fault{"gpu:+1", 4, "digits only"},
           Fault{"gpu:12345678", 4, "too large"},
           Fault{"gpu, cpu", 4, "spaces"},
           Fault{" gpu", 0, "spaces"},
           Fault{"gpu\n", 3, "spaces"},
           Fault{"native_cpu:cpu:0[1]", 16, "root devices only"},
       }) {
    CAPTURE(fault.text);
    try {
      parse_filter(fault.text);
      FAIL("was accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kValue);
      const std::string& message = error.message();
      CAPTURE(message);
      CHECK(message.find(fault.words) != message.npos);
      const size_t text_line = message.find("\n  ") + 3;
      const size_t caret = message.find('^');
      REQUIRE(caret != message.npos);
      const size_t caret_line = message.rfind("\n  ", caret) + 3;
      CHECK(message.compare(text_line, std::string_view(fault.text).size(), fault.text) == 0);
      CHECK(caret - caret_line == fault.column);
    }
  }
}
