#include "array/emit/binary_search.h"

#include "array/emit/producers.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Builder = llvm::IRBuilder<>;

// Whether x sorts before y. NaN sorts last.
Ir* before(Builder& b, DType t, Ir* x, Ir* y) {
  if (is_floating(t))
    return b.CreateOr(b.CreateFCmpOLT(x, y),
                      b.CreateAnd(b.CreateFCmpORD(x, x), b.CreateFCmpUNO(y, y)));
  return kind_of(t) == DTypeKind::kInt ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
}

// The same for elements that may be complex: those without NaN come first, then those with a NaN in
// the imaginary part, in the real part, in both. Otherwise the real parts decide, then the
// imaginary parts.
Ir* before(Builder& b, DType t, const Element& x, const Element& y) {
  if (!x.im) return before(b, t, x.re, y.re);
  const DType part = real_dtype(t);
  const auto either = [&](Ir* of_x, Ir* of_y, Ir* if_equal) {
    return b.CreateSelect(b.CreateICmpEQ(of_x, of_y), if_equal,
                          b.CreateAnd(b.CreateNot(of_x), of_y));
  };
  const auto is_nan = [&](Ir* v) { return b.CreateFCmpUNO(v, v); };
  Ir* equal = b.CreateOr(b.CreateFCmpOEQ(x.re, y.re), b.CreateAnd(is_nan(x.re), is_nan(y.re)));
  Ir* parts = b.CreateSelect(equal, before(b, part, x.im, y.im), before(b, part, x.re, y.re));
  return either(is_nan(x.re), is_nan(y.re), either(is_nan(x.im), is_nan(y.im), parts));
}

// The largest float that is less than x; infinity for NaN.
Ir* float_below(Builder& b, DType t, Ir* x) {
  llvm::Type* word = b.getIntNTy(static_cast<unsigned>(8 * size_of(t)));
  Ir* bits = b.CreateBitCast(x, word);
  Ir* one = llvm::ConstantInt::get(word, 1);
  Ir* below = b.CreateSelect(b.CreateICmpSLT(bits, llvm::ConstantInt::get(word, 0)),
                             b.CreateAdd(bits, one), b.CreateSub(bits, one));
  Ir* sign = b.CreateBitCast(llvm::ConstantFP::get(x->getType(), -0.0), word);
  below = b.CreateSelect(b.CreateFCmpOEQ(x, llvm::ConstantFP::get(x->getType(), 0.0)),
                         b.CreateOr(sign, one), below);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), llvm::ConstantFP::getInfinity(x->getType()),
                        b.CreateBitCast(below, x->getType()));
}

}  // namespace

std::vector<Ir*> BinarySearch::places(const std::vector<Element>& values) const {
  const bool is_left = side_ == SearchSide::kLeft;
  std::vector<Element> wanted = values;
  if (is_floating(t_) && is_left)
    for (Element& v : wanted) v.re = float_below(b_, t_, v.re);
  Ir* one = b_.getInt64(1);
  Ir* zeros =
      b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, b_.CreateNSWSub(length_, one), b_.getFalse());
  Ir* halvings = b_.CreateSub(b_.getInt64(64), zeros);
  std::vector<Ir*> found(values.size(), b_.getInt64(0));
  found.push_back(length_);
  found = emit_loop(b_, b_.getInt64(0), halvings, one, std::move(found),
                    [&](Ir*, const std::vector<Ir*>& now) {
                      std::vector<Ir*> next = now;
                      Ir* half = b_.CreateLShr(now.back(), one);
                      step(wanted, half, next);
                      next.back() = b_.CreateNSWSub(now.back(), half);
                      return next;
                    });
  found.pop_back();
  step(wanted, one, found);
  if (is_floating(t_) && !is_left)  // NaN comes after all elements
    for (size_t k = 0; k < found.size(); ++k)
      found[k] = b_.CreateSelect(b_.CreateFCmpUNO(values[k].re, values[k].re), length_, found[k]);
  return found;
}

// Moves behind the next `count` elements where the last of them is before the value.
void BinarySearch::step(const std::vector<Element>& wanted, Ir* count,
                        std::vector<Ir*>& firsts) const {
  ElementEmitter e(b_, 1);
  std::vector<Element> read;
  for (size_t k = 0; k < wanted.size(); ++k) {
    Ir* at = b_.CreateNSWAdd(firsts[k], b_.CreateNSWSub(count, b_.getInt64(1)));
    read.push_back(e.load(t_, sorted_, at));
  }
  for (size_t k = 0; k < wanted.size(); ++k) {
    Ir* moved = b_.CreateSelect(is_before(read[k], wanted[k]), count, b_.getInt64(0));
    // A branch would be mispredicted half of the time.
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(moved))
      select->setMetadata(llvm::LLVMContext::MD_unpredictable,
                          llvm::MDNode::get(b_.getContext(), {}));
    firsts[k] = b_.CreateNSWAdd(firsts[k], moved);
  }
}

// Whether the result is behind x. Floats are wanted in a form in which one comparison decides for
// either side, and is false for NaN.
Ir* BinarySearch::is_before(const Element& x, const Element& wanted) const {
  if (is_floating(t_)) return b_.CreateFCmpOLE(x.re, wanted.re);
  return side_ == SearchSide::kLeft ? before(b_, t_, x, wanted)
                                    : b_.CreateNot(before(b_, t_, wanted, x));
}

}  // namespace hither::array
