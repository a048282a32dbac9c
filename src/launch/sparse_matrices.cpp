// Products of two sparse matrices by a library, which says in between how many elements they have.
#include <vector>

#include <fmt/format.h>
#include <hither/array.h>
#include <hither/memory.h>
#include <hither/sparse.h>
#include <hither/stream.h>

#include "array/placed.h"
#include "process/before_blocking.h"
#include "runtime/device_state.h"
#include "runtime/sparse_library.h"

namespace hither {
namespace {

Array dense(const Array& x) { return x.is_c_contiguous() ? x : copy(x); }

void check(const SparseRows& rows, DType dtype) {
  if (rows.data.dtype() != dtype || rows.indices.dtype() != DType::kInt32 ||
      rows.pointers.dtype() != DType::kInt32)
    throw Error(ErrorKind::kType, "sparse_matrices",
                fmt::format("the elements are {} and {}, the indices {} and {}; both matrices have "
                            "elements of one dtype, and int32 indices",
                            name_of(dtype), name_of(rows.data.dtype()),
                            name_of(rows.indices.dtype()), name_of(rows.pointers.dtype())));
}

}  // namespace

std::optional<SparseRows> library_sparse_matrices(const SparseRows& a, const SparseRows& b,
                                                  const Queue* given) {
  const DType dtype = a.data.dtype();
  for (const SparseRows* rows : {&a, &b}) check(*rows, dtype);
  const array::Placed placed = array::place_arrays(
      "sparse_matrices", {&a.data, &a.indices, &a.pointers, &b.data, &b.indices, &b.pointers},
      given);
  const Queue& queue = placed.queue;
  const auto* const library = queue.device().state()->driver->sparse_library();
  if (!library || !library->takes_matrices(dtype)) return std::nullopt;

  const Allocate place{queue, placed.usm_type};
  const auto indices = [&](int64_t size) { return empty({size}, DType::kInt32, place); };
  SparseRows c{empty({0}, dtype, place), indices(0), indices(a.pointers.size()), b.columns};
  StreamWork work(queue,
                  std::vector{dense(a.data), dense(a.indices), dense(a.pointers), dense(b.data),
                              dense(b.indices), dense(b.pointers)},
                  std::vector{c.pointers});
  std::optional<StreamWork> elements;
  std::vector<Memory> workspaces;
  runtime::SparseMatrices call;
  call.dtype = dtype;
  const auto& at = work.addresses();
  call.a = {a.pointers.size() - 1, a.columns, a.data.size(), at[0], at[1], at[2]};
  call.b = {b.pointers.size() - 1, b.columns, b.data.size(), at[3], at[4], at[5]};
  call.pointers = at[6];
  call.workspace = [&](size_t bytes) {
    return workspaces.emplace_back(Memory::for_work(queue, bytes, UsmType::kDevice)).data();
  };
  call.result = [&](int64_t size) {
    c.data = empty({size}, dtype, place);
    c.indices = indices(size);
    elements.emplace(queue, std::vector<Array>{}, std::vector{c.data, c.indices});
    return runtime::SparseMatrices::Elements{elements->addresses()[0], elements->addresses()[1]};
  };
  const auto finish = [&] {
    const Event end = work.end();
    for (const Memory& memory : workspaces) memory.release_after(end);
  };
  process::before_blocking();
  try {
    library->multiply(call, work.stream());
    elements->end();
  } catch (const Error& error) {
    finish();
    if (error.kind() == ErrorKind::kMemory) return std::nullopt;  // other ways need less
    throw;
  }
  finish();
  return c;
}

}  // namespace hither
