#include <string>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

/// The message with which a module is refused; "accepted" when it is not.
std::string refusal(const target::KernelModule& module, ErrorKind kind = ErrorKind::kCompile) {
  try {
    verify(module);
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK(error.where().starts_with("k"));
    return error.message();
  }
  return "accepted";
}

bool says(const std::string& message, const char* words) {
  bool found = message.find(words) != std::string::npos;
  if (!found) MESSAGE(message);
  return found;
}

/// An entry without parameters around these instructions, after these declarations.
target::KernelModule entry_of(const std::string& body, const std::string& declarations = "") {
  return module_of(declarations + "\ndefine void @k() {\n" + body + "\n}\n", {});
}

}  // namespace

TEST_CASE("what is not LLVM IR is refused with the parser's words and line") {
  CHECK(says(refusal(entry_of("  %x = add i32 1, 2.5\n  ret void")), "line 3"));
  CHECK(says(refusal(entry_of("  ret i32 0")), "does not parse"));
  CHECK(says(refusal(module_of("define void @other() { ret void }", {})), "defines the entry"));
}

TEST_CASE("the entry is what its signature says") {
  CHECK(says(refusal(module_of("define i32 @k() { ret i32 0 }", {})), "returns void"));
  CHECK(says(refusal(module_of("define void @k(i64 %n) { ret void }", {})), "takes 1 parameters"));
  CHECK(says(refusal(module_of("define void @k(ptr %a) { ret void }", {Parameter::kPointer})),
             "parameter 0 of the entry is ptr, its signature says ptr addrspace(1)"));
  CHECK(says(refusal(module_of("define void @k(float %a) { ret void }", {Parameter::kFloat64})),
             "is float, its signature says double"));
  CHECK(refusal(module_of("%pair = type { float, float }\ndefine void @k(%pair %a) { ret void }",
                          {Parameter::kComplex64})) == "accepted");
}

TEST_CASE("kernels call what they may, and nothing else") {
  CHECK(says(refusal(entry_of("  call void @puts()\n  ret void", "declare void @puts()")),
             "puts is defined nowhere"));
  CHECK(says(refusal(entry_of("  %x = call i32 @hither.global_id(i32 0)\n  ret void",
                              "declare i32 @hither.global_id(i32)")),
             "i64 @hither.global_id(i32) is declared with another type"));
  CHECK(says(
      refusal(entry_of("  call void @hither.frob()\n  ret void", "declare void @hither.frob()")),
      "no function hither.frob"));
  CHECK(says(refusal(entry_of("  call void @llvm.trap()\n  ret void", "declare void @llvm.trap()")),
             "intrinsic llvm.trap"));
  CHECK(says(refusal(entry_of("  call void asm sideeffect \"nop\", \"\"()\n  ret void")),
             "inline assembly"));
  CHECK(says(refusal(entry_of("  %f = load ptr, ptr null\n  call void %f()\n  ret void")),
             "not through pointers"));
  CHECK(refusal(entry_of("  %x = call float @atan2f(float 1.0, float 2.0)\n"
                         "  %y = call double @llvm.sin.f64(double 1.0)\n  ret void",
                         "declare float @atan2f(float, float)\n"
                         "declare double @llvm.sin.f64(double)")) == "accepted");
}

TEST_CASE("kernels do not trap, throw or keep state of their own") {
  CHECK(says(refusal(entry_of("  unreachable")), "hither.raise"));
  // What nothing leads to may stay: front ends leave such blocks behind.
  CHECK(refusal(entry_of("  ret void\ndead:\n  unreachable")) == "accepted");
  CHECK(says(
      refusal(entry_of("  store i32 1, ptr @state\n  ret void", "@state = internal global i32 0")),
      "@state is a global variable that can be written"));
  CHECK(says(
      refusal(entry_of("  %x = load i32, ptr @state\n  ret void", "@state = external global i32")),
      "@state is defined nowhere"));
  CHECK(says(refusal(module_of("define void @k(i32 %n) {\n  %p = alloca i8, i32 %n\n"
                               "  store i8 0, ptr %p\n  ret void\n}",
                               {Parameter::kInt32})),
             "constant size"));
}

TEST_CASE("types that no device has are refused") {
  CHECK(says(refusal(entry_of("  %x = fadd fp128 0xL0, 0xL0\n  ret void")), "there is no fp128"));
  CHECK(says(refusal(entry_of("  %p = alloca i8, addrspace(0)\n"
                              "  %q = addrspacecast ptr %p to ptr addrspace(7)\n  ret void")),
             "address space 7 has no meaning"));
}

TEST_CASE("a function of the kernel is named with the kernel") {
  auto module = module_of(
      "define void @k() {\n  call void @helper()\n  ret void\n}\n"
      "define void @helper() {\n  unreachable\n}\n",
      {});
  try {
    verify(module);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.where() == "helper in k");
  }
}

TEST_CASE("a kernel with groups is compiled for one local size") {
  auto message = [](const target::KernelModule& module) {
    try {
      compile(module, {});
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kCompile);
      return error.message();
    }
    return std::string("compiled");
  };
  CHECK(says(message(entry_of("  call void @hither.barrier(i32 1)\n  ret void",
                              "declare void @hither.barrier(i32) convergent")),
             "one local size, and none is given"));
  CHECK(says(message(entry_of("  store i32 1, ptr addrspace(3) @tile\n  ret void",
                              "@tile = internal addrspace(3) global [4 x i32] undef")),
             "one local size"));
  auto dynamic =
      module_of("define void @k(ptr addrspace(3) %tile) { ret void }", {Parameter::kLocalBytes});
  CHECK(says(message(dynamic), "one local size"));
  dynamic.local_size[0] = 16;
  CHECK(message(dynamic) == "compiled");
}
