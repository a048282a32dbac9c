#include "runtime/placement.h"

#include <doctest/doctest.h>
#include <hither/error.h>

using namespace hither;
using runtime::ArgumentKind;
using runtime::place;
using runtime::PlacedArgument;

namespace {

struct Fixture {
  Queue q{"native_cpu"}, twin{"native_cpu"}, other{"native_cpu", {.in_order = false}};
  Queue elsewhere{Context({q.device()}), q.device()};

  static PlacedArgument usm(const Queue& queue, std::string_view name,
                            UsmType type = UsmType::kDevice) {
    return {.kind = ArgumentKind::kUsmArray,
            .queue = &queue,
            .usm_type = type,
            .name = name,
            .type_name = "hither.Array"};
  }
  static PlacedArgument host(std::string_view name) {
    return {.kind = ArgumentKind::kHostArray, .name = name, .type_name = "numpy.ndarray"};
  }
  static PlacedArgument scalar() { return {}; }

  static std::string refusal(std::vector<PlacedArgument> arguments, const Queue* explicit_queue,
                             const Queue* context) {
    try {
      place("f", arguments, explicit_queue, context);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kPlacement);
      return error.what();
    }
    return "";
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE_FIXTURE(Fixture, "placement: USM arrays on equivalent queues run on the first one's") {
  const std::vector arguments{scalar(), usm(twin, "x"), usm(q, "y")};
  CHECK(place("f", arguments, nullptr, nullptr).queue == twin);
  CHECK(!place("f", arguments, nullptr, nullptr).context_ignored);
  const auto inside = place("f", arguments, nullptr, &other);
  CHECK(inside.queue == twin);
  CHECK(inside.context_ignored);
  CHECK(!inside.stage_host_arrays);
}

TEST_CASE_FIXTURE(Fixture, "placement: an explicit queue is used if it can access the arrays") {
  CHECK(place("f", std::vector{usm(q, "x"), usm(other, "y")}, &other, nullptr).queue == other);
  CHECK(!place("f", std::vector{usm(q, "x")}, &other, &q).context_ignored);
  const std::string text = refusal({usm(q, "x"), usm(elsewhere, "y")}, &q, nullptr);
  CHECK(has(text, "y (hither.Array)"));
  CHECK(has(text, "own context"));
}

TEST_CASE_FIXTURE(Fixture, "placement: non-equivalent queues are refused by name") {
  for (const Queue* context : {static_cast<const Queue*>(nullptr), static_cast<const Queue*>(&q)}) {
    const std::string text = refusal({usm(q, "x"), scalar(), usm(other, "")}, nullptr, context);
    CHECK(has(text, "x (hither.Array)"));
    CHECK(has(text, "argument 3"));
    CHECK(has(text, "out of order"));
    CHECK(has(text, "properties differ"));
  }
  CHECK(has(refusal({usm(q, "x"), usm(elsewhere, "y")}, nullptr, nullptr), "contexts differ"));
}

TEST_CASE_FIXTURE(Fixture, "placement: host arrays need a context or a queue") {
  CHECK(has(refusal({host("x")}, nullptr, nullptr), "queue can not be determined"));
  const auto in_context = place("f", std::vector{host("x"), scalar()}, nullptr, &other);
  CHECK(in_context.queue == other);
  CHECK(in_context.stage_host_arrays);
  CHECK(place("f", std::vector{host("x")}, &q, &other).queue == q);
}

TEST_CASE_FIXTURE(Fixture, "placement: a mixture of USM and host arrays is always refused") {
  for (const Queue* e : {static_cast<const Queue*>(nullptr), static_cast<const Queue*>(&q)})
    for (const Queue* c : {static_cast<const Queue*>(nullptr), static_cast<const Queue*>(&q)}) {
      const std::string text = refusal({host("a"), usm(q, "b")}, e, c);
      CHECK(has(text, "a (numpy.ndarray)"));
      CHECK(has(text, "b (hither.Array)"));
    }
}

TEST_CASE_FIXTURE(Fixture, "placement: scalars alone determine no queue") {
  CHECK(has(refusal({scalar()}, nullptr, nullptr), "queue can not be determined"));
  CHECK(has(refusal({scalar()}, nullptr, &q), "queue can not be determined"));
  CHECK(has(refusal({}, nullptr, nullptr), "queue can not be determined"));
  CHECK(place("f", std::vector{scalar()}, &q, nullptr).queue == q);
}

TEST_CASE_FIXTURE(Fixture, "placement: the result has the strongest USM type") {
  const UsmType types[] = {UsmType::kDevice, UsmType::kShared, UsmType::kHost};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      CHECK(place("f", std::vector{usm(q, "x", types[a]), usm(q, "y", types[b])}, nullptr, nullptr)
                .usm_type == types[std::min(a, b)]);
}
