// Random kernels with barriers and group functions.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hither::compiler::tests {

/// LLVM IR of `void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %u)` as a front end writes
/// it, with variables in memory. Each item reads in[i], sometimes its neighbours' elements, and
/// writes out[i], where i is its linear global id. Both arrays hold i32. Every item of a group
/// reaches every convergent operation: branches and loops around them have uniform conditions,
/// others any. There are no races, and all loops end.
class RandomKernel {
 public:
  RandomKernel(uint64_t seed, int64_t items) : random_(seed), items_(items) {}
  std::string text();
  /// The same without groups: items only ask for global ids, may return early, and have no private
  /// arrays.
  std::string text_without_groups();

 private:
  static constexpr int kVariables = 6, kUniforms = 3;

  int pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }
  std::string name() { return "%t" + std::to_string(next_++); }
  std::string label() { return "b" + std::to_string(next_++); }
  void line(const std::string& text) { body_ += "  " + text + "\n"; }
  void start(const std::string& block) { body_ += block + ":\n"; }
  std::string compute(const std::string& operation);
  void call_nothing(const std::string& call) { line("call void " + call); }

  std::string load(const std::string& variable);
  std::string any_value();
  std::string uniform_value();
  std::string value(bool uniform) { return uniform ? uniform_value() : any_value(); }
  std::string expression(bool uniform);
  std::string condition(bool uniform);

  std::string finished(const std::string& ids);
  void statements(int depth, bool together);
  void statement(int depth, bool together);
  void assign();
  void assign_uniform();
  void branch(int depth, bool together);
  void loop(int depth, bool together);
  void leave();
  void exchange();
  void converge();
  void use_private_array();
  void update();
  template <class Each>
  void for_counters(const Each& each);
  void read_neighbour();

  std::mt19937_64 random_;
  int64_t items_;
  int next_ = 0;
  int loops_ = 0;
  std::string body_;
  std::string allocas_;
  bool in_groups_ = true;
};

}  // namespace hither::compiler::tests
