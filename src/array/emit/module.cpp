#include "array/emit/module.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>

namespace hither::array {

using target::Parameter;

Parameter parameter_of(DType t) noexcept {
  switch (t) {
    case DType::kFloat16:
      return Parameter::kFloat16;
    case DType::kFloat32:
      return Parameter::kFloat32;
    case DType::kFloat64:
      return Parameter::kFloat64;
    case DType::kComplex64:
      return Parameter::kComplex64;
    case DType::kComplex128:
      return Parameter::kComplex128;
    default:
      break;
  }
  switch (size_of(t)) {
    case 1:
      return Parameter::kInt8;
    case 2:
      return Parameter::kInt16;
    case 4:
      return Parameter::kInt32;
    default:
      return Parameter::kInt64;
  }
}

namespace {

llvm::Type* type_of(Parameter p, llvm::LLVMContext& c) {
  llvm::Type* f = llvm::Type::getFloatTy(c);
  llvm::Type* d = llvm::Type::getDoubleTy(c);
  switch (p) {
    case Parameter::kPointer:
      return llvm::PointerType::get(c, 1);
    case Parameter::kInt8:
      return llvm::Type::getInt8Ty(c);
    case Parameter::kInt16:
      return llvm::Type::getInt16Ty(c);
    case Parameter::kInt32:
      return llvm::Type::getInt32Ty(c);
    case Parameter::kInt64:
      return llvm::Type::getInt64Ty(c);
    case Parameter::kFloat16:
      return llvm::Type::getHalfTy(c);
    case Parameter::kFloat32:
      return f;
    case Parameter::kFloat64:
      return d;
    case Parameter::kComplex64:
      return llvm::StructType::get(f, f);
    case Parameter::kComplex128:
      return llvm::StructType::get(d, d);
    case Parameter::kLocalBytes:
      return llvm::PointerType::get(c, 3);
  }
  return nullptr;
}

}  // namespace

ModuleBuilder::ModuleBuilder(std::string entry)
    : context_(std::make_unique<llvm::LLVMContext>()),
      module_(std::make_unique<llvm::Module>(entry, *context_)),
      builder_(std::make_unique<llvm::IRBuilder<>>(*context_)),
      entry_(std::move(entry)) {}

ModuleBuilder::~ModuleBuilder() = default;

llvm::IRBuilder<>& ModuleBuilder::begin() {
  std::vector<llvm::Type*> types;
  for (Parameter p : signature_.parameters) types.push_back(type_of(p, *context_));
  auto* type = llvm::FunctionType::get(builder_->getVoidTy(), types, false);
  function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entry_, *module_);
  builder_->SetInsertPoint(llvm::BasicBlock::Create(*context_, "entry", function_));
  return *builder_;
}

llvm::Value* ModuleBuilder::next_parameter() {
  llvm::Argument* a = function_->getArg(next_++);
  if (!a->getType()->isPointerTy() || a->getType()->getPointerAddressSpace() == 3) return a;
  return builder_->CreateAddrSpaceCast(a, builder_->getPtrTy());
}

std::vector<llvm::Value*> ModuleBuilder::spread_ids(int64_t many, llvm::Value* count) {
  llvm::Value* last = b().CreateNSWSub(count, b().getInt64(1));
  llvm::Value* at = global_id(0);
  std::vector<llvm::Value*> ids;
  for (int64_t k = 0; k < many; ++k) {
    if (k > 0) at = b().CreateNSWAdd(at, global_size(0));
    ids.push_back(b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, at, last));
  }
  return ids;
}

llvm::Value* ModuleBuilder::place(const char* name, int dimension) {
  auto* type = llvm::FunctionType::get(builder_->getInt64Ty(), {builder_->getInt32Ty()}, false);
  auto callee = module_->getOrInsertFunction(name, type);
  auto* f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setDoesNotAccessMemory();
  f->setDoesNotThrow();
  f->setWillReturn();
  return builder_->CreateCall(callee, {builder_->getInt32(static_cast<uint32_t>(dimension))});
}

llvm::Value* ModuleBuilder::call(const std::string& name, llvm::Type* result,
                                 llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 2> types;
  for (llvm::Value* v : arguments) types.push_back(v->getType());
  return builder_->CreateCall(
      module_->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
}

target::KernelModule ModuleBuilder::finish() {
  target::KernelModule out;
  out.entry = entry_;
  out.signature = signature_;
  std::string code;
  llvm::raw_string_ostream stream(code);
  llvm::WriteBitcodeToFile(*module_, stream);
  stream.flush();
  out.code.push_back(std::move(code));
  return out;
}

}  // namespace hither::array
