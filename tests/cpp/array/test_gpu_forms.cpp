// The kernels for GPUs, on the CPU. The items of a group are run by several threads, which wait for
// each other at barriers.
#include "array/plan/gpu_forms.h"

#include <array>
#include <functional>

#include <doctest/doctest.h>
#include <hither/index.h>
#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/sort.h>

using namespace hither;
using namespace hither::array;

namespace {

constexpr DType kDtypes[] = {DType::kBool,    DType::kInt8,      DType::kFloat16,   DType::kFloat32,
                             DType::kFloat64, DType::kComplex64, DType::kComplex128};

/// Numbers without a pattern of powers of two.
Array numbers(const Queue& queue, const Dims& shape, DType dtype, int64_t below = 101) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  Array x = reshape(astype(remainder(n * 7919, below), dtype), shape);
  x.synchronize();
  return x;
}

bool same(const Array& x, const Array& y) {
  if (!(x.shape() == y.shape())) return false;
  bool all = false;
  reduce(Reduction::kAll, x == y, {}, nullptr).item(&all);
  return all;
}

/// Whether `call` gives the same results with kernels for GPUs and with kernels for CPUs.
bool agree(const std::function<Array()>& call) {
  Array on_gpu;
  {
    const GpuForms forms;
    on_gpu = call();
    on_gpu.synchronize();
  }
  return same(on_gpu, call());
}

Array turned(const Array& x) {
  Dims order;
  for (int d = x.ndim() - 1; d >= 0; --d) order.push_back(d);
  return permute_dims(x, order);
}

}  // namespace

TEST_CASE("groups and items transpose squares alike") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kBool, DType::kFloat16, DType::kFloat32, DType::kComplex128})
    for (const Dims& shape :
         {Dims{33, 40}, Dims{100, 31}, Dims{64, 64}, Dims{130, 200}, Dims{70, 3, 33}}) {
      CAPTURE(name_of(t));
      CAPTURE(shape.product());
      const Array x = numbers(queue, shape, t), y = numbers(queue, turned(x).shape(), t);
      const Array row = strided_view(y, Dims{y.shape().back()}, Dims{1}, 0);
      CHECK(agree([&] { return turned(x) == y; }));
      CHECK(agree([&] { return copy(turned(x)); }));
      CHECK(agree([&] { return (turned(x) == row) == (turned(x) == y); }));
      CHECK(agree([&] {  // into existing memory, with another output
        const Array part = full(y.shape(), Scalar(0), t, {queue, UsmType::kDevice});
        Dims fewer = y.shape();
        fewer.back() -= 1;
        const auto cut = [&](const Array& a) { return strided_view(a, fewer, a.strides(), 0); };
        const Array named = cut(turned(x)) == cut(y);
        assign(cut(part), where(named, cut(y), cut(turned(x))));
        return part;
      }));
    }
}

TEST_CASE("shifted views of one array") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kInt8, DType::kFloat16, DType::kFloat32, DType::kComplex128})
    for (int64_t size : {1, 7, 1000}) {
      CAPTURE(name_of(t));
      CAPTURE(size);
      const Array x = numbers(queue, Dims{size + 100}, t), y = numbers(queue, Dims{size + 100}, t);
      const auto part = [&](const Array& a, int64_t from) {
        return strided_view(a, Dims{size}, Dims{1}, from);
      };
      CHECK(agree([&] { return part(x, 2) == part(x, 0); }));
      CHECK(agree([&] { return (part(x, 0) == part(x, 40)) == (part(x, 100) == part(y, 40)); }));
      CHECK(agree([&] {  // into the middle of memory, which the expression reads too
        const Array z = copy(x);
        assign(part(z, 1), where(part(z, 0) == part(z, 2), part(y, 3), part(y, 1)));
        return z;
      }));
    }
}

TEST_CASE("ranges that exceed a GPU's limit in a dimension use a single dimension") {
  const Queue queue("native_cpu");
  const Array x = numbers(queue, {300'000, 2, 4}, DType::kInt32);
  const auto other_way = [](const Array& a) {
    return strided_view(a, a.shape(), Dims{a.strides()[0], -a.strides()[1], -a.strides()[2]},
                        a.strides()[0] - 1);
  };
  CHECK(agree([&] { return other_way(x) + x; }));
  const Array flat = numbers(queue, {1'100'000, 4}, DType::kInt8);
  CHECK(agree([&] {
    return strided_view(flat, {1'100'000, 2}, {4, 2}, 0) +
           strided_view(flat, {1'100'000, 2}, {4, -1}, 3);
  }));
}

TEST_CASE("gathers and scatters with one element per item") {
  const Queue queue("native_cpu");
  for (DType t : kDtypes)
    for (const Dims& shape : {Dims{1000}, Dims{70, 9}, Dims{7, 30, 5}, Dims{3, 40, 4, 6},
                              Dims{20, 132}, Dims{11, 20, 2, 64}})
      for (int axis = 0; axis < shape.size(); ++axis) {
        CAPTURE(name_of(t));
        CAPTURE(shape.product());
        CAPTURE(axis);
        const Array x = numbers(queue, shape, t);
        const Array index = numbers(queue, {90}, DType::kInt64, shape[axis]) - shape[axis] / 2;
        CHECK(agree([&] { return take(x, index, axis); }));
        CHECK(agree([&] { return take(turned(x), index, shape.size() - 1 - axis); }));
        const Array values = numbers(queue, take(x, index, axis).shape(), t, 97);
        CHECK(agree([&] {  // places occur several times: the last one wins
          const Array to = copy(x);
          scatter(to, std::span(&index, 1), axis, values);
          return to;
        }));
        CHECK(agree([&] {
          const Array to = copy(x);
          scatter(to, std::span(&index, 1), axis, Scalar(1));
          return to;
        }));
      }
  const Array x = numbers(queue, {60, 50}, DType::kInt32);
  const Array indices[] = {numbers(queue, {5000}, DType::kInt64, 30),
                           numbers(queue, {5000}, DType::kInt64, 25)};
  CHECK(agree([&] {  // both axes of a reversed view
    const Array to = copy(x);
    scatter(strided_view(to, {30, 25}, {-100, 2}, 59 * 50), indices, 0,
            iota(5000, 0, 1, DType::kInt32, {queue, UsmType::kDevice}));
    return to;
  }));
}

TEST_CASE("kernels that check their indices") {
  const Queue queue("native_cpu");
  constexpr int64_t kMany = 1'100'000;  // so many indices are checked by the kernel that reads
  const Array x = numbers(queue, {70, 9}, DType::kFloat32);
  for (DType t : {DType::kInt8, DType::kUInt16, DType::kInt32, DType::kInt64, DType::kUInt64}) {
    CAPTURE(name_of(t));
    for (int axis = 0; axis < 2; ++axis) {
      const Array index = numbers(queue, {kMany}, t, x.shape()[axis]);
      CHECK(agree([&] { return take(x, index, axis); }));
      CHECK(agree([&] { return take(turned(x), index, 1 - axis); }));
      CHECK(agree([&] { return take(x, strided_view(index, {kMany - 7}, {1}, 7), axis); }));
      CHECK(agree(
          [&] { return take(strided_view(x, {9, 9}, {0, 1}, 3), remainder(index, 9), axis); }));
      const Array wrong = copy(index);
      assign(strided_view(wrong, {1}, {1}, kMany - 3), Scalar(x.shape()[axis]));
      const GpuForms forms;
      CHECK_THROWS_WITH_AS(take(x, wrong, axis), doctest::Contains("out of bounds"), Error);
    }
    const Array index = numbers(queue, {70, 16000}, t, 9);
    CHECK(agree([&] { return take_along_axis(x, index, 1); }));
    CHECK(agree([&] { return take_along_axis(turned(x), turned(index), 0); }));
    CHECK(agree([&] { return take_along_axis(strided_view(x, {70, 9}, {9, -1}, 8), index, -1); }));
    const Array wrong = copy(index);
    assign(strided_view(wrong, {1}, {1}, 5), Scalar(100));
    const GpuForms forms;
    CHECK_THROWS_WITH_AS(take_along_axis(x, wrong, 1), doctest::Contains("index 100"), Error);
  }
  const Array negative = numbers(queue, {kMany}, DType::kInt16, 140) - 70;
  CHECK(agree([&] { return take(x, negative, 0); }));
}

TEST_CASE("scatters of narrow elements in which the last index wins") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kBool, DType::kInt8, DType::kFloat16, DType::kUInt16, DType::kFloat32,
                  DType::kInt32, DType::kFloat64})
    for (const int64_t slots : {int64_t{1}, int64_t{100}, int64_t{5000}, int64_t{40000}}) {
      CAPTURE(name_of(t));
      CAPTURE(slots);
      const Array x = numbers(queue, {slots}, t);
      const Array index = numbers(queue, {10000}, DType::kInt64, slots);
      const Array values = numbers(queue, {10000}, t, 113);
      CHECK(agree([&] {
        const Array to = copy(x);
        scatter(to, std::span(&index, 1), 0, values);
        return to;
      }));
      CHECK(agree([&] {  // every third element, from the end
        const Array to = full({3 * slots}, Scalar(1), t, {queue, UsmType::kDevice});
        scatter(strided_view(to, {slots}, {-3}, 3 * slots - 1), std::span(&index, 1), 0, values);
        return to;
      }));
    }
}

TEST_CASE("more indices than a GPU has in one dimension") {
  const Queue queue("native_cpu");
  const Array x = numbers(queue, {50, 3}, DType::kFloat32);
  const Array index = numbers(queue, {1'100'000}, DType::kInt64, 50);
  CHECK(agree([&] { return take(x, index, 0); }));
  const Array tall = numbers(queue, {270'000, 3}, DType::kFloat32);
  const Array columns = numbers(queue, {2}, DType::kInt64, 3);
  CHECK(agree([&] { return take(tall, columns, 1); }));
  const Array rows = numbers(queue, {3, 128}, DType::kInt8);
  CHECK(agree(
      [&] { return take(strided_view(rows, {270'000, 3, 128}, {0, 128, 1}, 0), columns, 1); }));
  CHECK(agree([&] {
    const Array to = copy(tall);
    scatter(to, std::span(&columns, 1), 1, Scalar(5));
    return to;
  }));
}

TEST_CASE("indices are checked while elements are read") {
  const Queue queue("native_cpu");
  for (const Dims& shape : {Dims{90}, Dims{90, 5}, Dims{90, 130}}) {
    const Array x = numbers(queue, shape, DType::kFloat32);
    for (DType t : {DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32, DType::kUInt32,
                    DType::kInt64, DType::kUInt64})
      for (int64_t count : {1, 7, 8, 9, 3001}) {
        CAPTURE(name_of(t));
        CAPTURE(count);
        const Array index = numbers(queue, {count}, t, 90);
        CHECK(agree([&] { return take(x, index, 0); }));
        const Array every_other = strided_view(index, {(count + 1) / 2}, {2}, 0);
        CHECK(agree([&] { return take(x, every_other, 0); }));
        const GpuForms forms;
        for (int64_t place : {int64_t{0}, count / 2, count - 1}) {
          const Array wrong = copy(index);
          assign(strided_view(wrong, Dims{}, Dims{}, place), Scalar(90));
          CHECK_THROWS_AS(take(x, wrong, 0).synchronize(), Error);
          CHECK_THROWS_AS(scatter(copy(x), std::span(&wrong, 1), 0, Scalar(1)), Error);
        }
      }
  }
  const GpuForms forms;
  const Array nothing = numbers(queue, {0}, DType::kInt64, 1);
  const Array one = numbers(queue, {1}, DType::kInt64, 1);
  CHECK(take(numbers(queue, {3}, DType::kInt32), nothing, 0).size() == 0);
  CHECK_THROWS_AS(take(numbers(queue, {0}, DType::kInt32), one, 0), Error);
  CHECK(same(take_in_range(numbers(queue, {3}, DType::kInt32), one, 0),
             numbers(queue, {1}, DType::kInt32)));
}

TEST_CASE("extended, rolled and joined arrays") {
  const Queue queue("native_cpu");
  for (DType t : kDtypes)
    for (const Dims& shape : {Dims{1}, Dims{1000}, Dims{40, 3}, Dims{7, 30, 5}, Dims{70'000, 2}}) {
      CAPTURE(name_of(t));
      CAPTURE(shape.product());
      const Array x = numbers(queue, shape, t), y = numbers(queue, shape, t, 97);
      const std::vector<std::pair<int64_t, int64_t>> widths(static_cast<size_t>(shape.size()),
                                                            {1, 0});
      for (Border border : {Border::kConstant, Border::kEdge, Border::kWrap, Border::kSymmetric}) {
        CHECK(agree([&] { return pad(x, widths, border, Scalar(1)); }));
        CHECK(agree([&] { return pad(turned(x), widths, border, Scalar(1)); }));
      }
      CHECK(agree([&] { return roll(x, Dims{3}); }));
      CHECK(agree([&] { return roll(turned(x), Dims{-1}, Dims{0}); }));
      for (int axis : {0, -1}) {
        const Array two[] = {x, y}, three[] = {x == y, y, x}, mixed[] = {x, x == y, y, x};
        CHECK(agree([&] { return stack(two, axis); }));
        CHECK(agree([&] { return stack(three, axis); }));
        CHECK(agree([&] { return stack(mixed, axis); }));
      }
    }
}

TEST_CASE("cross products") {
  const Queue queue("native_cpu");
  const Array pair = numbers(queue, {5, 2}, DType::kInt32);
  CHECK_THROWS_AS(cross(pair, pair), Error);
  CHECK_THROWS_AS(cross(pair, pair, -3), Error);
  for (DType t : {DType::kInt32, DType::kFloat64, DType::kComplex128})
    for (const Dims& shape : {Dims{3}, Dims{500, 3}, Dims{7, 40, 3}, Dims{0, 3}}) {
      CAPTURE(name_of(t));
      CAPTURE(shape.product());
      const Array x = numbers(queue, shape, t), y = numbers(queue, shape, t, 97);
      const Array one = numbers(queue, {3}, t, 89);
      CHECK(agree([&] { return cross(x, y); }));
      CHECK(agree([&] { return cross(x + y, one); }));
      if (shape.size() > 1) {
        const Array turned = copy(moveaxis(x, {-1}, {-2}));
        CHECK(agree([&] { return cross(turned, turned * turned, -2); }));
      }
    }
}

TEST_CASE("searches in local memory and in global memory") {
  const Queue queue("native_cpu");
  for (DType t :
       {DType::kInt8, DType::kUInt64, DType::kFloat32, DType::kFloat64, DType::kComplex128})
    for (int64_t length : {1, 2, 3, 100, 2047, 2048, 2049, 5000})
      for (int64_t count : {1, 2047, 9000}) {
        CAPTURE(name_of(t));
        CAPTURE(length);
        CAPTURE(count);
        const Array sorted = sort(numbers(queue, {length}, t)), x = numbers(queue, {count}, t, 97);
        for (SearchSide side : {SearchSide::kLeft, SearchSide::kRight})
          CHECK(agree([&] { return searchsorted(sorted, x, side); }));
        if (t != DType::kComplex128)
          CHECK(agree([&] { return interpolate(x, sorted, sorted * sorted); }));
      }
}

TEST_CASE("the order of a sorted array is checked while it is searched") {
  const Queue queue("native_cpu");
  const Array x = numbers(queue, {5000}, DType::kFloat64);
  CHECK(!search_if_ascending(sort(x), x, SearchSide::kLeft));  // CPUs use other means
  const GpuForms forms;
  for (DType t : {DType::kInt8, DType::kUInt64, DType::kFloat16, DType::kFloat64})
    for (int64_t length : {2, 3, 300}) {
      CAPTURE(name_of(t));
      CAPTURE(length);
      const Array sorted = sort(numbers(queue, {length}, t));
      const auto found = search_if_ascending(sorted, x, SearchSide::kRight);
      REQUIRE(found);
      CHECK(same(*found, searchsorted(sorted, x, SearchSide::kRight)));
      const Array wrong =
          concat(std::array{sorted, full({1}, Scalar(0), t, {queue, UsmType::kDevice}) - 1});
      CHECK(static_cast<bool>(search_if_ascending(wrong, x, SearchSide::kLeft)) ==
            (t == DType::kUInt64));  // -1 is its largest number
      CHECK(!search_if_ascending(flip(sorted), x, SearchSide::kLeft));
    }
  CHECK(!search_if_ascending(numbers(queue, {1}, DType::kInt8), x, SearchSide::kLeft));
}

TEST_CASE("element-wise kernels of few columns") {
  const Queue queue("native_cpu");
  for (int64_t columns : {1, 2, 3, 7, 31, 32})
    for (DType t : {DType::kInt8, DType::kFloat32, DType::kComplex128}) {
      CAPTURE(columns);
      CAPTURE(name_of(t));
      const Array x = numbers(queue, {5, 70, columns}, t), row = numbers(queue, {columns}, t);
      const Array one = numbers(queue, {70, 1}, t);
      CHECK(agree([&] { return x + row; }));
      CHECK(agree([&] { return (x + one) * row; }));
      CHECK(agree([&] { return permute_dims(x, {1, 0, 2}) + row; }));
      CHECK(agree([&] { return repeat(x, columns, 1, nullptr); }));
    }
}

TEST_CASE("numbers that occur, in bits of local memory and in global memory") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kInt8, DType::kUInt16, DType::kInt32, DType::kInt64, DType::kUInt64})
    for (int64_t below : {1, 33, 100, 70'001, 300'000}) {
      if (size_of(t) < 4 && below > 100) continue;
      const Array x = numbers(queue, Dims{40'001}, t, below);
      CHECK(agree([&] { return occurrences(x, 0, below); }));
      CHECK(agree([&] { return occurrences(x, -5, below + 40); }));
    }
}

TEST_CASE("selections by masks at odd addresses, with bytes other than 0 and 1") {
  const Queue queue("native_cpu");
  const Memory memory(queue, 5000, UsmType::kShared);
  auto* bytes = static_cast<unsigned char*>(memory.data());
  for (int i = 0; i < 5000; ++i) bytes[i] = static_cast<unsigned char>(i % 3 == 0 ? 0 : i);
  for (int64_t offset : {0, 1, 3, 8}) {
    const Array mask = from_memory(memory, offset, Dims{4100}, Dims{1}, DType::kBool, queue, true);
    CHECK(agree([&] { return nonzero(mask)[0]; }));
  }
}

TEST_CASE("selections by groups") {
  const Queue queue("native_cpu");
  for (int64_t size : {1, 2, 100, 2047, 2048, 2049, 70'001})
    for (DType t : kDtypes) {
      CAPTURE(size);
      CAPTURE(name_of(t));
      const Array x = numbers(queue, {size}, t), longer = numbers(queue, {size + 1}, t);
      const std::array<const Array*, 2> of{&longer, nullptr};
      const Array all = numbers(queue, {size}, DType::kInt32);
      for (int least : {-1, 50, 200}) {
        CHECK(agree([&] { return mask_select(x, all > least, 0); }));
        CHECK(agree([&] { return nonzero(all > least)[0]; }));
        CHECK(agree([&] { return first_of_runs(all > least, of)[0]; }));
        CHECK(agree([&] { return first_of_runs(all > least, of)[1]; }));
      }
    }
}
