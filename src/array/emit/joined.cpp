#include "array/emit/joined.h"

#include <array>
#include <memory>

#include <fmt/format.h>
#include <hither/error.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace hither::array {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Value;

constexpr const char* kGlobalId = "hither.global_id";
constexpr const char* kGlobalSize = "hither.global_size";

/// What a part's items learn of their launch: six parameters.
constexpr unsigned kPlace = 6;
struct Place {
  std::array<Value*, 3> ids, sizes;
};

std::unique_ptr<llvm::Module> read(const std::string& code, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(code, "part"), context);
  if (module) return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

/// Loads and stores of different items that are independent may be reordered.
void mark_independent(Function& f, llvm::MDNode* group) {
  for (llvm::Instruction& i : llvm::instructions(f)) {
    if (i.isAtomic() || i.isVolatile()) return;
    const Value* pointer = llvm::getLoadStorePointerOperand(&i);
    if (pointer && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
      i.setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
}

/// Gives the entry of a part its place as more parameters.
Function* with_place(Function& old) {
  llvm::LLVMContext& context = old.getContext();
  llvm::SmallVector<llvm::Type*, 16> types(old.getFunctionType()->params());
  types.append(kPlace, llvm::Type::getInt64Ty(context));
  auto* type = llvm::FunctionType::get(old.getReturnType(), types, false);
  auto* f = Function::Create(type, Function::InternalLinkage, "part", old.getParent());
  f->splice(f->begin(), &old);
  for (llvm::Argument& a : old.args()) a.replaceAllUsesWith(f->getArg(a.getArgNo()));
  const auto first = static_cast<unsigned>(old.arg_size());
  old.eraseFromParent();
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(*f))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) continue;
    const bool is_size = callee->getName() == kGlobalSize;
    if (!is_size && callee->getName() != kGlobalId) continue;
    const auto d = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
    call->replaceAllUsesWith(f->getArg(first + (is_size ? 3 : 0) + static_cast<unsigned>(d)));
    call->eraseFromParent();
  }
  return f;
}

class Joiner {
 public:
  explicit Joiner(const JoinedCode& code)
      : code_(code),
        parts_(code.parts),
        group_(code.group),
        module_("hither_joined", context_),
        b_(context_),
        bases_(code.memories.size()) {}

  target::KernelModule run() {
    target::KernelModule out;
    out.entry = "hither_joined";
    out.local_size[0] = group_;
    llvm::SmallVector<Function*> functions;
    llvm::SmallVector<llvm::Type*> types;
    for (const JoinedPart& part : parts_) {
      Function* f = functions.emplace_back(link(*part.module));
      for (int d = 0; d < part.dimensions; ++d) {
        types.push_back(b_.getInt64Ty());
        out.signature.parameters.push_back(target::Parameter::kInt64);
      }
      types.append(f->getFunctionType()->param_begin(), f->getFunctionType()->param_end() - kPlace);
      const auto& own = part.module->signature.parameters;
      out.signature.parameters.insert(out.signature.parameters.end(), own.begin(), own.end());
    }
    entry_ = Function::Create(llvm::FunctionType::get(b_.getVoidTy(), types, false),
                              Function::ExternalLinkage, out.entry, module_);
    b_.SetInsertPoint(BasicBlock::Create(context_, "entry", entry_));
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (i > 0 && group_ > 0) barrier();
      add(parts_[i], *functions[i]);
    }
    b_.CreateRetVoid();
    for (llvm::CallInst* call : calls_) {
      llvm::InlineFunctionInfo brought;
      llvm::InlineFunction(*call, brought);
    }
    for (Function* f : functions) f->eraseFromParent();
    llvm::raw_string_ostream stream(out.code.emplace_back());
    llvm::WriteBitcodeToFile(module_, stream);
    return out;
  }

 private:
  Function* link(const target::KernelModule& source) {
    auto part = read(source.code.front(), context_);
    Function* f = part ? part->getFunction(source.entry) : nullptr;
    if (!f)
      throw Error(ErrorKind::kInternal, source.entry, "a part of a joined kernel has no code");
    f->setName(fmt::format("part{}", count_));
    if (llvm::Linker::linkModules(module_, std::move(part)))
      throw Error(ErrorKind::kInternal, source.entry, "the parts of a joined kernel do not link");
    f = with_place(*module_.getFunction(fmt::format("part{}", count_++)));
    if (source.independent_items) {
      independent_.push_back(llvm::MDNode::getDistinct(context_, {}));
      mark_independent(*f, independent_.back());
    } else {
      independent_.push_back(nullptr);
    }
    return f;
  }

  Value* query(const char* name) {
    auto* type = llvm::FunctionType::get(b_.getInt64Ty(), {b_.getInt32Ty()}, false);
    return b_.CreateCall(module_.getOrInsertFunction(name, type), {b_.getInt32(0)});
  }

  void barrier() {
    constexpr uint32_t kGlobalMemory = 2;
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getInt32Ty()}, false);
    b_.CreateCall(module_.getOrInsertFunction("hither.barrier", type),
                  {b_.getInt32(kGlobalMemory)});
  }

  /// for (i = begin; i < end; i += step) body(i), whose iterations are independent unless `group`
  /// is null.
  template <class Body>
  void loop(Value* begin, Value* end, Value* step, llvm::MDNode* group, const Body& body) {
    BasicBlock* before = b_.GetInsertBlock();
    BasicBlock* head = BasicBlock::Create(context_, "items", entry_);
    BasicBlock* done = BasicBlock::Create(context_, "done", entry_);
    b_.CreateCondBr(b_.CreateICmpSLT(begin, end), head, done);
    b_.SetInsertPoint(head);
    llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2);
    i->addIncoming(begin, before);
    body(i);
    Value* next = b_.CreateNSWAdd(i, step);
    i->addIncoming(next, b_.GetInsertBlock());
    llvm::BranchInst* again = b_.CreateCondBr(b_.CreateICmpSLT(next, end), head, done);
    if (group) {
      auto* parallel = llvm::MDNode::get(
          context_, {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), group});
      llvm::MDNode* id = llvm::MDNode::getDistinct(context_, {nullptr, parallel});
      id->replaceOperandWith(0, id);
      again->setMetadata(llvm::LLVMContext::MD_loop, id);
    }
    b_.SetInsertPoint(done);
  }

  void add(const JoinedPart& part, Function& f) {
    Place place;
    place.ids.fill(b_.getInt64(0));
    place.sizes.fill(b_.getInt64(1));
    for (int d = 0; d < part.dimensions; ++d) {
      const auto at = static_cast<size_t>(d);
      place.sizes[at] = entry_->getArg(next_++);
      if (!part.sizes.empty()) place.sizes[at] = integer(part.sizes[at]);
    }
    llvm::SmallVector<Value*> own;
    for (size_t k = 0; k + kPlace < f.arg_size(); ++k) {
      llvm::Argument* argument = entry_->getArg(next_++);
      own.push_back(part.arguments.empty() ? argument : known(part.arguments[k], *argument));
    }
    const auto run = [&] {
      llvm::SmallVector<Value*> arguments(own);
      arguments.append(place.ids.begin(), place.ids.end());
      arguments.append(place.sizes.begin(), place.sizes.end());
      calls_.push_back(b_.CreateCall(&f, arguments));
    };
    llvm::MDNode* group = independent_[static_cast<size_t>(&part - parts_.data())];
    if (group_ > 0)
      shared_by_group(part.dimensions, place, group, run);
    else if (is_unrolled(part))
      unrolled(0, part, place, run);
    else
      nested(0, part.dimensions, place, group, run);
  }

  template <class Run>
  void nested(int d, int dimensions, Place& place, llvm::MDNode* group, const Run& run) {
    if (d == dimensions) return run();
    const auto at = static_cast<size_t>(d);
    loop(b_.getInt64(0), place.sizes[at], b_.getInt64(1), group, [&](Value* i) {
      place.ids[at] = i;
      nested(d + 1, dimensions, place, group, run);
    });
  }

  Value* integer(int64_t v) { return b_.getInt64(static_cast<uint64_t>(v)); }

  // Loads follow stores to the same address across parts, if the addresses of a memory are
  // distances from one of its addresses.
  Value* known(const KnownArgument& of, llvm::Argument& argument) {
    if (of.kind == KnownArgument::Kind::kNothing) return &argument;
    if (of.kind == KnownArgument::Kind::kInteger) return integer(of.value);
    const JoinedMemory& memory = code_.memories[static_cast<size_t>(of.memory)];
    Base& base = bases_[static_cast<size_t>(of.memory)];
    if (!base.address && memory.private_bytes > 0) {
      base.address = private_memory(memory.private_bytes, *argument.getType());
    } else if (!base.address) {
      base = {&argument, of.value};
      if (memory.is_new) argument.addAttr(llvm::Attribute::NoAlias);
    }
    return b_.CreateGEP(b_.getInt8Ty(), base.address, integer(of.value - base.offset));
  }

  Value* private_memory(size_t bytes, llvm::Type& pointer) {
    constexpr uint64_t kCacheLine = 64;
    BasicBlock& first = entry_->getEntryBlock();
    llvm::IRBuilder<> b(&first, first.begin());  // where LLVM finds what can be in registers
    llvm::AllocaInst* place =
        b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), bytes), nullptr, "private");
    place->setAlignment(llvm::Align(kCacheLine));
    return b.CreateAddrSpaceCast(place, &pointer);
  }

  bool is_unrolled(const JoinedPart& part) const {
    constexpr int64_t kMostUnrolled = 16;
    int64_t items = 1;
    for (const int64_t size : part.sizes) items *= size;
    return !part.sizes.empty() && items <= kMostUnrolled;
  }

  template <class Run>
  void unrolled(size_t d, const JoinedPart& part, Place& place, const Run& run) {
    if (d == part.sizes.size()) return run();
    for (int64_t i = 0; i < part.sizes[d]; ++i) {
      place.ids[d] = integer(i);
      unrolled(d + 1, part, place, run);
    }
  }

  template <class Run>
  void shared_by_group(int dimensions, Place& place, llvm::MDNode* group, const Run& run) {
    Value* items = place.sizes[0];
    for (size_t d = 1; d < 3; ++d) items = b_.CreateNSWMul(items, place.sizes[d]);
    loop(query("hither.local_id"), items, query("hither.local_size"), group, [&](Value* i) {
      Value* rest = b_.CreateTrunc(i, b_.getInt32Ty());
      for (auto d = static_cast<size_t>(dimensions - 1); d > 0; --d) {
        Value* size = b_.CreateTrunc(place.sizes[d], b_.getInt32Ty());
        Value* before = b_.CreateUDiv(rest, size);
        Value* id = b_.CreateSub(rest, b_.CreateMul(before, size));
        place.ids[d] = b_.CreateZExt(id, b_.getInt64Ty(), "", /*IsNonNeg=*/true);
        rest = before;
      }
      place.ids[0] = b_.CreateZExt(rest, b_.getInt64Ty(), "", /*IsNonNeg=*/true);
      run();
    });
  }

  struct Base {
    Value* address = nullptr;
    int64_t offset = 0;
  };

  const JoinedCode& code_;
  const std::vector<JoinedPart>& parts_;
  const int64_t group_;
  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::IRBuilder<> b_;
  Function* entry_ = nullptr;
  int count_ = 0;
  unsigned next_ = 0;
  llvm::SmallVector<llvm::MDNode*> independent_;  ///< of each part, or null
  llvm::SmallVector<llvm::CallInst*> calls_;
  std::vector<Base> bases_;  ///< of the memories of known addresses
};

bool is_plain(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!call) return true;
  if (!callee) return false;
  if (!callee->getName().starts_with("hither.")) return true;
  return (callee->getName() == kGlobalId || callee->getName() == kGlobalSize) &&
         llvm::isa<llvm::ConstantInt>(call->getArgOperand(0));
}

}  // namespace

bool can_be_joined(const target::KernelModule& source) {
  if (source.code.size() != 1 || source.debug) return false;
  for (const target::Parameter p : source.signature.parameters)
    if (p == target::Parameter::kLocalBytes) return false;
  llvm::LLVMContext context;
  const auto module = read(source.code.front(), context);
  if (!module || !module->global_empty()) return false;
  for (const Function& f : *module) {
    if (f.isDeclaration()) continue;
    if (f.getName() != source.entry) return false;
    for (const llvm::Instruction& i : llvm::instructions(f))
      if (!is_plain(i)) return false;
  }
  return true;
}

target::KernelModule emit_joined(const JoinedCode& code) { return Joiner(code).run(); }

}  // namespace hither::array
