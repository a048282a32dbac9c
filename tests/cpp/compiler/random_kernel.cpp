#include "random_kernel.h"

#include <fmt/format.h>

namespace hither::compiler::tests {
namespace {

constexpr const char* kDeclarations = R"(
declare i64 @hither.global_id(i32)
declare i64 @hither.local_id(i32)
declare i64 @hither.local_size(i32)
declare i64 @hither.group_id(i32)
declare i64 @hither.global_size(i32)
declare i32 @hither.sub_group_size()
declare i32 @hither.sub_group_local_id()
declare i32 @hither.sub_group_id()
declare i32 @hither.num_sub_groups()
declare void @hither.barrier(i32)
declare void @hither.sub_group_barrier(i32)
declare i8 @hither.group_any_of(i8)
declare i8 @hither.group_all_of(i8)
declare i8 @hither.sub_group_any_of(i8)
declare i8 @hither.sub_group_all_of(i8)
declare i32 @hither.group_broadcast.i32(i32, i32)
declare i32 @hither.sub_group_broadcast.i32(i32, i32)
declare i32 @hither.sub_group_match.u32(i32, i32)
)";
constexpr const char* kOperations[] = {"add", "mul", "min", "max", "and", "or", "xor"};
constexpr const char* kFolds[] = {"reduce", "inclusive_scan", "exclusive_scan"};
constexpr const char* kUpdates[] = {"add", "or", "xor", "max"};
constexpr const char* kShuffles[] = {"shuffle", "shuffle_xor", "shuffle_up", "shuffle_down"};

std::string declarations(int64_t items) {
  std::string text = kDeclarations;
  for (const char* scope : {"group", "sub_group"})
    for (const char* fold : kFolds)
      for (const char* operation : kOperations)
        text += fmt::format("declare i32 @hither.{}_{}.{}.i32(i32)\n", scope, fold, operation);
  for (const char* shuffle : kShuffles)
    text += fmt::format("declare i32 @hither.sub_group_{}.i32(i32, i32)\n", shuffle);
  text += fmt::format("@tile = internal addrspace(3) global [{} x i32] undef\n", items);
  for (size_t n = 0; n < std::size(kUpdates); ++n)
    text += fmt::format("@counts{} = internal addrspace(3) global [4 x i32] undef\n", n);
  return text;
}

}  // namespace

std::string RandomKernel::compute(const std::string& operation) {
  std::string result = name();
  line(result + " = " + operation);
  return result;
}

std::string RandomKernel::load(const std::string& variable) {
  return compute("load i32, ptr " + variable);
}

std::string RandomKernel::uniform_value() {
  switch (pick(4)) {
    case 0:
      return std::to_string(pick(100));
    case 1:
      return "%u";
    case 2:
      return "%group";
    default:
      return load(fmt::format("%s{}", pick(kUniforms)));
  }
}

std::string RandomKernel::any_value() {
  switch (pick(6)) {
    case 0:
      return uniform_value();
    case 1:
      return "%l";
    case 2:
      return "%i";
    default:
      return load(fmt::format("%v{}", pick(kVariables)));
  }
}

std::string RandomKernel::expression(bool uniform) {
  constexpr const char* kArithmetic[] = {"add", "sub", "mul", "and", "or", "xor"};
  std::string result = value(uniform);
  for (int n = pick(3); n >= 0; --n) {
    std::string other = value(uniform);
    result = compute(fmt::format("{} i32 {}, {}", kArithmetic[pick(6)], result, other));
  }
  return result;
}

std::string RandomKernel::condition(bool uniform) {
  std::string x = compute(fmt::format("and i32 {}, {}", expression(uniform), 1 + pick(7)));
  return compute(fmt::format("icmp {} i32 {}, {}", pick(2) ? "eq" : "ult", x, pick(4)));
}

void RandomKernel::assign() {
  line(fmt::format("store i32 {}, ptr %v{}", expression(false), pick(kVariables)));
}

void RandomKernel::assign_uniform() {
  line(fmt::format("store i32 {}, ptr %s{}", expression(true), pick(kUniforms)));
}

void RandomKernel::branch(int depth, bool together) {
  const bool stay_together = together && pick(2);
  std::string yes = label(), no = label(), end = label();
  line(fmt::format("br i1 {}, label %{}, label %{}", condition(stay_together), yes, no));
  start(yes);
  statements(depth - 1, stay_together);
  line("br label %" + end);
  start(no);
  if (pick(2)) statements(depth - 1, stay_together);
  line("br label %" + end);
  start(end);
}

void RandomKernel::loop(int depth, bool together) {
  const bool stay_together = together && pick(3) > 0;
  std::string counter = fmt::format("%loop{}", loops_++);
  allocas_ += fmt::format("  {} = alloca i32\n", counter);
  std::string head = label(), body = label(), next = label(), end = label();
  std::string limit = compute(fmt::format("and i32 {}, {}", value(stay_together), pick(2) ? 3 : 6));
  line("store i32 0, ptr " + counter);
  line("br label %" + head);
  start(head);
  std::string more = compute(fmt::format("icmp ult i32 {}, {}", load(counter), limit));
  line(fmt::format("br i1 {}, label %{}, label %{}", more, body, end));
  start(body);
  statements(depth - 1, stay_together);
  if (pick(3) == 0) {  // break
    std::string go_on = label();
    line(fmt::format("br i1 {}, label %{}, label %{}", condition(stay_together), end, go_on));
    start(go_on);
    statements(depth - 1, stay_together);
  }
  line("br label %" + next);
  start(next);
  std::string count = compute(fmt::format("add i32 {}, 1", load(counter)));
  line(fmt::format("store i32 {}, ptr {}", count, counter));
  line("br label %" + head);
  start(end);
}

/// Some items end here.
void RandomKernel::leave() {
  std::string end = label(), go_on = label();
  std::string result = any_value();
  line(fmt::format("br i1 {}, label %{}, label %{}", condition(false), end, go_on));
  start(end);
  line(fmt::format("store i32 {}, ptr addrspace(1) %to", result));
  line("ret void");
  start(go_on);
}

/// Each item writes an element of local memory and reads another item's.
void RandomKernel::exchange() {
  std::string mine = compute("getelementptr i32, ptr addrspace(3) @tile, i64 %linear");
  line(fmt::format("store i32 {}, ptr addrspace(3) {}", any_value(), mine));
  call_nothing("@hither.barrier(i32 1)");
  std::string far = compute(fmt::format("add i32 {}, {}", "%l", expression(false)));
  std::string wrapped = compute(fmt::format("urem i32 {}, {}", far, items_));
  std::string index = compute(fmt::format("zext i32 {} to i64", wrapped));
  std::string other = compute("getelementptr i32, ptr addrspace(3) @tile, i64 " + index);
  std::string seen = compute("load i32, ptr addrspace(3) " + other);
  line(fmt::format("store i32 {}, ptr %v{}", seen, pick(kVariables)));
  call_nothing("@hither.barrier(i32 1)");
}

void RandomKernel::converge() {
  const bool sub_group = pick(2);
  const char* scope = sub_group ? "sub_group" : "group";
  std::string result, argument = any_value();
  bool same = !sub_group;
  switch (pick(sub_group ? 4 : 3)) {
    case 0: {
      const int fold = pick(3);
      result = compute(fmt::format("call i32 @hither.{}_{}.{}.i32(i32 {})", scope, kFolds[fold],
                                   kOperations[pick(7)], argument));
      same = same && fold == 0;
      break;
    }
    case 1: {
      std::string vote = compute("trunc i32 " + argument + " to i8");
      vote = compute(
          fmt::format("call i8 @hither.{}_{}_of(i8 {})", scope, pick(2) ? "any" : "all", vote));
      result = compute("zext i8 " + vote + " to i32");
      break;
    }
    case 2: {
      std::string from =
          compute(fmt::format("urem i32 {}, {}", uniform_value(), sub_group ? 1 : items_));
      result = compute(
          fmt::format("call i32 @hither.{}_broadcast.i32(i32 {}, i32 {})", scope, argument, from));
      break;
    }
    default: {
      if (pick(4) == 0) {
        std::string number = compute(fmt::format("and i32 {}, 3", argument));
        result =
            compute(fmt::format("call i32 @hither.sub_group_match.u32(i32 {}, i32 2)", number));
        break;
      }
      std::string by = compute(fmt::format("and i32 {}, 15", any_value()));
      result = compute(fmt::format("call i32 @hither.sub_group_{}.i32(i32 {}, i32 {})",
                                   kShuffles[pick(4)], argument, by));
    }
  }
  if (same && pick(2))
    line(fmt::format("store i32 {}, ptr %s{}", result, pick(kUniforms)));
  else
    line(fmt::format("store i32 {}, ptr %v{}", result, pick(kVariables)));
}

void RandomKernel::use_private_array() {
  auto place = [&] {
    std::string wrapped = compute(fmt::format("and i32 {}, 3", any_value()));
    return compute("getelementptr [4 x i32], ptr %array, i32 0, i32 " + wrapped);
  };
  std::string stored = any_value(), to = place();
  line(fmt::format("store i32 {}, ptr {}", stored, to));
  std::string from = place();
  line(fmt::format("store i32 {}, ptr %v{}", load(from), pick(kVariables)));
}

/// Updates one of the four counters of an operation. Nothing reads them before the end, so their
/// order does not matter.
void RandomKernel::update() {
  const int operation = pick(4);
  std::string counter = compute(fmt::format("and i32 {}, 3", any_value()));
  std::string at = compute(fmt::format(
      "getelementptr [4 x i32], ptr addrspace(3) @counts{}, i32 0, i32 {}", operation, counter));
  compute(fmt::format("atomicrmw {} ptr addrspace(3) {}, i32 {} syncscope(\"workgroup\") monotonic",
                      kUpdates[operation], at, any_value()));
}

/// Calls `each` with the address of each counter.
template <class Each>
void RandomKernel::for_counters(const Each& each) {
  for (int n = 0; n < 16; ++n)
    each(compute(
        fmt::format("getelementptr i32, ptr addrspace(3) @counts{}, i32 {}", n / 4, n % 4)));
}

/// Reads the input in one dimension. The index may count from the end, and is clamped.
void RandomKernel::read_neighbour() {
  const int d = pick(3);
  auto clamp = [&](const std::string& index, const char* relation, const std::string& limit) {
    std::string inside = compute(fmt::format("icmp {} i64 {}, {}", relation, index, limit));
    return compute(fmt::format("select i1 {}, i64 {}, i64 {}", inside, index, limit));
  };
  std::string at = compute(fmt::format("add nsw i64 %g{}, {}", d, pick(40) - 20));
  if (pick(2)) {
    std::string from_end = compute(fmt::format("add i64 {}, %n{}", at, d));
    std::string negative = compute(fmt::format("icmp slt i64 {}, 0", at));
    at = compute(fmt::format("select i1 {}, i64 {}, i64 {}", negative, from_end, at));
  }
  std::string last = compute(fmt::format("add nsw i64 %n{}, -1", d));
  at = clamp(clamp(at, "sgt", "0"), "slt", last);
  auto place = [&](int k) { return k == d ? at : fmt::format("%g{}", k); };
  for (int k = 1; k < 3; ++k) {
    std::string rows = compute(fmt::format("mul i64 {}, %n{}", k == 1 ? place(0) : last, k));
    last = compute(fmt::format("add i64 {}, {}", rows, place(k)));
  }
  std::string from = compute("getelementptr i32, ptr addrspace(1) %in, i64 " + last);
  std::string seen = compute("load i32, ptr addrspace(1) " + from);
  line(fmt::format("store i32 {}, ptr %v{}", seen, pick(kVariables)));
}

void RandomKernel::statement(int depth, bool together) {
  const int kinds = together ? 10 : in_groups_ ? 6 : 7;
  switch (depth > 0 ? pick(kinds) : pick(2)) {
    case 2:
      return branch(depth, together);
    case 3:
      return loop(depth, together);
    case 4:
      return !in_groups_ ? assign() : pick(3) ? update() : use_private_array();
    case 5:
      return read_neighbour();
    case 6:
      return in_groups_ ? exchange() : leave();
    case 7:
      return converge();
    case 8:
      return call_nothing("@hither.barrier(i32 3)");
    case 9:
      return assign_uniform();
    default:
      return assign();
  }
}

void RandomKernel::statements(int depth, bool together) {
  for (int n = 1 + pick(3); n > 0; --n) statement(depth, together);
}

std::string RandomKernel::text() {
  for_counters([&](const std::string& at) { line("store i32 0, ptr addrspace(3) " + at); });
  call_nothing("@hither.barrier(i32 1)");
  for (int n = 0; n < 6; ++n) statement(3, true);
  call_nothing("@hither.barrier(i32 1)");
  for_counters([&](const std::string& at) {
    std::string sum = compute(fmt::format("mul i32 {}, 7", load("%v0")));
    sum = compute(fmt::format("add i32 {}, {}", sum, compute("load i32, ptr addrspace(3) " + at)));
    line(fmt::format("store i32 {}, ptr %v0", sum));
  });
  std::string array = "  %array = alloca [4 x i32]\n";
  for (int n = 0; n < 4; ++n)
    array += fmt::format(
        "  %a{0} = getelementptr [4 x i32], ptr %array, i32 0, i32 {0}\n"
        "  store i32 {0}, ptr %a{0}\n",
        n);
  allocas_ = array + allocas_;
  return finished(R"(  %l0 = call i64 @hither.local_id(i32 0)
  %l1 = call i64 @hither.local_id(i32 1)
  %l2 = call i64 @hither.local_id(i32 2)
  %m1 = call i64 @hither.local_size(i32 1)
  %m2 = call i64 @hither.local_size(i32 2)
  %l01 = mul i64 %l0, %m1
  %l012 = add i64 %l01, %l1
  %lm = mul i64 %l012, %m2
  %linear = add i64 %lm, %l2
  %l = trunc i64 %linear to i32
  %group64 = call i64 @hither.group_id(i32 0)
  %group = trunc i64 %group64 to i32
)");
}

std::string RandomKernel::text_without_groups() {
  in_groups_ = false;
  for (int n = 0; n < 6; ++n) statement(3, false);
  return finished("  %l = trunc i64 %g2 to i32\n  %group = trunc i64 %g0 to i32\n");
}

/// The kernel's text. `ids` computes %l and %group.
std::string RandomKernel::finished(const std::string& ids) {
  std::string result = load("%v0");
  for (int n = 1; n < kVariables; ++n) {
    result = compute(fmt::format("mul i32 {}, 31", result));
    result = compute(fmt::format("xor i32 {}, {}", result, load(fmt::format("%v{}", n))));
  }
  line(fmt::format("store i32 {}, ptr addrspace(1) %to", result));
  line("ret void");
  std::string head = R"(define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %u) {
)" + allocas_;
  for (int n = 0; n < kVariables; ++n) head += fmt::format("  %v{} = alloca i32\n", n);
  for (int n = 0; n < kUniforms; ++n) head += fmt::format("  %s{} = alloca i32\n", n);
  head += R"(  %g0 = call i64 @hither.global_id(i32 0)
  %g1 = call i64 @hither.global_id(i32 1)
  %g2 = call i64 @hither.global_id(i32 2)
  %n0 = call i64 @hither.global_size(i32 0)
  %n1 = call i64 @hither.global_size(i32 1)
  %n2 = call i64 @hither.global_size(i32 2)
  %g01 = mul i64 %g0, %n1
  %g012 = add i64 %g01, %g1
  %gm = mul i64 %g012, %n2
  %global = add i64 %gm, %g2
  %i = trunc i64 %global to i32
)" + ids + R"(  %from = getelementptr i32, ptr addrspace(1) %in, i64 %global
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %global
  %x = load i32, ptr addrspace(1) %from
  store i32 %x, ptr %v0
  store i32 %l, ptr %v1
)";
  for (int n = 2; n < kVariables; ++n) head += fmt::format("  store i32 {}, ptr %v{}\n", n, n);
  for (int n = 0; n < kUniforms; ++n) head += fmt::format("  store i32 %u, ptr %s{}\n", n);
  return declarations(items_) + head + body_ + "}\n";
}

}  // namespace hither::compiler::tests
