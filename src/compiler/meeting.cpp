#include "compiler/meeting.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/vocabulary.h"

namespace hither::compiler {

bool is_meeting(const llvm::Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call || !call->getCalledFunction()) return false;
  auto word = word_of(*call->getCalledFunction());
  return word && (*word == Word::kBarrier || *word == Word::kSubGroupBarrier ||
                  *word == Word::kGroupFunction);
}

const llvm::CallInst* meeting_of(const llvm::BasicBlock& block) {
  const llvm::Instruction& first = *block.begin();
  return is_meeting(first) ? llvm::cast<llvm::CallInst>(&first) : nullptr;
}

int line_of(const llvm::Instruction& i) {
  const llvm::MDNode* node = i.getMetadata("hither.line");
  if (!node || node->getNumOperands() != 1) return 0;
  auto* line = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0));
  return line ? static_cast<int>(line->getSExtValue()) : 0;
}

std::string description_of(const llvm::CallInst& meeting) {
  llvm::StringRef name = meeting.getCalledFunction()->getName();
  name.consume_front("hither.");
  return name == "barrier" ? "the barrier" : name.split('.').first.str();
}

void split_at_meetings(llvm::Function& f) {
  llvm::SmallVector<llvm::Instruction*, 16> meetings;
  for (llvm::Instruction& i : llvm::instructions(f))
    if (is_meeting(i)) meetings.push_back(&i);
  for (llvm::Instruction* meeting : meetings)
    meeting->getParent()->splitBasicBlock(meeting, "meet");
}

}  // namespace hither::compiler
