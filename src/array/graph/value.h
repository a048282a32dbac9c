// Values and the storages that name them: the immutable graph behind lazy arrays.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hither/array.h>
#include <hither/ops.h>

#include "array/form/reduction.h"
#include "array/form/slot.h"
#include "array/graph/layout.h"
#include "process/spin_lock.h"
#include "runtime/recycled.h"

namespace hither::array {

struct UserFunction;
struct Value;
using ValueRef = Reference<Value>;

enum class ValueKind : uint8_t {
  kMemory,       ///< memory: an allocation, an import, or the output of a task
  kElementwise,  ///< Op over inputs of the same shape, or constants
  kCast,         ///< inputs[0] in another dtype
  kConstant,     ///< one number, inputs[0], for every element
  kIota,         ///< inputs[0] + index * inputs[1]
  kReduce,       ///< `reduce` of inputs[0]
  kRecipe,       ///< `recipe` of the inputs: products, scans, gathers, searches
};

enum class ValueState : uint8_t { kPending, kReady, kFailed };

/// A reduction of an operand of shape `shape` over the axes marked in the mask.
struct Reduce {
  Accumulation accumulation;
  Dims shape;
  std::vector<bool> reduced;
  std::shared_ptr<const UserFunction> user;  ///< keeps accumulation.user
};

struct Cluster;
/// An operand of a recipe: a value in memory and the offset of its element 0, in elements; or nodes
/// that the recipe's kernels compute.
struct Operated {
  ValueRef value;
  int64_t offset = 0;
  const Cluster* producers = nullptr;  ///< the nodes; there is no value then
  Slot root = 0;                       ///< the operand's slot among them
};

/// The kernels or library calls that compute a kRecipe value. Recipes do not fuse with what reads
/// them.
class Recipe {
 public:
  virtual ~Recipe() = default;
  /// Whether the operands have to be in memory in C order. If so, other operands are copied before
  /// launch() is called. If not, operands may have any layout.
  virtual bool needs_c_order() const noexcept { return false; }
  /// Whether the kernels may compute their only operand where it is pending.
  virtual bool computes_operand() const noexcept { return false; }
  /// Whether they should, where these nodes do (see plan/cluster.h). Sets how the leaves are
  /// accessed.
  virtual bool computes(Cluster&, const Queue&) const { return false; }
  /// Where the elements of input 1 replace those of input 0; null for other recipes. The recipe
  /// computes input 1 itself.
  virtual const Layout* inserts_at() const noexcept { return nullptr; }
  /// Number of elements that an operand which is one number is expanded to, where C order is
  /// needed.
  virtual int64_t operand_size(const Value& value, int input) const noexcept;
  /// Launches kernels that read `operands`, one per input, and fills value.memory and
  /// value.written. Called under the queue's graph lock. Throws Error, after which the value is
  /// failed, or WaitFirst (see flush.h), after which it is called again.
  virtual void launch(Value& value, std::span<const Operated> operands) const = 0;
  /// The name for explain().
  virtual std::string describe(const Value& value) const = 0;
};

/// One operand of a node: a value with a layout, or a number.
struct Input {
  ValueRef value;                       ///< null for a number
  LayoutRef layout;                     ///< null: the whole value in C order, with equal shapes
  DType dtype = DType::kBool;           ///< dtype in which the value or number is read
  uint16_t symbol = 0;                  ///< Scalar::symbol() of a number
  alignas(8) unsigned char number[16];  ///< size_of(dtype) bytes; the rest is undefined
};

/// The event of the last write to a value. Thread-safe, because kernels of several threads may
/// write to parts of one array.
class LastWrite {
 public:
  LastWrite() = default;
  LastWrite(const LastWrite&) = delete;
  LastWrite& operator=(const LastWrite& other) { return *this = other.event(); }
  LastWrite& operator=(Event event) noexcept {
    if (!event.state() && !known_.load(std::memory_order_acquire)) return *this;
    const std::lock_guard guard(lock_);
    known_.store(event.state() != nullptr, std::memory_order_release);
    std::swap(event_, event);
    return *this;
  }
  Event event() const noexcept {
    if (!known_.load(std::memory_order_acquire)) return {};
    const std::lock_guard guard(lock_);
    return event_;
  }
  operator Event() const noexcept { return event(); }

 private:
  mutable process::SpinLock lock_;
  std::atomic<bool> known_{false};
  Event event_;
};

/// An immutable array value: an expression until it is submitted, then memory and the event of the
/// task that writes it. Several storages may name it and several nodes may read it. `inputs` may be
/// accessed only under the graph lock of the value's queue. The bounds and types never change.
struct Value : Counted, runtime::Recycled<Value> {
  ValueKind kind = ValueKind::kMemory;
  Op op = Op::kCount;
  DType dtype = DType::kBool;
  DType compute = DType::kBool;  ///< operands are cast to it before op
  UsmType usm_type = UsmType::kDevice;
  uint8_t input_count = 0;
  uint8_t height = 0;
  bool reduces = false;  ///< is, or may read, a pending reduction
  bool inserts = false;  ///< is, or may read, a pending insertion (see Recipe::inserts_at())
  uint16_t ops = 0;      ///< nodes of this expression; shared ones may be counted each time
  uint16_t leaves = 0;   ///< buffers read, at least 1; shared ones may be counted each time
  int64_t pinned_bytes = 0;
  const LayoutRef layout;  ///< C order of the value's shape
  const Queue& queue;      ///< the layout's
  Input inputs[kMaxInputs];
  std::unique_ptr<const Reduce> reduce;
  std::unique_ptr<const Recipe> recipe;
  std::shared_ptr<const UserFunction> user;  ///< used instead of op for user-defined operations

  std::atomic<ValueState> state{ValueState::kPending};
  std::atomic<uint32_t> names{0};  ///< number of storages that name this value
  Memory memory;
  int64_t offset_bytes = 0;  ///< of the layout's element 0 in memory
  LastWrite written;
  /// Number of launches that currently write to the value. Each has checked that it may write.
  std::atomic<uint32_t> writers{0};
  /// Unfinished reads by work on any queue; see note_read().
  process::SpinLock reads_lock;
  std::vector<Event> reads;
  std::optional<Error> error;  ///< set when the state is kFailed
  /// See note_host_work(); null for most values. Guarded by the graph lock.
  std::unique_ptr<const std::string> host_work;

  /// Scratch data of the planner, guarded by the graph lock: the plan that last visited this value,
  /// and the value's slot in that plan.
  struct PlannerScratch {
    uint64_t visit = 0;
    Slot slot = 0;
  } planner;

  Value(LayoutRef l, DType t) : dtype(t), layout(std::move(l)), queue(layout->queue) {}
  bool is_pending() const noexcept {
    return state.load(std::memory_order_acquire) == ValueState::kPending;
  }
  /// Whether it can be a node of another value's element-wise kernel.
  bool is_elementwise() const noexcept {
    return kind != ValueKind::kReduce && kind != ValueKind::kRecipe && kind != ValueKind::kMemory;
  }
  const Dims& shape() const noexcept { return layout->shape; }
  /// Frees long chains without recursion.
  static void destroy(const Value* value) noexcept;
};

/// A variable that names a value; an array and its views share one. A write makes it name another
/// value, or writes into the memory of the present value when nothing else reads that.
struct Storage : Counted, runtime::Recycled<Storage> {
  explicit Storage(ValueRef value) noexcept;
  /// The present value. Safe against a concurrent move_to(), not against a concurrent rename().
  ValueRef value() const noexcept {
    return ValueRef(Shared{}, value_.load(std::memory_order_acquire));
  }
  /// The present value without a new reference. The caller must keep the storage alive.
  Value& present() const noexcept { return *value_.load(std::memory_order_acquire); }
  /// Names another value. This is a write, so the caller must exclude concurrent access.
  void rename(ValueRef value) noexcept;
  /// Names a copy of the present value, because a caller needs an address that no pending work
  /// uses. Concurrent readers may still use the old value, so the storage keeps it. Called at most
  /// once.
  void move_to(ValueRef copy) noexcept;
  /// A hidden storage does not count as a name, so that its pending value is stored only where that
  /// is necessary. Called by the thread of the only array.
  void hide(bool is_hidden) noexcept;
  static void destroy(const Storage* storage) noexcept;

  /// Set when an address has left the library. From then on the storage keeps its memory.
  std::atomic<bool> escaped{false};
  bool read_only = false;
  const UsmType usm_type;

 private:
  std::atomic<Value*> value_;
  ValueRef owner_;  ///< keeps the present value alive
  ValueRef old_;    ///< the value that move_to() replaced
  bool is_hidden_ = false;
};

struct GraphLock;
/// Held while the pending graph of a queue is read or changed. Recursive. Code under the lock never
/// waits for tasks, because a host task may need the lock; see with_graph_lock().
class GraphGuard {
 public:
  explicit GraphGuard(const Queue& queue) noexcept;
  GraphGuard(const GraphGuard&) = delete;
  GraphGuard& operator=(const GraphGuard&) = delete;
  ~GraphGuard();
  /// Whether this thread held the lock already.
  bool is_nested() const noexcept;

 private:
  GraphLock& lock_;
};
/// A new number for marking visited values of the queue's graph; under its lock.
uint64_t next_visit(const Queue& queue) noexcept;

/// A ready value over memory.
ValueRef memory_value(const Memory& memory, int64_t offset_bytes, LayoutRef layout, DType dtype);
/// An array that names the whole of `value`.
Array make_array(ValueRef value);
/// The present value and layout of `x`. The layout is null when it is the whole value in C order.
Input input_of(const Array& x);
void fill_input_of(Input& empty, const Array& x);

/// Throws the error of a failed value.
void require_ready(const Value& value);
/// Address of element 0 of a value that has memory.
inline char* address_of(const Value& value) {
  return static_cast<char*>(value.memory.data()) + value.offset_bytes;
}

/// Whether operations of this thread run at once: the choice made with set_eager(), else
/// HITHER_EAGER=1.
bool eager() noexcept;

}  // namespace hither::array
