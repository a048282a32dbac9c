"""Forms of arguments that the tests of NumPy and cuPyNumeric use, compared with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


def same(call, queue, *arrays):
    """Both libraries give equal values and dtypes."""
    right = call(np, *(x.copy() for x in arrays))
    result = call(hnp, *(ht.asarray(x, queue=queue) for x in arrays))
    assert result.dtype == right.dtype
    np.testing.assert_array_equal(ht.asnumpy(result), right)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x, out: xp.sum(x, 0, out=out),
        lambda xp, x, out: x.prod(0, out=out),
        lambda xp, x, out: xp.max(x, 0, initial=2.5, out=out),
        lambda xp, x, out: xp.min(x, axis=0, out=out),
        lambda xp, x, out: xp.cumsum(x[0], out=out),
        lambda xp, x, out: xp.cumprod(a=x[0], out=out),
        lambda xp, x, out: xp.nansum(x, axis=0, out=out),
        lambda xp, x, out: xp.nancumprod(x[0], out=out),
    ],
)
def test_reductions_compute_in_the_dtype_of_a_wider_out(queue, call, dtype):
    if dtype == "float64" and not queue.device.has_aspect_fp64:
        pytest.skip("the device has no float64")
    x = np.array([[2**40, 2**40, 1], [2**40, -(2**40), 2]])
    same(call, queue, x, np.zeros(3, dtype))


def test_conditions_and_choices_may_be_rows_of_arrays(queue):
    conditions = np.array([[True, False, False], [False, True, False]])
    choices = np.array([[1, 2, 3], [4, 5, 6]])
    same(lambda xp, c, x: xp.select(c, x, 9), queue, conditions, choices)
    same(lambda xp, c, x: xp.select(c[0], x[0]), queue, conditions, choices)
    same(lambda xp, c, x: xp.select(list(c), x), queue, conditions, choices)


def test_a_grid_of_a_list_of_slices():
    key = [slice(0, 2), slice(1, 3, 0.5)]
    np.testing.assert_array_equal(hnp.asnumpy(hnp.mgrid[key]), np.mgrid[key])
    for own, right in zip(hnp.ogrid[key], np.ogrid[key], strict=True):
        np.testing.assert_array_equal(hnp.asnumpy(own), right)


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
@pytest.mark.parametrize("name", ["isposinf", "isneginf", "fix"])
def test_the_out_of_element_wise_functions_may_be_larger(queue, name, dtype):
    x = np.array([[np.inf], [-np.inf], [1.5]], "float32")
    if name == "fix":
        x, dtype = x[2:], "float32"
    same(lambda xp, x, out: getattr(xp, name)(x, out), queue, x, np.zeros((len(x), 4), dtype))
    same(lambda xp, x: getattr(xp, name)(x), queue, x)


def test_indices_to_insert_at_have_one_dimension(queue):
    for xp, x in ((np, np.arange(4)), (hnp, ht.arange(4, queue=queue))):
        with pytest.raises(ValueError, match="one dimension"):
            xp.insert(x, [[1, 2], [0, 1]], 9)


def test_a_list_of_fractions_chooses_elements_to_put(queue):
    def put(xp, x, mode):
        xp.put(x, [0, 1.75, 9.5], [7, 8, 9], mode=mode)
        return x

    for mode in ("wrap", "clip"):
        same(lambda xp, x, mode=mode: put(xp, x, mode), queue, np.arange(5))
    for xp, x in ((np, np.arange(5)), (hnp, ht.arange(5, queue=queue))):
        with pytest.raises(TypeError):
            xp.put(x, np.array([0.0, 1.75]), 7)


@pytest.mark.parametrize("shift", [2**100, 2**63 + 2, -(2**90) - 1, np.uint64(2**63 + 2)])
def test_roll_by_large_numbers(queue, shift):
    same(lambda xp, x: xp.roll(x, shift), queue, np.arange(7))
    same(lambda xp, x: xp.roll(x, shift), queue, np.arange(0))


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, **place: xp.arange(300, dtype="uint8", **place),
        lambda xp, **place: xp.arange(-128, 872, 10, dtype="int8", **place),
        lambda xp, **place: xp.arange(5, -400, -3, dtype="int8", **place),
        lambda xp, **place: xp.arange(0, 70000.5, 1.5, dtype="uint16", **place),
        lambda xp, **place: xp.arange(2**53, 2**53 + 3, dtype="int64", **place),
        lambda xp, **place: xp.arange(3, 3, dtype="int8", **place),
    ],
)
def test_ranges_wrap_in_narrow_integers(queue, call):
    right, result = call(np), call(hnp, queue=queue)
    assert result.dtype == right.dtype
    np.testing.assert_array_equal(ht.asnumpy(result), right)


def test_the_first_numbers_of_a_range_have_to_fit(queue):
    for xp, place in ((np, {}), (hnp, {"queue": queue})):
        with pytest.raises(OverflowError):
            xp.arange(300, 310, dtype="uint8", **place)


def test_a_step_below_the_least_number(queue):
    if not queue.device.has_aspect_fp64:
        pytest.skip("the device has no float64")
    stop = 5e-324 * 3
    right = np.linspace(0, stop, 10, endpoint=False)
    result = hnp.linspace(0, stop, 10, endpoint=False, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(result), right)


@pytest.mark.parametrize("key", [True, (True, slice(None)), np.True_, (None, True)])
def test_a_truth_value_reads_a_copy(queue, key):
    x = np.arange(6).reshape(2, 3)
    own = ht.asarray(x, queue=queue)
    read = own[key]
    np.testing.assert_array_equal(ht.asnumpy(read), x[key])
    read[...] = -1
    np.testing.assert_array_equal(ht.asnumpy(own), x)
    own[key] = 7
    assert (ht.asnumpy(own) == 7).all()


def test_flags_by_their_other_names(queue):
    for order in "CF":
        x = np.zeros((2, 3), np.float32, order=order)
        flags = hnp.zeros((2, 3), np.float32, order=order, queue=queue).flags
        for name in ("behaved", "carray", "farray", "fortran", "writebackifcopy"):
            assert getattr(flags, name) == getattr(x.flags, name), name


def test_a_refused_dtype_of_an_element_wise_function(queue):
    x = ht.ones(2, queue=queue)
    for operands in ((3, 4), (x, 4)):
        with pytest.raises(TypeError, match="object is a dtype of NumPy alone"):
            hnp.add(*operands, dtype=object, casting="equiv")
        with pytest.raises(TypeError, match="Cannot cast"):
            hnp.add(*operands, dtype="int16", casting="equiv")


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x, out: xp.add(x, x, out=out, where=[1, 0, 2]),
        lambda xp, x, out: xp.sum(x, where=[[1], [0]], axis=0),
        lambda xp, x, out: xp.mean(x, where=[1, 0, 1]),
        lambda xp, x, out: xp.max(x, where=(1, 0, 1), initial=0),
        lambda xp, x, out: xp.add(x, 1, out=...),
    ],
)
def test_a_list_of_numbers_is_a_mask(queue, call):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    same(call, queue, x, -x)
    with pytest.raises(TypeError):
        hnp.add(ht.asarray(x, queue=queue), 1, where=ht.asarray([1, 0, 1], queue=queue))


def test_a_list_that_is_no_index_is_an_index_error(queue):
    for x in (np.arange(4), ht.arange(4, queue=queue)):
        for key in ([slice(None)], [None], (slice(None), ["a"])):
            with pytest.raises(IndexError):
                x[key]
        with pytest.raises(IndexError):
            x[[slice(None)]] = 1


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "linear_ramp", "mean"])
def test_pad_keeps_the_memory_order(queue, mode):
    x = np.asarray(np.arange(6, dtype=np.float32).reshape(2, 3), order="F")
    result = hnp.pad(hnp.array(x, queue=queue), 1, mode)
    right = np.pad(x, 1, mode)
    np.testing.assert_array_equal(ht.asnumpy(result), right)
    assert result.flags.f_contiguous and right.flags.f_contiguous


def test_names_of_the_standard():
    assert hnp.__array_api_version__ == ht.__array_api_version__
    assert hnp.__array_namespace_info__().dtypes() == ht.__array_namespace_info__().dtypes()


def test_sizes_and_bounds_of_random_numbers(queue):
    draw = hnp.random.default_rng(3, queue=queue)
    low = ht.asarray([1, 20], queue=queue)
    for high in ([4, 30], (4.5, 30.9), np.int64(40)):
        drawn = ht.asnumpy(draw.integers(low, high))
        assert drawn.shape == (2,) and (drawn >= [1, 20]).all() and (drawn < high).all()
    assert draw.multinomial(5, [0.5, 0.5], np.array([3, 2])).shape == (3, 2, 2)
    assert draw.dirichlet([1.0, 2.0], size=np.array([3])).shape == (3, 2)


@pytest.mark.parametrize("values", [list("abcdefgh"), np.arange(8), [[1], [2, 3], []]])
def test_shuffle_of_values_on_the_host(queue, values):
    original = list(values)
    draw = hnp.random.default_rng(3, queue=queue)
    assert draw.shuffle(values) is None
    assert sorted(values) == sorted(original)
    orders = {tuple(map(str, values)) for _ in range(30) if draw.shuffle(values) is None}
    assert len(orders) > 1
    hnp.random.shuffle(values)
    assert sorted(values) == sorted(original)


def test_an_axis_to_shuffle_that_is_out_of_bounds(queue):
    for xp, x in ((np, np.arange(3)), (hnp, ht.arange(3, queue=queue))):
        draw = xp.random.default_rng(3)
        for call in (draw.permutation, draw.shuffle):
            with pytest.raises(np.exceptions.AxisError):
                call(x, axis=1)


def test_shuffle_of_an_axis_on_the_host(queue):
    x = np.arange(30).reshape(3, 10)
    hnp.random.default_rng(3, queue=queue).shuffle(x, axis=1)
    assert (np.sort(x, axis=1) == np.arange(30).reshape(3, 10)).all()
    assert (np.diff(x, axis=0) == 10).all() and (x[0] != np.arange(10)).any()


@pytest.mark.parametrize("call", [
    lambda np: np.linspace(0, 1, 5, axis=2), lambda np: np.logspace(0, 1, 5, axis=-2),
    lambda np: np.add([1], [2], order="Q"), lambda np: np.exp([1.0], order="FF"),
])  # fmt: skip
def test_axes_and_orders_that_do_not_exist(call):
    for namespace in (np, hnp):
        with pytest.raises(ValueError, match=r"(axis|destination|order)"):
            call(namespace)


def test_ranges_of_integers_between_numpy_numbers(queue):
    for limits in ((np.float64(0.5), np.float64(9.7)), (1, np.float32(6.5)),
                   (np.uint8(3), np.uint8(250), np.uint8(2))):  # fmt: skip
        same(lambda xp, limits=limits: xp.arange(*limits, dtype=np.int64), queue)


def test_elements_among_ints_beyond_64_bits(queue):
    for values in ([np.inf, 1.0, 1e30], [1j, 1.0]):
        same(lambda xp, x, v=values: xp.isin(x, [*v[:1], 10**30]), queue, np.array(values))


def test_sums_of_ints_in_out_of_float32_are_computed_in_float64(queue):
    x = np.array([16777217, 16777217, 1, 3], np.int32)
    same(lambda xp, x: xp.sum(x, out=xp.zeros_like(x, np.float32, shape=())), queue, x)
