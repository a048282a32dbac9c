// Arrays, and descriptions of them (hither_view).
#include <algorithm>

#include <fmt/format.h>
#include <hither/strides.h>

#include "python/c_api/handles.h"

namespace hither::python::c_api {
namespace {

Dims shape_of(int32_t ndim, const int64_t* shape) {
  Dims dims = dims_of(ndim, shape, "shape");
  element_count(dims);
  return dims;
}

/// C order if `strides` is null.
Dims strides_of(const Dims& shape, const int64_t* strides, int64_t step) {
  return strides ? dims_of(shape.size(), strides, "strides") : contiguous_strides(shape, step);
}

Array array_over(const Memory& memory, int64_t offset, DType dtype, const Dims& shape,
                 const Dims& strides, const Queue& queue, bool read_only) {
  Array x = from_memory(memory, offset, shape, strides, dtype, queue, read_only);
  const auto address = reinterpret_cast<uintptr_t>(memory.data()) + static_cast<uint64_t>(offset);
  if (x.size() > 0 && address % static_cast<uintptr_t>(std::min(size_of(dtype), 8)) != 0)
    throw Error(ErrorKind::kValue, "array_from_memory",
                fmt::format("offset_bytes {} gives an address that is not aligned for {}", offset,
                            name_of(dtype)));
  return x;
}

/// The view that `out` gets, without an address. It is checked before the array escapes.
hither_view view_for(const hither_view* out, const Array& x) {
  if (!out) refuse_null("the output pointer");
  return describe(x);
}

void fill_new_arrays(hither_table& t) {
  t.array_empty = [](const hither_queue* queue, hither_dtype dtype, int32_t ndim,
                     const int64_t* shape, hither_usm_type type, hither_array** out) {
    return status_of([&] {
      give(out, empty(shape_of(ndim, shape), dtype_of(dtype), {of(queue), usm_type_of(type)}));
    });
  };
  t.array_from_memory = [](const hither_memory* memory, int64_t offset_bytes, hither_dtype dtype,
                           int32_t ndim, const int64_t* shape, const int64_t* strides,
                           const hither_queue* queue, int32_t read_only, hither_array** out) {
    return status_of([&] {
      const Dims dims = shape_of(ndim, shape);
      give(out, array_over(of(memory), offset_bytes, dtype_of(dtype), dims,
                           strides_of(dims, strides, 1), of(queue), read_only != 0));
    });
  };
  t.array_from_host = [](const void* data, hither_dtype dtype, int32_t ndim, const int64_t* shape,
                         const int64_t* strides, const hither_queue* queue, hither_usm_type type,
                         hither_array** out) {
    return status_of([&] {
      const DType element = dtype_of(dtype);
      const Dims dims = shape_of(ndim, shape);
      if (!data && element_count(dims) > 0) refuse_null("data");
      give(out, from_host(data, dims, strides_of(dims, strides, size_of(element)), element,
                          {of(queue), usm_type_of(type)}));
    });
  };
  t.array_to_host = [](const hither_array* array, void* out) {
    return status_of([&] {
      if (!out && of(array).size() > 0) refuse_null("the output pointer");
      to_host(of(array), out);
    });
  };
  t.array_share = share<hither_array>;
  t.array_release = release<hither_array>;
}

void fill_derived_arrays(hither_table& t) {
  t.array_astype = [](const hither_array* array, hither_dtype dtype, hither_array** out) {
    return status_of([&] { give(out, astype(of(array), dtype_of(dtype), false)); });
  };
  t.array_to_queue = [](const hither_array* array, const hither_queue* queue, hither_usm_type type,
                        hither_array** out) {
    return status_of([&] { give(out, to_queue(of(array), {of(queue), usm_type_of(type)})); });
  };
  t.array_copy = [](const hither_array* array, hither_array** out) {
    return status_of([&] { give(out, copy(of(array))); });
  };
  t.array_strided = [](const hither_array* array, int32_t ndim, const int64_t* shape,
                       const int64_t* strides, int64_t offset, hither_array** out) {
    return status_of([&] {
      const Dims dims = shape_of(ndim, shape);
      give(out, strided_view(of(array), dims, strides_of(dims, strides, 1), offset));
    });
  };
  t.array_assign = [](const hither_array* to, const hither_array* from) {
    return status_of([&] { assign(of(to), of(from)); });
  };
}

void fill_views(hither_table& t) {
  t.array_describe = [](const hither_array* array, hither_view* out) {
    return status_of([&] { *out = view_for(out, of(array)); });
  };
  t.array_view = [](const hither_array* array, hither_view* out, hither_event** event) {
    return status_of([&] {
      const Array& x = of(array);
      hither_view view = view_for(out, x);
      view.data = x.data();
      if (event) {
        const Event computed = x.evaluate();
        give(event, x.queue().submit_barrier(std::span(&computed, 1)));  // readers too
      }
      *out = view;
    });
  };
  t.array_host_view = [](const hither_array* array, hither_view* out) {
    return status_of([&] {
      hither_view view = view_for(out, of(array));
      view.data = of(array).host_data();
      *out = view;
    });
  };
  t.array_queue = [](const hither_array* array, hither_queue** out) {
    return status_of([&] { give(out, of(array).queue()); });
  };
  t.array_evaluate = [](const hither_array* array, hither_event** event) {
    return status_of([&] { offer(event, of(array).evaluate()); });
  };
  t.array_synchronize = [](const hither_array* array) {
    return status_of([&] { of(array).synchronize(); });
  };
}

}  // namespace

hither_view describe(const Array& x) {
  require_room(x.ndim());
  hither_view view{};
  view.size = x.size();
  view.itemsize = x.itemsize();
  std::ranges::copy(x.shape(), view.shape);
  std::ranges::copy(x.strides(), view.strides);
  view.ndim = x.ndim();
  view.dtype = static_cast<hither_dtype>(x.dtype());
  view.usm_type = static_cast<hither_usm_type>(x.usm_type());
  view.read_only = x.is_read_only();
  view.c_contiguous = x.is_c_contiguous();
  return view;
}

void fill_arrays(hither_table& t) {
  fill_new_arrays(t);
  fill_derived_arrays(t);
  fill_views(t);
}

}  // namespace hither::python::c_api
