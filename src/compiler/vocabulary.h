// The hither.* functions that kernels call.
#pragma once

#include <optional>

#include <llvm/IR/Function.h>

namespace hither::compiler {

enum class Word {
  kGlobalId,
  kGlobalSize,
  kLocalId,
  kLocalSize,
  kGroupId,
  kNumGroups,
  kBarrier,
  kRaise,
};

/// Which word of the vocabulary a declaration is; its type is right then. Nothing for other names.
std::optional<Word> word_of(const llvm::Function& declaration);
/// True for a declaration that has a word's name and another type.
bool is_misdeclared_word(const llvm::Function& declaration);
/// The declaration as it is written, for messages: "i64 @hither.global_id(i32)".
const char* spelling_of(Word word) noexcept;
/// How a misdeclared word is spelled rightly.
const char* right_spelling(const llvm::Function& declaration);

/// Says what LLVM may assume of the words: ids are at least 0, barriers are convergent.
void annotate_words(llvm::Module& module);

}  // namespace hither::compiler
