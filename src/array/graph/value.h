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
#include "runtime/recycled.h"
#include "runtime/spin_lock.h"

namespace hither::array {

struct UserFunction;
struct Value;
using ValueRef = Reference<Value>;

enum class ValueKind : uint8_t {
  kMemory,       ///< made by an allocation, an import or a task that wrote into it
  kElementwise,  ///< Op over inputs of the same shape (or constants)
  kCast,         ///< inputs[0] in another dtype
  kConstant,     ///< one number, inputs[0], for every element
  kIota,         ///< inputs[0] + index * inputs[1]
  kReduce,       ///< `reduce` of inputs[0]
  kRecipe,       ///< `recipe` of the inputs: products, scans, gathers, searches
};

enum class ValueState : uint8_t { kPending, kReady, kFailed };

/// A reduction of an operand of shape `shape` over the axes that are marked.
struct Reduce {
  Accumulation accumulation;
  Dims shape;
  std::vector<bool> reduced;
};

/// An operand of a recipe, in memory: its value, and the offset of its element 0, in elements.
struct Operated {
  ValueRef value;
  int64_t offset = 0;
};

/// The kernels or library calls of a kRecipe value, which run by themselves.
class Recipe {
 public:
  virtual ~Recipe() = default;
  /// Whether the operands have to lie in memory in C order; else they only have to be in memory.
  /// Operands that do not are copied before launch() is called.
  virtual bool needs_c_order() const noexcept { return false; }
  /// Elements of an operand that is one number, where C order is needed.
  virtual int64_t operand_size(const Value& value, int input) const noexcept;
  /// Launches the kernels that read `operands`, one for each input, and fills value.memory and
  /// value.written. Called under the queue's graph lock. Throws Error, with which the value then
  /// fails, or WaitFirst (see flush.h), after which it is called again.
  virtual void launch(Value& value, std::span<const Operated> operands) const = 0;
  /// The name for explain().
  virtual std::string describe(const Value& value) const = 0;
};

/// One operand of a node: a value seen through a layout, or a number.
struct Input {
  ValueRef value;              ///< null for a number
  LayoutRef layout;            ///< null: the whole value, C order (then the shapes are equal)
  DType dtype = DType::kBool;  ///< of the value or number as it is read
  alignas(8) unsigned char number[16];  ///< as many bytes as dtype has, the rest undefined
};

/// The event of the last write to a value. Thread-safe: kernels of several threads may write to
/// parts of one array.
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
  mutable runtime::SpinLock lock_;
  std::atomic<bool> known_{false};
  Event event_;
};

/// An immutable array value: an expression until it is submitted, then memory and the event of the
/// task that writes it. Several storages may name it, several nodes may read it. `inputs` may be
/// touched only under the graph lock of the value's queue; the bounds and types never change.
struct Value : Counted, runtime::Recycled<Value> {
  ValueKind kind = ValueKind::kMemory;
  Op op = Op::kCount;
  DType dtype = DType::kBool;
  DType compute = DType::kBool;  ///< operands are cast to it before op
  UsmType usm_type = UsmType::kDevice;
  uint8_t input_count = 0;
  uint8_t height = 0;
  bool reduces = false;  ///< a pending reduction, or reads what may be one
  uint16_t ops = 0;      ///< nodes below and here, shared ones counted each time
  uint16_t leaves = 0;   ///< buffers read, shared ones counted each time; at least 1
  int64_t pinned_bytes = 0;
  const LayoutRef layout;  ///< C order of the value's shape
  const Queue& queue;      ///< the layout's
  Input inputs[kMaxInputs];
  std::unique_ptr<const Reduce> reduce;
  std::unique_ptr<const Recipe> recipe;
  std::shared_ptr<const UserFunction> user;  ///< instead of op, for the program's own operations

  std::atomic<ValueState> state{ValueState::kPending};
  std::atomic<uint32_t> names{0};  ///< storages that name this value
  Memory memory;
  int64_t offset_bytes = 0;  ///< of the layout's element 0 in memory
  LastWrite written;
  /// Kernels that write to it and are being launched: each has made sure that it may.
  std::atomic<uint32_t> writers{0};
  /// Outstanding reads, by work of any queue; see note_read().
  runtime::SpinLock reads_lock;
  std::vector<Event> reads;
  std::optional<Error> error;  ///< of kFailed

  /// What the planner notes on its way, guarded by the graph lock: the plan that last reached this
  /// value, and the slot that the value has there.
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

/// What arrays and views share: a variable that names a value. Writing names another value, or
/// writes into the memory of the present one when nothing else reads it.
struct Storage : Counted, runtime::Recycled<Storage> {
  explicit Storage(ValueRef value) noexcept;
  /// The present value. Safe against a concurrent move_to(), not against a concurrent rename().
  ValueRef value() const noexcept {
    return ValueRef(Shared{}, value_.load(std::memory_order_acquire));
  }
  /// The same, kept alive by this storage: for those who hold it.
  Value& present() const noexcept { return *value_.load(std::memory_order_acquire); }
  /// Names another value: a write, which by contract races with nothing.
  void rename(ValueRef value) noexcept;
  /// Names a copy of the present value, because a reader asks for an address of its own; other
  /// readers may still be looking at the old one, so it lives as long as the storage. Happens once
  /// at most.
  void move_to(ValueRef copy) noexcept;
  static void destroy(const Storage* storage) noexcept;

  /// Set when an address was handed out: from then on the memory may not be exchanged for another.
  std::atomic<bool> escaped{false};
  bool read_only = false;
  const UsmType usm_type;

 private:
  std::atomic<Value*> value_;
  ValueRef owner_;  ///< of value_
  ValueRef old_;    ///< what move_to() left
};

struct GraphLock;
/// Held while the pending graph of a queue is walked or changed. Recursive. Nothing is waited for
/// under it, since what is waited for may be anybody's code: see with_graph_lock().
class GraphGuard {
 public:
  explicit GraphGuard(const Queue& queue) noexcept;
  GraphGuard(const GraphGuard&) = delete;
  GraphGuard& operator=(const GraphGuard&) = delete;
  ~GraphGuard();
  /// Whether this thread held the lock before.
  bool is_nested() const noexcept;

 private:
  GraphLock& lock_;
};
/// A number that no walk over the queue's graph had before; under its lock.
uint64_t next_visit(const Queue& queue) noexcept;

/// A ready value over memory.
ValueRef memory_value(const Memory& memory, int64_t offset_bytes, LayoutRef layout, DType dtype);
/// An array that names `value` in full.
Array make_array(ValueRef value);
/// The value and layout that `x` is now; the layout is null when it is the whole value in C order.
Input input_of(const Array& x);
void fill_input_of(Input& empty, const Array& x);

/// Throws the error of a failed value.
void require_ready(const Value& value);
/// Address of element 0 of a value in memory.
inline char* address_of(const Value& value) {
  return static_cast<char*>(value.memory.data()) + value.offset_bytes;
}

/// Whether operations of this thread run at once: HITHER_EAGER=1, unless set_eager() says more.
bool eager() noexcept;

}  // namespace hither::array
