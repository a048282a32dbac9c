#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/code_bytes.h"
#include "compiler/code_targets.h"
#include "compiler/compiler.h"
#include "compiler/kernel_cache.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

std::shared_ptr<const target::CodeImage> image_named(const std::string& name) {
  auto image = std::make_shared<target::CodeImage>();
  image->entry_name = name;
  return image;
}

}  // namespace

TEST_CASE("one make per key, however many threads ask") {
  KernelCache cache(16);
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        std::string key = std::to_string(i);
        auto found = cache.get(key, {}, [&] {
          ++made;
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          return image_named(key);
        });
        right += found.image->entry_name == key;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(made == 10);
  CHECK(right == 80);
}

TEST_CASE("the least recently used image is dropped first, but holders keep it alive") {
  KernelCache cache(2);
  auto make = [](const char* name) { return [name] { return image_named(name); }; };
  auto held = cache.get("a", {}, make("a")).image;
  cache.get("b", {}, make("b"));
  CHECK(cache.get("a", {}, make("a")).in_memory);
  cache.get("c", {}, make("c"));
  CHECK(cache.size() == 2);
  CHECK(cache.get("a", {}, make("a")).in_memory);
  CHECK_FALSE(cache.get("b", {}, make("b")).in_memory);
  cache.clear();
  CHECK(cache.size() == 0);
  CHECK(held->entry_name == "a");
}

TEST_CASE("targets and keys are compared in full") {
  KernelCache cache(16);
  cache.get("a", {target::TargetKind::kCpu, "haswell"}, [] { return image_named("1"); });
  auto other =
      cache.get("a", {target::TargetKind::kCpu, "x86-64"}, [] { return image_named("2"); });
  CHECK_FALSE(other.in_memory);
  CHECK(other.image->entry_name == "2");
}

TEST_CASE("all waiting threads get a failure, which is not cached") {
  KernelCache cache(16);
  std::atomic<int> failures{0};
  std::atomic<bool> entered{false};
  auto fail = [&]() -> KernelCache::Image {
    entered = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    throw Error(ErrorKind::kCompile, "k", "refused");
  };
  auto ask = [&] {
    try {
      cache.get("a", {}, fail);
    } catch (const Error& error) {
      failures += error.message() == "refused";
    }
  };
  std::thread first(ask);
  while (!entered) std::this_thread::yield();
  ask();
  first.join();
  CHECK(failures == 2);
  CHECK(cache.size() == 0);
  CHECK_FALSE(cache.get("a", {}, [] { return image_named("a"); }).in_memory);
}

TEST_CASE("code survives as bytes") {
  auto module = add_of("llvm.sin.f64");
  module.messages = {"no such thing", ""};
  module.source_file = "kernel.py";
  MachineCode code = generate_code(module, {});
  std::string bytes = to_bytes(code);
  auto back = from_bytes(bytes);
  REQUIRE(back);
  CHECK(back->bytes == code.bytes);
  CHECK(back->image.signature == code.image.signature);
  CHECK(back->image.messages == module.messages);
  CHECK(back->image.source_file == "kernel.py");
  target::CodeImage image = load_code(*back);
  double a = 1, b = 0, c = 0;
  const void* arguments[] = {&a, &b, &c};
  run(image, arguments, {1});
  CHECK(c == 1);
  for (size_t cut : {size_t{0}, size_t{9}, bytes.size() / 2, bytes.size() - 1})
    CHECK_FALSE(from_bytes(std::string_view(bytes).substr(0, cut)));
  CHECK_FALSE(from_bytes(bytes + "x"));
}

TEST_CASE("keys of modules follow the code and not the names in it") {
  auto module = add_of("llvm.sin.f64");
  auto renamed = module;
  std::string& text = renamed.code[0];
  for (size_t at = 0; (at = text.find("%pa", at)) != std::string::npos;)
    text.replace(at, 3, "%qa1");
  text.replace(text.find("@k("), 3, "@k$17(");
  renamed.entry = "k$17";
  CHECK(module_key(module) == module_key(renamed));
  CHECK(module_key(module) != module_key(add_of("llvm.cos.f64")));
  auto independent = module;
  independent.independent_items = true;
  CHECK(module_key(module) != module_key(independent));
}

TEST_CASE("compiled code is found in memory afterwards") {
  auto make = [] { return add_of("llvm.cos.f64"); };
  CacheOutcome outcome;
  auto first = compile_cached("test: cos", {}, make, &outcome, /*on_disk=*/false);
  CHECK(outcome.source == CacheOutcome::kCompiled);
  auto second = compile_cached("test: cos", {}, make, &outcome, /*on_disk=*/false);
  CHECK(outcome.source == CacheOutcome::kMemory);
  CHECK(first == second);
}
