#include <string>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

/// The message with which a module is refused, or "accepted".
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

bool says(const std::string& message, const char* part) {
  bool found = message.find(part) != std::string::npos;
  if (!found) MESSAGE(message);
  return found;
}

/// An entry without parameters that consists of these instructions, after these declarations.
target::KernelModule entry_of(const std::string& body, const std::string& declarations = "") {
  return module_of(declarations + "\ndefine void @k() {\n" + body + "\n}\n", {});
}

}  // namespace

TEST_CASE("text that is not LLVM IR is refused with the parser's message and line") {
  CHECK(says(refusal(entry_of("  %x = add i32 1, 2.5\n  ret void")), "line 3"));
  CHECK(says(refusal(entry_of("  ret i32 0")), "does not parse"));
  CHECK(says(refusal(module_of("define void @other() { ret void }", {})), "defines the entry"));
}

TEST_CASE("the entry must have the type of its signature") {
  CHECK(says(refusal(module_of("define i32 @k() { ret i32 0 }", {})), "returns void"));
  CHECK(says(refusal(module_of("define void @k(i64 %n) { ret void }", {})), "has 1 parameters"));
  CHECK(says(refusal(module_of("define void @k(ptr %a) { ret void }", {Parameter::kPointer})),
             "parameter 0 of the entry is ptr, but its signature says ptr addrspace(1)"));
  CHECK(says(refusal(module_of("define void @k(float %a) { ret void }", {Parameter::kFloat64})),
             "is float, but its signature says double"));
  CHECK(refusal(module_of("%pair = type { float, float }\ndefine void @k(%pair %a) { ret void }",
                          {Parameter::kComplex64})) == "accepted");
}

TEST_CASE("kernels may only call permitted functions") {
  CHECK(says(refusal(entry_of("  call void @puts()\n  ret void", "declare void @puts()")),
             "puts is not defined"));
  CHECK(says(refusal(entry_of("  %x = call i32 @hither.global_id(i32 0)\n  ret void",
                              "declare i32 @hither.global_id(i32)")),
             "i64 @hither.global_id(i32) is declared with another type"));
  CHECK(says(
      refusal(entry_of("  call void @hither.frob()\n  ret void", "declare void @hither.frob()")),
      "no intrinsic hither.frob"));
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
  // Unreachable blocks are allowed, because front ends leave them behind.
  CHECK(refusal(entry_of("  ret void\ndead:\n  unreachable")) == "accepted");
  CHECK(says(
      refusal(entry_of("  store i32 1, ptr @state\n  ret void", "@state = internal global i32 0")),
      "@state is a writable global variable"));
  CHECK(says(
      refusal(entry_of("  %x = load i32, ptr @state\n  ret void", "@state = external global i32")),
      "@state is not defined"));
  CHECK(says(refusal(module_of("define void @k(i32 %n) {\n  %p = alloca i8, i32 %n\n"
                               "  store i8 0, ptr %p\n  ret void\n}",
                               {Parameter::kInt32})),
             "constant size"));
}

TEST_CASE("unsupported types are refused") {
  CHECK(says(refusal(entry_of("  %x = fadd fp128 0xL0, 0xL0\n  ret void")), "but not fp128"));
  CHECK(says(refusal(entry_of("  %p = alloca i8, addrspace(0)\n"
                              "  %q = addrspacecast ptr %p to ptr addrspace(7)\n  ret void")),
             "address space 7 is not supported"));
}

TEST_CASE("errors in a function of the kernel name it and the kernel") {
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
             "one local size, but none is given"));
  CHECK(says(message(entry_of("  store i32 1, ptr addrspace(3) @tile\n  ret void",
                              "@tile = internal addrspace(3) global [4 x i32] undef")),
             "one local size"));
  auto dynamic =
      module_of("define void @k(ptr addrspace(3) %tile) { ret void }", {Parameter::kLocalBytes});
  CHECK(says(message(dynamic), "one local size"));
  dynamic.local_size[0] = 16;
  CHECK(message(dynamic) == "compiled");
}
