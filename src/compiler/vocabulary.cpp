#include "compiler/vocabulary.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {
namespace {

struct Row {
  Word word;
  const char* name;
  const char* spelling;
};
constexpr Row kRows[] = {
    {Word::kGlobalId, "hither.global_id", "i64 @hither.global_id(i32)"},
    {Word::kGlobalSize, "hither.global_size", "i64 @hither.global_size(i32)"},
    {Word::kLocalId, "hither.local_id", "i64 @hither.local_id(i32)"},
    {Word::kLocalSize, "hither.local_size", "i64 @hither.local_size(i32)"},
    {Word::kGroupId, "hither.group_id", "i64 @hither.group_id(i32)"},
    {Word::kNumGroups, "hither.num_groups", "i64 @hither.num_groups(i32)"},
    {Word::kBarrier, "hither.barrier", "void @hither.barrier(i32)"},
    {Word::kRaise, "hither.raise", "void @hither.raise(i32, i32)"},
};

const Row* row_of(const llvm::Function& f) {
  if (!f.isDeclaration()) return nullptr;
  for (const Row& row : kRows)
    if (f.getName() == row.name) return &row;
  return nullptr;
}

bool has_the_type(const llvm::Function& f, Word word) {
  const llvm::FunctionType* type = f.getFunctionType();
  bool returns_nothing = word == Word::kBarrier || word == Word::kRaise;
  unsigned arity = word == Word::kRaise ? 2 : 1;
  if (type->isVarArg() || type->getNumParams() != arity) return false;
  for (const llvm::Type* p : type->params())
    if (!p->isIntegerTy(32)) return false;
  return returns_nothing ? type->getReturnType()->isVoidTy()
                         : type->getReturnType()->isIntegerTy(64);
}

void annotate(llvm::Function& f, Word word) {
  f.setDoesNotThrow();
  f.setWillReturn();
  if (word == Word::kBarrier) return f.setConvergent();
  if (word == Word::kRaise) return;
  f.setDoesNotAccessMemory();
  f.setSpeculatable();
  llvm::MDBuilder metadata(f.getContext());
  // [0, 2^63): index wraparound folds away.
  llvm::MDNode* range =
      metadata.createRange(llvm::APInt(64, 0), llvm::APInt::getSignedMinValue(64));
  for (llvm::User* user : f.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      call->setMetadata(llvm::LLVMContext::MD_range, range);
}

}  // namespace

std::optional<Word> word_of(const llvm::Function& f) {
  const Row* row = row_of(f);
  if (!row || !has_the_type(f, row->word)) return std::nullopt;
  return row->word;
}

bool is_misdeclared_word(const llvm::Function& f) {
  const Row* row = row_of(f);
  return row && !has_the_type(f, row->word);
}

const char* spelling_of(Word word) noexcept { return kRows[static_cast<int>(word)].spelling; }

const char* right_spelling(const llvm::Function& f) { return row_of(f)->spelling; }

void annotate_words(llvm::Module& module) {
  for (llvm::Function& f : module)
    if (auto word = word_of(f)) annotate(f, *word);
}

}  // namespace hither::compiler
