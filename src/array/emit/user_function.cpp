#include "array/form/user_function.h"

#include <algorithm>

#include <llvm/IR/Module.h>

#include "array/emit/element.h"

namespace hither::array {

void add_user_code(target::KernelModule& module, std::initializer_list<const KernelForm*> forms,
                   const UserFunction* more) {
  std::vector<const UserFunction*> added;
  auto add = [&](const UserFunction* user) {
    const bool there = std::ranges::any_of(added, [&](const UserFunction* u) {
      return user && u->source.symbol == user->source.symbol && u->source.code == user->source.code;
    });
    if (!user || there) return;
    added.push_back(user);
    module.code.insert(module.code.end(), user->source.code.begin(), user->source.code.end());
  };
  for (const KernelForm* form : forms)
    for (int i = 0; form && i < form->node_count; ++i) add(form->nodes[i].user);
  add(more);
}

Element ElementEmitter::apply(const UserFunction& user, const Element* x) {
  const UserOpSource& source = user.source;
  llvm::SmallVector<llvm::Type*> parameters;
  for (DType t : source.operands) parameters.push_back(argument_type(t));
  llvm::Module* m = b.GetInsertBlock()->getModule();
  auto callee = m->getOrInsertFunction(
      source.symbol, llvm::FunctionType::get(argument_type(source.result), parameters, false));
  Element result;
  for (int i = 0; i < lanes_; ++i) {
    llvm::SmallVector<llvm::Value*> arguments;
    for (size_t k = 0; k < source.operands.size(); ++k)
      arguments.push_back(as_argument(source.operands[k], x[k], i));
    llvm::Value* given = b.CreateCall(callee, arguments);
    Element one{given};
    if (is_complex(source.result))
      one = {b.CreateExtractValue(given, 0), b.CreateExtractValue(given, 1)};
    if (source.result == DType::kBool) one.re = b.CreateICmpNE(given, b.getInt8(0));
    if (lanes_ == 1) return one;
    for (auto part : {&Element::re, &Element::im}) {
      if (!(one.*part)) continue;
      llvm::Value* so_far =
          result.*part ? result.*part : llvm::PoisonValue::get(widen((one.*part)->getType()));
      result.*part = b.CreateInsertElement(so_far, one.*part, static_cast<uint64_t>(i));
    }
  }
  return result;
}

llvm::Type* ElementEmitter::argument_type(DType t) const {
  llvm::Type* part = memory_type(t);
  return is_complex(t) ? llvm::StructType::get(part, part) : part;
}

llvm::Value* ElementEmitter::as_argument(DType t, const Element& x, int i) {
  llvm::Value* re = lane(x.re, i);
  if (t == DType::kBool) return b.CreateZExt(re, b.getInt8Ty());
  if (!is_complex(t)) return re;
  llvm::Value* pair = b.CreateInsertValue(llvm::PoisonValue::get(argument_type(t)), re, 0);
  return b.CreateInsertValue(pair, lane(x.im, i), 1);
}

}  // namespace hither::array
