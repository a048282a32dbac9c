// Operations on vectors of elements.
#include "array/emit/element.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "array/emit/module.h"

using namespace hither;
using namespace hither::array;

namespace {

/// Calls of `function` in a kernel that applies `op` to two vectors of that many elements.
long calls(Op op, DType dtype, int lanes, llvm::StringRef function) {
  ModuleBuilder m("kernel");
  llvm::IRBuilder<>& b = m.begin();
  ElementEmitter e(b, lanes);
  Element operands[2] = {{e.constant(dtype, 3)}, {e.constant(dtype, 2)}};
  if (is_complex(dtype))
    for (Element& x : operands) x.im = x.re;
  e.apply(op, dtype, operands);
  b.CreateRetVoid();
  CHECK_FALSE(llvm::verifyFunction(*m.function(), &llvm::errs()));
  return std::ranges::count_if(llvm::instructions(*m.function()), [&](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == function;
  });
}

}  // namespace

TEST_CASE("a vector of many elements calls a library function once, in a loop") {
  CHECK(calls(Op::power, DType::kInt32, 16, "hither_pow_i32") == 1);
  CHECK(calls(Op::power, DType::kComplex64, 16, "hither_pow_c64") == 1);
  CHECK(calls(Op::power, DType::kInt32, 8, "hither_pow_i32") == 1);
  CHECK(calls(Op::nextafter, DType::kBFloat16, 64, "hither_nextafter_bf16") == 1);
  CHECK(calls(Op::power, DType::kInt32, 2, "hither_pow_i32") == 2);
  CHECK(calls(Op::power, DType::kComplex128, 1, "hither_pow_c128") == 1);
}
