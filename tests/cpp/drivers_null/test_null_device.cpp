#include <cstdlib>
#include <cstring>

#include <doctest/doctest.h>
#include <hither/memory.h>
#include <hither/null_device.h>
#include <hither/queue.h>

#include "drivers/null/device.h"
#include "drivers/subject.h"
#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/kernel_state.h"

using namespace hither;

namespace {

/// Made without the registry, which lists the null device only if HITHER_NULL_DEVICE=1.
Device null_device() {
  static const Device device = [] {
    auto state =
        std::make_shared<runtime::DeviceState>(std::make_shared<drivers::null::NullDevice>());
    state->filter_string = "null:accelerator:0";
    return Device(state);
  }();
  return device;
}

// A host task runs at its submission, even inside another one.
const test::Registration null{
    {.driver = "null", .device = null_device, .orders_host_tasks = false}};

}  // namespace

TEST_CASE("null device: it is listed only if HITHER_NULL_DEVICE=1") {
  if (std::getenv("HITHER_NULL_DEVICE")) return;
  for (const Device& device : Device::all()) CHECK(device.backend() != Backend::kNull);
  CHECK_THROWS_AS(Device::select("null"), Error);
}

TEST_CASE("null device: launches are recorded and not run, memory and copies are real") {
  const Queue queue(null_device());
  auto image = std::make_shared<target::CodeImage>();
  image->entry_name = "never";
  image->signature.parameters = {target::Parameter::kInt64};
  image->entry = [](const void*, const target::WorkRange*, target::ErrorRecord*) { std::abort(); };
  const Kernel kernel = runtime::load_kernel(queue.context(), image);

  clear_null_commands();
  const Memory memory(queue, 100, UsmType::kDevice);
  const int64_t argument = 42;
  CHECK(
      queue
          .submit(kernel, NdRange(Range(6, 4), Range(3, 2)), std::as_bytes(std::span(&argument, 1)))
          .is_complete());
  queue.fill(memory.data(), "z", 1, 100);
  char back[100] = {};
  queue.copy(back, memory.data(), 100);
  bool ran = false;
  queue.submit_host([&] { ran = true; });
  CHECK(ran);
  CHECK(back[99] == 'z');

  const auto commands = null_commands();
  REQUIRE(commands.size() == 4);
  CHECK(commands[0].kind == NullCommand::kLaunch);
  CHECK(commands[0].kernel == "never");
  CHECK(commands[0].range.global.size[1] == 4);
  CHECK(commands[0].range.local[0] == 3);
  REQUIRE(commands[0].arguments.size() == 8);
  CHECK(std::memcmp(commands[0].arguments.data(), &argument, 8) == 0);
  CHECK(commands[1].kind == NullCommand::kFill);
  CHECK(commands[1].to == memory.data());
  CHECK(commands[2].kind == NullCommand::kCopy);
  CHECK(commands[2].bytes == 100);
  CHECK(commands[3].kind == NullCommand::kHost);
  for (const auto& command : commands) CHECK(command.queue == commands[0].queue);
  clear_null_commands();
  CHECK(null_commands().empty());
}

TEST_CASE("null device: only the last 65536 commands are kept") {
  const Queue queue(null_device());
  clear_null_commands();
  for (size_t i = 0; i < 70'000; ++i) queue.prefetch(&queue, i);
  const auto commands = null_commands();
  REQUIRE(commands.size() == 65536);
  CHECK(commands.front().bytes == 70'000 - 65536);
  CHECK(commands.back().bytes == 69'999);
  clear_null_commands();
}
