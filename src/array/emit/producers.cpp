#include "array/emit/producers.h"

#include <algorithm>

#include "array/form/user_function.h"

namespace hither::array {

using llvm::BasicBlock;
using IrValue = llvm::Value;
using Values = std::vector<IrValue*>;

void ProducerEmitter::declare(ModuleBuilder& m) const {
  for (int i = 0; i < c_.leaf_count; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < c_.number_count; ++i) m.parameter(parameter_of(c_.numbers[i]));
}

void ProducerEmitter::take(ModuleBuilder& m) {
  for (int i = 0; i < c_.leaf_count; ++i) leaves_[i] = m.next_parameter();
  for (int i = 0; i < c_.number_count; ++i) numbers_[i] = m.next_parameter();
}

Element emit_node(ElementEmitter& e, const FormNode& v, Element* x, const DType* from,
                  const std::function<IrValue*()>& position) {
  if (v.kind == NodeKind::kCast) return e.cast(x[0], from[0], v.dtype);
  for (int k = 0; k < v.operand_count; ++k) x[k] = e.cast(x[k], from[k], operand_dtype(v, k));
  if (v.kind != NodeKind::kIota) return v.user ? e.apply(*v.user, x) : e.apply(v.op, v.compute, x);
  const Element moved[2] = {e.cast({position()}, DType::kInt64, v.compute), x[1]};
  const Element sum[2] = {x[0], e.apply(Op::multiply, v.compute, moved)};
  return e.cast(e.apply(Op::add, v.compute, sum), v.compute, v.dtype);
}

Element ProducerEmitter::evaluate(ElementEmitter& e, Slot root, DType& dtype,
                                  const std::function<Element(int)>& load,
                                  const std::function<IrValue*()>& position, Element* nodes) const {
  Element values[kMaxNodes], loaded[kMaxLeaves];
  auto operand = [&](Slot slot, DType& from) {
    from = c_.dtype_of(slot);
    if (slot < kLeafSlot) return values[slot];
    if (slot >= kNumberSlot) return e.from_parameter(from, numbers_[slot - kNumberSlot]);
    const int leaf = slot - kLeafSlot;
    if (!loaded[leaf].re) loaded[leaf] = load(leaf);
    return loaded[leaf];
  };
  for (int n = 0; n < c_.node_count; ++n) {
    const FormNode& v = c_.nodes[n];
    Element x[kMaxInputs];
    DType from[kMaxInputs];
    for (int k = 0; k < v.operand_count; ++k) x[k] = operand(v.operands[k], from[k]);
    values[n] = emit_node(e, v, x, from, position);
  }
  if (nodes) std::copy(values, values + c_.node_count, nodes);
  return operand(root, dtype);
}

namespace {

llvm::MDNode* unrolled(llvm::IRBuilder<>& b, unsigned iterations) {
  llvm::LLVMContext& c = b.getContext();
  llvm::Metadata* count[] = {llvm::MDString::get(c, "llvm.loop.unroll.count"),
                             llvm::ConstantAsMetadata::get(b.getInt32(iterations))};
  llvm::MDNode* loop = llvm::MDNode::getDistinct(c, {nullptr, llvm::MDNode::get(c, count)});
  loop->replaceOperandWith(0, loop);
  return loop;
}

}  // namespace

Values emit_loop(llvm::IRBuilder<>& b, IrValue* begin, IrValue* end, IrValue* step, Values carried,
                 const std::function<Values(IrValue*, const Values&)>& body, unsigned unroll) {
  llvm::Function* f = b.GetInsertBlock()->getParent();
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* head = BasicBlock::Create(b.getContext(), "loop", f);
  BasicBlock* done = BasicBlock::Create(b.getContext(), "done", f);
  b.CreateCondBr(b.CreateICmpSLT(begin, end), head, done);
  b.SetInsertPoint(head);
  llvm::PHINode* i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(begin, before);
  std::vector<llvm::PHINode*> phis;
  Values inside;
  for (IrValue* v : carried) {
    phis.push_back(b.CreatePHI(v->getType(), 2));
    phis.back()->addIncoming(v, before);
    inside.push_back(phis.back());
  }
  const Values next = body(i, inside);
  IrValue* following = b.CreateNSWAdd(i, step);
  BasicBlock* latch = b.GetInsertBlock();
  i->addIncoming(following, latch);
  for (size_t k = 0; k < phis.size(); ++k) phis[k]->addIncoming(next[k], latch);
  llvm::BranchInst* again = b.CreateCondBr(b.CreateICmpSLT(following, end), head, done);
  if (unroll > 0) again->setMetadata(llvm::LLVMContext::MD_loop, unrolled(b, unroll));
  b.SetInsertPoint(done);
  Values result;
  for (size_t k = 0; k < phis.size(); ++k) {
    llvm::PHINode* out = b.CreatePHI(carried[k]->getType(), 2);
    out->addIncoming(carried[k], before);
    out->addIncoming(next[k], latch);
    result.push_back(out);
  }
  return result;
}

Values emit_if(llvm::IRBuilder<>& b, IrValue* condition, Values carried,
               const std::function<Values(const Values&)>& body) {
  llvm::Function* f = b.GetInsertBlock()->getParent();
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* then = BasicBlock::Create(b.getContext(), "then", f);
  BasicBlock* done = BasicBlock::Create(b.getContext(), "endif", f);
  b.CreateCondBr(condition, then, done);
  b.SetInsertPoint(then);
  const Values next = body(carried);
  BasicBlock* from = b.GetInsertBlock();
  b.CreateBr(done);
  b.SetInsertPoint(done);
  for (size_t k = 0; k < carried.size(); ++k) {
    llvm::PHINode* out = b.CreatePHI(carried[k]->getType(), 2);
    out->addIncoming(carried[k], before);
    out->addIncoming(next[k], from);
    carried[k] = out;
  }
  return carried;
}

Values emit_offsets(llvm::IRBuilder<>& b, IrValue* linear, const Values& extents,
                    const std::vector<Values>& strides) {
  Values offsets(strides.size(), b.getInt64(0));
  for (size_t d = extents.size(); d-- > 0;) {
    IrValue* at = d == 0 ? linear : b.CreateURem(linear, extents[d]);
    if (d > 0) linear = b.CreateUDiv(linear, extents[d]);
    for (size_t w = 0; w < strides.size(); ++w)
      offsets[w] = b.CreateNSWAdd(offsets[w], b.CreateNSWMul(at, strides[w][d]));
  }
  return offsets;
}

}  // namespace hither::array
