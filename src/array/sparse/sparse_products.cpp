// Products of sparse matrices in rows.
#include <array>

#include <fmt/format.h>
#include <hither/ops.h>
#include <hither/sparse.h>

#include "array/emit/combine.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/record/work_recorder.h"
#include "array/row_function.h"
#include "runtime/device_state.h"
#include "runtime/profile.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"
#include "runtime/sparse_library.h"

namespace hither {

using namespace array;

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

/// Emits what both kernels compute: sums of products, from integers that say which.
struct ProductEmitter {
  llvm::IRBuilder<>& b;
  const DType compute;
  ElementEmitter e{b, 1};
  const Combiner combiner{{compute == DType::kBool ? Reduction::kAny : Reduction::kSum, compute}};

  Ir* integer(DType t, Ir* base, Ir* i) { return e.cast(e.load(t, base, i), t, DType::kInt64).re; }
  Element element(DType t, Ir* base, Ir* i) { return e.cast(e.load(t, base, i), t, compute); }
  Element zero() { return combiner.identity(e, nullptr).value; }
  Element add(const Element& sum, const Element& x1, const Element& x2) {
    const Element pair[] = {x1, x2};
    return combiner.in_order(b, e, {sum}, {e.apply(Op::multiply, compute, pair)}).value;
  }
};

/// Everything that the code depends on.
struct SparseProductKernel {
  DType data, index, bound, x;  ///< as they are read
  DType stored, compute;
  bool vector;  ///< x is a vector

  std::string key() const {
    std::string k = "p1";
    for (DType t : {data, index, bound, x, stored, compute}) k.push_back(static_cast<char>(t));
    k.push_back(static_cast<char>(vector));
    return k;
  }

  // Parameters: result, begins, ends, data, indices, x, number of columns of x.
  target::KernelModule emit() const {
    ModuleBuilder m("hither_sparse_product");
    for (int i = 0; i < 6; ++i) m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m.begin();
    Ir* pointers[6];
    for (Ir*& p : pointers) p = m.next_parameter();
    const auto [result, begins, ends, elements, indices, factors] = pointers;
    Ir* columns = m.next_parameter();
    Ir* row = m.global_id(0);
    Ir* column = vector ? nullptr : m.global_id(1);
    const auto at = [&](Ir* i) {
      return vector ? i : b.CreateNSWAdd(b.CreateNSWMul(i, columns), column);
    };
    ProductEmitter p{b, compute};
    const auto values_of = [](const Element& x) {
      return x.im ? Values{x.re, x.im} : Values{x.re};
    };
    const auto element_of = [](const Values& v) {
      return Element{v[0], v.size() > 1 ? v[1] : nullptr};
    };
    const Values total =
        emit_loop(b, p.integer(bound, begins, row), p.integer(bound, ends, row), b.getInt64(1),
                  values_of(p.zero()), [&](Ir* k, const Values& v) {
                    Ir* place = at(p.integer(index, indices, k));
                    return values_of(p.add(element_of(v), p.element(data, elements, k),
                                           p.element(x, factors, place)));
                  });
    p.e.store(stored, p.e.cast(element_of(total), compute, stored), result, at(row));
    b.CreateRetVoid();
    target::KernelModule module = m.finish();
    module.independent_items = true;
    return module;
  }
};

/// Everything that the code depends on.
struct SparseSumsKernel {
  DType index, a, b, stored, compute;

  std::string key() const {
    std::string k = "p2";
    for (DType t : {index, a, b, stored, compute}) k.push_back(static_cast<char>(t));
    return k;
  }

  // Parameters: result, the structure, elements of both matrices.
  target::KernelModule emit() const {
    ModuleBuilder m("hither_sparse_sums");
    for (int i = 0; i < 10; ++i) m.parameter(target::Parameter::kPointer);
    llvm::IRBuilder<>& builder = m.begin();
    Ir* pointers[10];
    for (Ir*& p : pointers) p = m.next_parameter();
    const auto [result, ends, firsts, a_rows, a_columns, b_rows, b_columns, places, a_data,
                b_data] = pointers;
    Ir* row = m.global_id(0);
    Ir* one = builder.getInt64(1);
    ProductEmitter p{builder, compute};
    const auto integer = [&](Ir* base, Ir* i) { return p.integer(index, base, i); };
    const auto next = [&](Ir* i) { return builder.CreateNSWAdd(i, one); };
    const Element zero = p.e.cast(p.zero(), compute, stored);
    emit_loop(builder, integer(ends, row), integer(ends, next(row)), one, {},
              [&](Ir* i, const Values&) {
                p.e.store(stored, zero, result, i);
                return Values{};
              });
    emit_loop(builder, integer(a_rows, row), integer(a_rows, next(row)), one,
              {integer(firsts, row)}, [&](Ir* k, const Values& first) {
                const Element x = p.element(a, a_data, k);
                Ir* of_b = integer(a_columns, k);
                return emit_loop(
                    builder, integer(b_rows, of_b), integer(b_rows, next(of_b)), one, first,
                    [&](Ir* t, const Values& number) {
                      Ir* place = integer(places, number[0]);
                      const Element y = p.element(b, b_data, t);
                      const Element total = p.add(p.element(stored, result, place), x, y);
                      p.e.store(stored, p.e.cast(total, compute, stored), result, place);
                      return Values{next(number[0])};
                    });
              });
    builder.CreateRetVoid();
    return m.finish();
  }
};

/// Multiplies the rows of a sparse matrix by a vector or a matrix. inputs[0] has the elements,
/// inputs[1] their columns, and inputs[2] is x. The elements of row r are those from begins[r] to
/// ends[r]. One item computes one element of the result.
class SparseProductRecipe final : public Recipe {
 public:
  /// Row r is described by elements r of `begins` and `ends`, which are in memory, in C order and
  /// of one dtype. `size` is the number of elements of inputs[0], `x_size` that of x.
  SparseProductRecipe(Operated begins, Operated ends, int64_t size, int64_t x_size)
      : begins_(std::move(begins)), ends_(std::move(ends)), size_(size), x_size_(x_size) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int input) const noexcept override {
    return input == 2 ? x_size_ : size_;
  }
  std::string describe(const Value&) const override { return "sparse_product"; }

  void launch(Value& value, std::span<const Operated> operands) const override {
    for (const Operated* bound : {&begins_, &ends_}) require_ready(*bound->value);
    const Dims& shape = value.shape();
    const SparseProductKernel kernel{
        value.inputs[0].dtype, value.inputs[1].dtype, begins_.value->dtype, value.inputs[2].dtype,
        value.dtype,           value.compute,         shape.size() == 1};
    allocate(value);
    KernelCall call;
    call.writes(value.memory);
    for (const Operated* bound : {&begins_, &ends_}) call.reads(*bound, kernel.bound);
    for (int i = 0; i < 3; ++i) call.reads(operands[static_cast<size_t>(i)], value.inputs[i].dtype);
    const int64_t columns = kernel.vector ? 1 : shape[1];
    call.integer(columns);
    const ReadyKernel ready = find_kernel(
        value.queue, kernel.key(), [&] { return kernel.emit(); },
        [] { return std::string("sparse_product"); });
    const int64_t bytes = shape[0] * 2 * size_of(kernel.bound) +
                          size_ * (size_of(kernel.data) + size_of(kernel.index)) +
                          x_size_ * size_of(kernel.x) + value.layout->size * size_of(kernel.stored);
    const NdRange range = kernel.vector ? Range(shape[0]) : Range(shape[0], columns);
    value.written = call.submit(value.queue, ready, range, bytes, size_ * columns);
  }

 private:
  Operated begins_, ends_;
  int64_t size_, x_size_;
};

/// The same product by the device's library. The elements of row r are those from pointers[r] to
/// pointers[r + 1]. All elements have the dtype of the result.
class LibraryProductRecipe final : public Recipe {
 public:
  LibraryProductRecipe(Operated pointers, runtime::SparseProduct call)
      : pointers_(std::move(pointers)), call_(call) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int input) const noexcept override {
    return input == 2 ? call_.columns : call_.size;
  }
  std::string describe(const Value&) const override { return "sparse_product"; }

  void launch(Value& value, std::span<const Operated> operands) const override {
    require_ready(*pointers_.value);
    const runtime::SparseLibrary& library = *value.queue.device().state()->driver->sparse_library();
    runtime::QueueInterop& interop = runtime::interop_of(*value.queue.state()->driver);
    allocate(value);
    std::vector<Event> depends;
    const auto read = [&](const Operated& x, DType t) {
      if (Event last = x.value->written; last.state()) depends.push_back(std::move(last));
      return address_of(*x.value) + x.offset * size_of(t);
    };
    runtime::SparseProduct call = call_;
    call.data = read(operands[0], call.dtype);
    call.indices = read(operands[1], call.index);
    call.x = read(operands[2], call.dtype);
    call.pointers = read(pointers_, call.index);
    call.y = value.memory.data();
    wait_first(value.queue, depends);
    const auto current = interop.make_current();
    Memory workspace;
    if (const size_t bytes = library.workspace_bytes(call, interop.native_queue())) {
      workspace = Memory::for_work(value.queue, bytes, UsmType::kDevice);
      call.workspace = workspace.data();
    }
    value.written = runtime::profiled(
        value.queue, {profiling::Kind::kLibrary, "sparse_product", value.layout->size, bytes_of()},
        [&] {
          return interop.submit_native(
              [&library, call](void* stream) { library.multiply(call, stream); }, depends);
        });
    if (workspace) workspace.release_after(value.written);
    for (const Operated* x : {&operands[0], &operands[1], &operands[2], &pointers_})
      note_read(*x->value, value.written);
  }

 private:
  int64_t bytes_of() const noexcept {
    const int64_t item = size_of(call_.dtype), index = size_of(call_.index);
    return call_.size * (item + index) + call_.rows * (item + index) + call_.columns * item;
  }

  Operated pointers_;
  runtime::SparseProduct call_;  ///< without addresses
};

/// Adds products of elements of inputs[0] and inputs[1] in elements of the result. One item has a
/// row; the products of a row are in the order of both matrices' elements.
class SparseSumsRecipe final : public Recipe {
 public:
  /// The structure's vectors are in memory, in C order and of one dtype: see sparse.h. `sizes` are
  /// those of the inputs.
  using Structure = std::array<Operated, 7>;
  SparseSumsRecipe(Structure structure, int64_t rows, std::array<int64_t, 2> sizes)
      : structure_(std::move(structure)), rows_(rows), sizes_(sizes) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int input) const noexcept override {
    return sizes_[static_cast<size_t>(input)];
  }
  std::string describe(const Value&) const override { return "sparse_sums"; }

  void launch(Value& value, std::span<const Operated> operands) const override {
    for (const Operated& operand : structure_) require_ready(*operand.value);
    const SparseSumsKernel kernel{structure_[0].value->dtype, value.inputs[0].dtype,
                                  value.inputs[1].dtype, value.dtype, value.compute};
    const ReadyKernel ready = find_kernel(
        value.queue, kernel.key(), [&] { return kernel.emit(); },
        [] { return std::string("sparse_sums"); });
    allocate(value);
    KernelCall call;
    call.writes(value.memory);
    for (const Operated& operand : structure_) call.reads(operand, kernel.index);
    call.reads(operands[0], kernel.a);
    call.reads(operands[1], kernel.b);
    const int64_t count = structure_[6].value->layout->size;
    value.written =
        call.submit(value.queue, ready, Range(rows_), count * size_of(kernel.index), count);
  }

 private:
  Structure structure_;
  int64_t rows_;
  std::array<int64_t, 2> sizes_;
};

bool is_index(DType t) { return t == DType::kInt32 || t == DType::kInt64; }

void check(const Array& data, const Array& indices, const Array& begins, const Array& ends,
           const Array& x) {
  if (data.ndim() != 1 || !(data.shape() == indices.shape()) || begins.ndim() != 1 ||
      !(begins.shape() == ends.shape()) || (x.ndim() != 1 && x.ndim() != 2))
    throw Error(
        ErrorKind::kValue, "sparse_product",
        fmt::format("data has shape {}, the indices {}, the begins {}, the ends {}, x {}; "
                    "x is a vector or a matrix, and the others are vectors in pairs of "
                    "equal length",
                    shape_text(data.shape()), shape_text(indices.shape()),
                    shape_text(begins.shape()), shape_text(ends.shape()), shape_text(x.shape())));
  if (!is_index(indices.dtype()) || !is_index(begins.dtype()) || begins.dtype() != ends.dtype())
    throw Error(
        ErrorKind::kType, "sparse_product",
        fmt::format("the indices are {}, the begins {}, the ends {}; they are int32 or "
                    "int64, and the begins and ends have one dtype",
                    name_of(indices.dtype()), name_of(begins.dtype()), name_of(ends.dtype())));
}

}  // namespace

Array sparse_product(const Array& data, const Array& indices, const Array& begins,
                     const Array& ends, const Array& x, DType dtype, const Queue* queue) {
  check(data, indices, begins, ends, x);
  const Placed placed =
      place_arrays("sparse_product", {&data, &indices, &begins, &ends, &x}, queue);
  Dims shape = x.shape();
  shape[0] = begins.size();
  if (shape.product() == 0 || data.size() == 0 || x.size() == 0)
    return full(shape, Scalar(0), dtype, {placed.queue, placed.usm_type});
  const DType compute = wide_dtype(dtype);
  bool escaped = false;
  auto recipe = std::make_unique<SparseProductRecipe>(submitted(begins, placed.queue, escaped),
                                                      submitted(ends, placed.queue, escaped),
                                                      data.size(), x.size());
  const Array operands[] = {data, indices, x};
  return finish_recipe(shape, dtype, compute, {placed.queue, placed.usm_type}, operands,
                       std::move(recipe), escaped);
}

namespace {

/// The product as a step of a recording, which would not keep the recipe's pointers and workspace.
class LibraryProductCall final : public RecordedCall {
 public:
  LibraryProductCall(DType dtype, Queue queue) : dtype_(dtype), queue_(std::move(queue)) {}

  bool run(std::span<const Array> operands, std::span<const Scalar>,
           std::vector<Array>& results) const override {
    auto made =
        library_sparse_product(operands[0], operands[1], operands[2], operands[3], dtype_, &queue_);
    if (made) results.push_back(std::move(*made));
    return made.has_value();
  }
  std::string describe() const override { return "sparse_product"; }

 private:
  const DType dtype_;
  const Queue queue_;
};

}  // namespace

std::optional<Array> library_sparse_product(const Array& data, const Array& indices,
                                            const Array& pointers, const Array& x, DType dtype,
                                            const Queue* queue) {
  check(data, indices, pointers, pointers, x);
  const Placed placed = place_arrays("sparse_product", {&data, &indices, &pointers, &x}, queue);
  runtime::SparseProduct call;
  call.dtype = dtype;
  call.index = indices.dtype();
  call.rows = pointers.size() - 1;
  call.columns = x.size();
  call.size = data.size();
  if (x.ndim() != 1 || call.rows <= 0 || call.size == 0 || x.size() == 0 ||
      pointers.dtype() != call.index)
    return std::nullopt;
  const auto* const library = placed.queue.device().state()->driver->sparse_library();
  if (!library || !library->takes(call)) return std::nullopt;
  if (!Recorder::is_refused()) {
    const Array all[] = {data, indices, pointers, x};
    const auto made =
        Recorder::call(std::make_shared<LibraryProductCall>(dtype, placed.queue), all);
    return made->front();
  }
  bool escaped = false;
  auto recipe =
      std::make_unique<LibraryProductRecipe>(submitted(pointers, placed.queue, escaped), call);
  const Array operands[] = {astype(data, dtype, false), indices, astype(x, dtype, false)};
  return finish_recipe({call.rows}, dtype, dtype, {placed.queue, placed.usm_type}, operands,
                       std::move(recipe), escaped);
}

Array sparse_sums(const Array& a, const Array& b, std::span<const Array* const> structure,
                  int64_t size, DType dtype, const Queue* queue) {
  const DType index = structure.empty() ? DType::kBool : structure[0]->dtype();
  bool right = structure.size() == 7 && is_index(index);
  for (const Array* x : structure) right = right && x->dtype() == index && x->ndim() == 1;
  if (!right || a.ndim() != 1 || b.ndim() != 1)
    throw Error(ErrorKind::kType, "sparse_sums",
                "takes two vectors of elements, and seven vectors of int32, or of int64");
  const Placed placed = place_arrays("sparse_sums", {&a, &b, structure[0]}, queue);
  const int64_t rows = structure[0]->size() - 1;
  if (size == 0 || rows <= 0 || a.size() == 0 || b.size() == 0)
    return full({size}, Scalar(0), dtype, {placed.queue, placed.usm_type});
  const DType compute = wide_dtype(dtype);
  bool escaped = false;
  SparseSumsRecipe::Structure held;
  for (size_t k = 0; k < held.size(); ++k)
    held[k] = submitted(*structure[k], placed.queue, escaped);
  auto recipe = std::make_unique<SparseSumsRecipe>(std::move(held), rows,
                                                   std::array<int64_t, 2>{a.size(), b.size()});
  const Array operands[] = {a, b};
  return finish_recipe({size}, dtype, compute, {placed.queue, placed.usm_type}, operands,
                       std::move(recipe), escaped);
}

}  // namespace hither
