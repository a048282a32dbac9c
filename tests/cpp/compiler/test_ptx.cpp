#include <cstdlib>
#include <string>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

const target::Target kHopper{target::TargetKind::kPtx, "sm_90"};

/// Sets an environment variable for one test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Environment() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

std::string text_of(const target::CodeImage& image) {
  return {image.bytes.begin(), image.bytes.end()};
}

}  // namespace

TEST_CASE("code for CUDA devices is text, and its image describes it for drivers") {
  auto image = compile(add_of("llvm.sqrt.f64"), kHopper);
  CHECK((image.target == kHopper));
  CHECK((image.entry == nullptr));
  CHECK(image.entry_name == "k");
  CHECK(image.dimensions == 1);
  CHECK_FALSE(image.uses_groups);
  CHECK_FALSE(image.reports_errors);
  CHECK(text_of(image).find(".visible .entry k(") != std::string::npos);
  CHECK(text_of(image).find("sqrt.rn.f64") != std::string::npos);
}

TEST_CASE("names use only the characters of PTX") {
  auto image = compile(module_of("define void @\"a.b<1>\"(ptr addrspace(1) %p) {\n"
                                 "  store i32 1, ptr addrspace(1) %p\n  ret void\n}",
                                 {Parameter::kPointer}, "a.b<1>"),
                       kHopper);
  CHECK(image.entry_name == "a_b_1_");
  CHECK(text_of(image).find(".visible .entry a_b_1_(") != std::string::npos);
}

TEST_CASE("newer devices get code for the newest known architecture") {
  auto image = compile(add_of("llvm.sqrt.f64"), {target::TargetKind::kPtx, "sm_120"});
  CHECK(text_of(image).find(".target sm_90") != std::string::npos);
}

TEST_CASE("a mathematical function without libdevice is refused with a remedy") {
  const Environment nowhere("HITHER_LIBDEVICE", "/nonexistent/libdevice.10.bc");
  CHECK_THROWS_WITH_AS(compile(add_of("llvm.sin.f64"), kHopper),
                       doctest::Contains("HITHER_LIBDEVICE"), Error);
  CHECK_NOTHROW(compile(add_of("llvm.sqrt.f64"), kHopper));
}
