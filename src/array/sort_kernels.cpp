#include "array/sort_kernels.h"

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "array/emit/module.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "runtime/device_state.h"

namespace hither::array {

namespace {

// These equal the constants in device_library/sort.cpp and sort_keys.h.
constexpr int64_t kItems = 384, kDigits = 256, kDigitBits = 8;
constexpr int64_t run_of(int64_t element_bytes) {
  return element_bytes == 16 ? 3 : element_bytes == 8 ? 11 : 18;
}
// Groups that a multiprocessor of a CUDA device should run at a time.
constexpr int kResidentGroups = 2;
// Counts of look-backs have 30 bits. Rows with more elements use 64-bit words.
constexpr int64_t kMostCounted = int64_t{1} << 30;
// The number of elements whose digits a group counts.
constexpr int64_t kPiece = 16384;

/// A call of a device-library function as a kernel: pointers, 64-bit integers and constants.
struct SortKernel {
  std::string function;
  int pointers, integers;
  std::vector<int> constants;

  std::string key() const {
    std::string key = "o1" + function;
    for (int c : constants) key += fmt::format(",{}", c);
    return key;
  }
  target::KernelModule emit() const {
    ModuleBuilder m("sort");
    for (int i = 0; i < pointers; ++i) m.parameter(target::Parameter::kPointer);
    for (int i = 0; i < integers; ++i) m.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m.begin();
    llvm::SmallVector<llvm::Value*, 16> arguments;
    for (int i = 0; i < pointers + integers; ++i) arguments.push_back(m.next_parameter());
    for (int c : constants) arguments.push_back(b.getInt32(static_cast<uint32_t>(c)));
    m.call(function, b.getVoidTy(), arguments);
    b.CreateRetVoid();
    target::KernelModule module = m.finish();
    module.local_size[0] = kItems;
    module.local_size[1] = module.local_size[2] = 1;
    module.resident_groups = kResidentGroups;
    return module;
  }
};

int ordering_of(DType t) {
  switch (kind_of(t)) {
    case DTypeKind::kInt:
      return 1;
    case DTypeKind::kFloat:
      return 2;
    case DTypeKind::kComplex:
      return 3;
    default:
      return 0;
  }
}

/// Runs the kernels of one sort.
class KernelSort {
 public:
  KernelSort(Value& value, const Operated& x, int64_t length, bool descending, bool indices)
      : value_(value),
        x_(x),
        length_(length),
        rows_(value.layout->size / length),
        bytes_(size_of(x.value->dtype)),
        tile_(kItems * run_of(bytes_)),
        ordering_(ordering_of(x.value->dtype)),
        descending_(descending),
        indices_(indices) {}

  void all() {
    const int64_t most = value_.queue.device().state()->facts().max_work_group_size;
    if (most < kItems)
      throw Error(ErrorKind::kUnsupported, indices_ ? "argsort" : "sort",
                  fmt::format("needs work-groups of {} work-items; {} has at most {}", kItems,
                              value_.queue.device().filter_string(), most));
    if (length_ <= tile_) return sort_rows();
    if (indices_ && length_ > int64_t{std::numeric_limits<uint32_t>::max()})
      throw Error(
          ErrorKind::kUnsupported, "argsort",
          fmt::format("a row has {} elements; on this device it can have 2^32 - 1", length_));
    sort_in_passes();
  }

 private:
  ReadyKernel find(const SortKernel& kernel) const {
    return find_kernel(
        value_.queue, kernel.key(), [&] { return kernel.emit(); },
        [&] { return std::string(indices_ ? "argsort" : "sort"); });
  }

  Event submit(KernelCall& call, const SortKernel& kernel, int64_t groups, int64_t bytes) const {
    return call.submit(value_.queue, find(kernel), NdRange(Range(groups * kItems), Range(kItems)),
                       bytes, rows_ * length_);
  }

  void read_operand(KernelCall& call) const {
    call.reads(*x_.value);
    call.shift(x_.offset * bytes_);
  }

  void sort_rows() {
    const int64_t together = std::min(rows_, tile_ / length_);
    const auto row_bits = static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(together - 1)));
    const SortKernel kernel{
        fmt::format("hither_sort_rows_{}", 8 * bytes_),
        2,
        4,
        {static_cast<int>(8 * bytes_ / kDigitBits), indices_, ordering_, descending_}};
    KernelCall call;
    call.writes(value_.memory);
    read_operand(call);
    for (int64_t v : {rows_, length_, together, divide_up(row_bits, kDigitBits)}) call.integer(v);
    value_.written = submit(call, kernel, divide_up(rows_, together),
                            rows_ * length_ * (bytes_ + size_of(value_.dtype)));
  }

  // Zeros: the digits' counts of every row and pass, each row's passes, and each pass's state.
  Event clear() {
    const int64_t words = state_begin() + passes() * state_words();
    work_ = Memory::for_work(value_.queue, static_cast<size_t>(words * count_bytes()),
                             UsmType::kDevice);
    const uint32_t zero = 0;
    const Event cleared = value_.queue.fill(work_.data(), &zero, sizeof zero,
                                            static_cast<size_t>(words * count_bytes() / 4));
    work_.release_after(cleared);
    return cleared;
  }

  void sort_in_passes() {
    Event last = plan(count(clear()));
    // The passes of a row store elements in turn in two memories. The result of a sort is one of
    // them, and the result of an argsort is one of those for indices.
    const int64_t elements = rows_ * length_, count = passes();
    const auto further = [&](int64_t bytes) {
      return Memory::for_work(value_.queue, static_cast<size_t>(elements * bytes),
                              UsmType::kDevice);
    };
    Memory kept[2], indices[2];  // without memory: not used
    if (!indices_) kept[0] = value_.memory;
    if (indices_ && count > 2) kept[0] = further(bytes_);
    if (count > 1) kept[1] = further(bytes_);
    if (indices_) indices[0] = value_.memory;
    if (indices_ && count > 1) indices[1] = further(4);
    for (int64_t p = 0; p < count; ++p) last = run(p, kept, indices, last);
    value_.written = last;
  }

  Event count(const Event& cleared) const {
    const int64_t pieces = divide_up(length_, kPiece);
    const SortKernel kernel{name_of("histogram"), 2, 2, {indices_, ordering_, descending_}};
    KernelCall call;
    call.reads(work_, cleared);
    read_operand(call);
    call.integer(length_);
    call.integer(kPiece);
    return submit(call, kernel, rows_ * pieces, rows_ * length_ * bytes_);
  }

  Event plan(const Event& counted) const {
    const SortKernel kernel{
        fmt::format("hither_sort_plan_u{}", 8 * count_bytes()), 2, 1, {static_cast<int>(passes())}};
    KernelCall call;
    call.reads(work_, counted);
    call.reads(work_, counted);
    call.shift(counts_words() * count_bytes());
    call.integer(length_);
    return submit(call, kernel, rows_ * passes(), 2 * counts_words() * count_bytes());
  }

  // Pointers that the kernel does not use are those of `work_`.
  Event run(int64_t pass, const Memory (&kept)[2], const Memory (&indices)[2],
            const Event& last) const {
    const SortKernel kernel{name_of("pass"), 8, 2, {indices_, ordering_, descending_}};
    KernelCall call;
    read_operand(call);
    for (const Memory* m : {&kept[0], &kept[1], &indices[0], &indices[1]})
      call.reads(m->bytes() > 0 ? *m : work_, last);
    for (const int64_t words : {int64_t{0}, counts_words(), state_begin() + pass * state_words()}) {
      call.reads(work_, last);
      call.shift(words * count_bytes());
    }
    call.integer(length_);
    call.integer(pass);
    const int64_t moved = 2 * bytes_ + (indices_ ? 8 : 0);
    return submit(call, kernel, rows_ * tiles(), rows_ * length_ * moved);
  }

  std::string name_of(const char* step) const {
    return fmt::format("hither_sort_{}_{}_u{}", step, 8 * bytes_, 8 * count_bytes());
  }
  int64_t passes() const { return 8 * bytes_ / kDigitBits; }
  int64_t tiles() const { return divide_up(length_, tile_); }
  int64_t count_bytes() const { return length_ < kMostCounted ? 4 : 8; }
  int64_t counts_words() const { return rows_ * passes() * kDigits; }
  int64_t state_begin() const { return counts_words() + rows_; }
  int64_t state_words() const { return (1 + rows_ * tiles()) * kDigits; }

  Value& value_;
  const Operated& x_;
  const int64_t length_, rows_, bytes_, tile_;
  const int ordering_, descending_, indices_;
  Memory work_;
};

}  // namespace

void sort_by_kernels(Value& value, const Operated& x, int64_t length, bool descending,
                     bool indices) {
  KernelSort(value, x, length, descending, indices).all();
}

}  // namespace hither::array
