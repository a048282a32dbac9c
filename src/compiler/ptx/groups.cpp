#include "compiler/ptx/groups.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/device/group_shuffles.h"
#include "compiler/ptx/builtins.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::Value;

constexpr uint32_t kLanes = 32;  // of a warp

class PtxGroupCall final : public GroupCall {
 public:
  /// `items` is that of PtxBuiltins.
  PtxGroupCall(llvm::CallInst& call, const GroupFunction& f, PtxBuiltins& builtins, int64_t items)
      : GroupCall(call, f, builtins), items_(items) {}

 private:
  bool is_one_sub_group() const override { return 0 < items_ && items_ <= kLanes; }

  /// A group has at most 1024 items, so at most 32 warps.
  uint32_t sub_groups_at_once() const override { return 32; }

  Value* vote() override {
    const bool any = f_.kind == GroupFunction::kAnyOf;
    Value* truth = b_.CreateIsNotNull(x());
    if (!f_.sub_group) {
      Value* result =
          b_.CreateIntrinsic(b_.getInt32Ty(), any ? id::nvvm_barrier0_or : id::nvvm_barrier0_and,
                             {b_.CreateZExt(truth, b_.getInt32Ty())});
      return b_.CreateZExt(b_.CreateIsNotNull(result), type_);
    }
    Value* result =
        b_.CreateIntrinsic(b_.getInt1Ty(), any ? id::nvvm_vote_any_sync : id::nvvm_vote_all_sync,
                           {b_.getInt32(~0u), truth});
    return b_.CreateZExt(result, type_);
  }

  /// A vote for each bit. One instruction for all bits (match.any) takes four times as long for
  /// eight bits on an H200. Assembly, because LLVM spends seven instructions on a bit, and this
  /// five.
  Value* match() override {
    llvm::Type* word = b_.getInt32Ty();
    auto* vote = llvm::InlineAsm::get(llvm::FunctionType::get(word, {word, word, word}, false),
                                      "{ .reg .pred is_set; .reg .b32 votes;\n"
                                      "and.b32 votes, $1, $2; setp.ne.b32 is_set, votes, 0;\n"
                                      "vote.sync.ballot.b32 votes, is_set, -1;\n"
                                      "@!is_set not.b32 votes, votes;\n"
                                      "and.b32 $0, $3, votes; }",
                                      "=r,r,n,r", /*hasSideEffects=*/false);
    const uint64_t bits = llvm::cast<llvm::ConstantInt>(index())->getZExtValue();
    // The bits of lanes that exist: the others do not vote.
    Value* same = b_.CreateLShr(b_.getInt32(~0u), b_.CreateSub(b_.getInt32(32), size()));
    for (uint64_t bit = 0; bit < bits; ++bit) {
      llvm::CallInst* call = b_.CreateCall(vote, {x(), b_.getInt32(1u << bit), same});
      call->setConvergent();
      same = call;
    }
    return same;
  }

  /// The source item stores its value in local memory.
  Value* broadcast() override {
    llvm::GlobalVariable* slot = local_table(type_, "broadcast");
    Value* first = b_.CreateMul(query(Intrinsic::kSubGroupId), b_.getInt32(kLanes));
    Value* own = b_.CreateAdd(first, lane());
    // An index that is too high selects the last item, as on other devices.
    Value* last_sub_group = b_.CreateSub(query(Intrinsic::kNumSubGroups), b_.getInt32(1));
    Value* is_last = b_.CreateAnd(b_.CreateICmpEQ(query(Intrinsic::kSubGroupId), last_sub_group),
                                  b_.CreateICmpEQ(lane(), b_.CreateSub(size(), b_.getInt32(1))));
    Value* writes = b_.CreateOr(b_.CreateICmpEQ(own, index()),
                                b_.CreateAnd(is_last, b_.CreateICmpULT(own, index())));
    llvm::Instruction* then =
        llvm::SplitBlockAndInsertIfThen(writes, &call_, /*Unreachable=*/false);
    llvm::IRBuilder<>(then).CreateStore(x(), slot);
    b_.SetInsertPoint(&call_);
    barrier();
    Value* value = b_.CreateLoad(type_, slot);
    barrier();
    return value;
  }

  const int64_t items_;
};

}  // namespace

void lower_ptx_group_functions(llvm::Function& kernel, int64_t items) {
  PtxBuiltins builtins({}, items);
  replace_group_functions(kernel, [&](llvm::CallInst& call, const GroupFunction& f) {
    return PtxGroupCall(call, f, builtins, items).write();
  });
}

}  // namespace hither::compiler
