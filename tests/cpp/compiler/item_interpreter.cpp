#include "item_interpreter.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/SourceMgr.h>

namespace hither::compiler::tests {
namespace {

uint64_t mask(uint64_t v, unsigned bits) {
  return bits >= 64 ? v : v & ((uint64_t{1} << bits) - 1);
}

int64_t extend(uint64_t v, unsigned bits) {
  return static_cast<int64_t>(v << (64 - bits)) >> (64 - bits);
}

unsigned bits_of(const llvm::Value* v) {
  return v->getType()->isPointerTy() ? 64 : v->getType()->getIntegerBitWidth();
}

uint64_t operate(llvm::StringRef operation, uint64_t x, uint64_t y) {
  const auto a = static_cast<int32_t>(x), b = static_cast<int32_t>(y);
  if (operation == "add") return x + y;
  if (operation == "mul") return x * y;
  if (operation == "min") return static_cast<uint64_t>(std::min(a, b));
  if (operation == "max") return static_cast<uint64_t>(std::max(a, b));
  if (operation == "and") return x & y;
  if (operation == "or") return x | y;
  return x ^ y;
}

bool is_convergent(llvm::StringRef name) {
  for (const char* part :
       {"barrier", "_reduce", "_scan", "broadcast", "y_of", "all_of", "shuffle", "match"})
    if (name.contains(part)) return true;
  return false;
}

uint64_t compute_binary(unsigned opcode, uint64_t x, uint64_t y) {
  using llvm::Instruction;
  switch (opcode) {
    case Instruction::Add:
      return x + y;
    case Instruction::Sub:
      return x - y;
    case Instruction::Mul:
      return x * y;
    case Instruction::UDiv:
      return x / y;
    case Instruction::URem:
      return x % y;
    case Instruction::And:
      return x & y;
    case Instruction::Or:
      return x | y;
    case Instruction::Xor:
      return x ^ y;
    case Instruction::Shl:
      return x << y;
    case Instruction::LShr:
      return x >> y;
    default:
      llvm::report_fatal_error(llvm::Instruction::getOpcodeName(opcode));
  }
}

uint64_t neutral(llvm::StringRef operation) {
  if (operation == "mul") return 1;
  if (operation == "min") return 0x7fffffff;
  if (operation == "max") return 0x80000000;
  return operation == "and" ? ~uint64_t{0} : 0;
}

}  // namespace

ItemInterpreter::ItemInterpreter(const std::string& code, int64_t sub_group_size, uint64_t seed)
    : sub_group_size_(sub_group_size), random_(seed) {
  llvm::SMDiagnostic error;
  module_ = llvm::parseAssemblyString(code, error, context_);
  if (!module_) llvm::report_fatal_error(error.getMessage());
}

std::string ItemInterpreter::run(const std::vector<uint64_t>& arguments, const int64_t (&groups)[3],
                                 const int64_t (&local)[3]) {
  std::ranges::copy(groups, groups_);
  std::ranges::copy(local, local_);
  for (group_[0] = 0; group_[0] < groups_[0]; ++group_[0])
    for (group_[1] = 0; group_[1] < groups_[1]; ++group_[1])
      for (group_[2] = 0; group_[2] < groups_[2]; ++group_[2])
        if (std::string missed = run_group(arguments); !missed.empty()) return missed;
  return {};
}

std::string ItemInterpreter::run_group(const std::vector<uint64_t>& arguments) {
  const llvm::Function& f = *module_->getFunction("k");
  items_.clear();
  local_memory_.clear();
  for (const llvm::GlobalVariable& variable : module_->globals())
    local_memory_[&variable] = std::make_unique<char[]>(
        module_->getDataLayout().getTypeAllocSize(variable.getValueType()));
  for (int64_t i = 0; i < local_[0] * local_[1] * local_[2]; ++i) {
    Item& item = items_.emplace_back();
    item.linear = i;
    item.local_id[2] = i % local_[2];
    item.local_id[1] = i / local_[2] % local_[1];
    item.local_id[0] = i / local_[2] / local_[1];
    item.block = &f.getEntryBlock();
    item.next = item.block->begin();
    for (size_t a = 0; a < arguments.size(); ++a)
      item.values[f.getArg(static_cast<unsigned>(a))] = arguments[a];
  }
  std::vector<size_t> order(items_.size());
  std::iota(order.begin(), order.end(), 0);
  for (;;) {
    std::ranges::shuffle(order, random_);
    for (size_t i : order) run_item(items_[i]);
    for (const Item& item : items_)
      if (item.waits != items_[0].waits) return "items wait in different places";
    if (!items_[0].waits) return {};
    converge();
  }
}

void ItemInterpreter::run_item(Item& item) {
  item.waits = nullptr;
  while (step(item, *item.next)) {
  }
}

void ItemInterpreter::go_to(Item& item, const llvm::BasicBlock* to) {
  std::vector<uint64_t> phis;
  for (const llvm::PHINode& phi : to->phis())
    phis.push_back(value(item, phi.getIncomingValueForBlock(item.block)));
  size_t k = 0;
  for (const llvm::PHINode& phi : to->phis()) item.values[&phi] = phis[k++];
  item.block = to;
  item.next = to->getFirstNonPHIIt();
}

/// False if the item has reached a convergent operation or has returned.
bool ItemInterpreter::step(Item& item, const llvm::Instruction& i) {
  if (llvm::isa<llvm::ReturnInst>(i)) return false;
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i)) {
    const bool first = branch->isUnconditional() || value(item, branch->getCondition()) != 0;
    go_to(item, branch->getSuccessor(first ? 0 : 1));
    return true;
  }
  auto* called = llvm::dyn_cast<llvm::CallInst>(&i);
  if (called && is_convergent(called->getCalledFunction()->getName())) {
    item.waits = called;
    ++item.next;
    return false;
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
    const uint64_t stored = value(item, store->getValueOperand());
    std::memcpy(reinterpret_cast<void*>(value(item, store->getPointerOperand())), &stored,
                (bits_of(store->getValueOperand()) + 7) / 8);
  } else {
    item.values[&i] = compute(item, i);
  }
  ++item.next;
  return true;
}

void ItemInterpreter::converge() {
  const llvm::CallInst& call = *items_[0].waits;
  if (call.getType()->isVoidTy()) return;
  const auto count = static_cast<int64_t>(items_.size());
  const bool sub_group = call.getCalledFunction()->getName().starts_with("hither.sub_group");
  std::vector<uint64_t> results;
  for (const Item& item : items_) {
    const int64_t first = sub_group ? item.linear / sub_group_size_ * sub_group_size_ : 0;
    const int64_t size = sub_group ? std::min(sub_group_size_, count - first) : count;
    results.push_back(mask(group_function_result(call, item.linear, first, size), bits_of(&call)));
  }
  for (Item& item : items_) item.values[&call] = results[static_cast<size_t>(item.linear)];
}

uint64_t ItemInterpreter::argument_of(int64_t item, const llvm::CallInst& call,
                                      unsigned argument) const {
  return value(items_[static_cast<size_t>(item)], call.getArgOperand(argument));
}

uint64_t ItemInterpreter::group_function_result(const llvm::CallInst& call, int64_t item,
                                                int64_t first, int64_t count) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name = name.substr(name.find("group_") + 6);
  auto [kind, rest] = name.split('.');
  llvm::StringRef operation = rest.split('.').first;
  if (kind == "any_of") operation = "or";
  if (kind == "all_of") operation = "and";
  if (kind == "broadcast")
    return argument_of(first + static_cast<int64_t>(argument_of(first, call, 1)), call, 0);
  if (kind.starts_with("shuffle")) {
    const auto by = static_cast<int64_t>(argument_of(item, call, 1));
    const int64_t lane = item - first;
    const int64_t from = kind == "shuffle"       ? by
                         : kind == "shuffle_xor" ? lane ^ by
                         : kind == "shuffle_up"  ? lane - by
                                                 : lane + by;
    return argument_of(from >= 0 && from < count ? first + from : item, call, 0);
  }
  if (kind == "match") {
    const uint64_t own = argument_of(item, call, 0);
    uint64_t same = 0;
    for (int64_t i = 0; i < count; ++i)
      same |= uint64_t{argument_of(first + i, call, 0) == own} << i;
    return same;
  }
  const bool votes = kind == "any_of" || kind == "all_of";
  int64_t end = first + count;
  if (kind == "inclusive_scan") end = item + 1;
  if (kind == "exclusive_scan") end = item;
  uint64_t all = neutral(operation);
  for (int64_t i = first; i < end; ++i) {
    const uint64_t x = argument_of(i, call, 0);
    all = operate(operation, all, votes ? x != 0 : x);
  }
  return votes ? all & 1 : all;
}

uint64_t ItemInterpreter::value(const Item& item, const llvm::Value* v) const {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v)) return constant->getZExtValue();
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(v))
    return reinterpret_cast<uint64_t>(local_memory_.at(variable).get());
  auto found = item.values.find(v);
  return found == item.values.end() ? 0 : found->second;
}

int64_t ItemInterpreter::signed_value(const Item& item, const llvm::Value* v) const {
  return extend(value(item, v), bits_of(v));
}

/// An atomic operation on an i32 at an address. Returns the old value.
uint64_t ItemInterpreter::update(const llvm::AtomicRMWInst& i, uint64_t address, uint64_t operand) {
  using llvm::AtomicRMWInst;
  auto* at = reinterpret_cast<char*>(address);
  uint32_t value;
  std::memcpy(&value, at, sizeof value);
  const uint32_t old = value;
  const auto by = static_cast<uint32_t>(operand);
  switch (i.getOperation()) {
    case AtomicRMWInst::Add:
      value += by;
      break;
    case AtomicRMWInst::Or:
      value |= by;
      break;
    case AtomicRMWInst::Xor:
      value ^= by;
      break;
    case AtomicRMWInst::Max:
      value = static_cast<int32_t>(by) > static_cast<int32_t>(old) ? by : old;
      break;
    default:
      llvm::report_fatal_error("atomicrmw");
  }
  std::memcpy(at, &value, sizeof value);
  return old;
}

uint64_t ItemInterpreter::compute(Item& item, const llvm::Instruction& i) {
  using llvm::Instruction;
  auto operand = [&](unsigned k) { return value(item, i.getOperand(k)); };
  const llvm::DataLayout& layout = module_->getDataLayout();
  if (i.isBinaryOp())
    return mask(compute_binary(i.getOpcode(), operand(0), operand(1)), bits_of(&i));
  switch (i.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::AddrSpaceCast:
      return operand(0);
    case Instruction::Trunc:
      return mask(operand(0), bits_of(&i));
    case Instruction::SExt:
      return mask(static_cast<uint64_t>(signed_value(item, i.getOperand(0))), bits_of(&i));
    case Instruction::Select:
      return operand(operand(0) ? 1 : 2);
    case Instruction::Alloca: {
      const uint64_t size =
          layout.getTypeAllocSize(llvm::cast<llvm::AllocaInst>(i).getAllocatedType());
      return reinterpret_cast<uint64_t>(
          item.memory.emplace_back(std::make_unique<char[]>(size)).get());
    }
    case Instruction::Load: {
      uint64_t loaded = 0;
      std::memcpy(&loaded, reinterpret_cast<const void*>(operand(0)), (bits_of(&i) + 7) / 8);
      return mask(loaded, bits_of(&i));
    }
    case Instruction::AtomicRMW:
      return update(llvm::cast<llvm::AtomicRMWInst>(i), operand(0), operand(1));
    case Instruction::GetElementPtr: {
      uint64_t address = operand(0);
      for (auto at = llvm::gep_type_begin(i); at != llvm::gep_type_end(i); ++at)
        address += static_cast<uint64_t>(signed_value(item, at.getOperand())) *
                   layout.getTypeAllocSize(at.getIndexedType());
      return address;
    }
    case Instruction::ICmp: {
      const auto& compare = llvm::cast<llvm::ICmpInst>(i);
      const unsigned bits = bits_of(i.getOperand(0));
      return llvm::ICmpInst::compare(llvm::APInt(bits, operand(0)), llvm::APInt(bits, operand(1)),
                                     compare.getPredicate());
    }
    case Instruction::Call:
      return call(item, llvm::cast<llvm::CallInst>(i));
    default:
      llvm::report_fatal_error(i.getOpcodeName());
  }
}

uint64_t ItemInterpreter::call(Item& item, const llvm::CallInst& i) {
  const llvm::StringRef name = i.getCalledFunction()->getName();
  const int64_t items = local_[0] * local_[1] * local_[2];
  if (name == "hither.sub_group_local_id")
    return static_cast<uint64_t>(item.linear % sub_group_size_);
  if (name == "hither.sub_group_id") return static_cast<uint64_t>(item.linear / sub_group_size_);
  if (name == "hither.num_sub_groups")
    return static_cast<uint64_t>((items + sub_group_size_ - 1) / sub_group_size_);
  if (name == "hither.sub_group_size")
    return static_cast<uint64_t>(
        std::min(sub_group_size_, items - item.linear / sub_group_size_ * sub_group_size_));
  const uint64_t d = value(item, i.getArgOperand(0));
  int64_t answer = 0;
  if (name == "hither.local_id") answer = item.local_id[d];
  if (name == "hither.local_size") answer = local_[d];
  if (name == "hither.group_id") answer = group_[d];
  if (name == "hither.num_groups") answer = groups_[d];
  if (name == "hither.global_size") answer = groups_[d] * local_[d];
  if (name == "hither.global_id") answer = group_[d] * local_[d] + item.local_id[d];
  return static_cast<uint64_t>(answer);
}

}  // namespace hither::compiler::tests
