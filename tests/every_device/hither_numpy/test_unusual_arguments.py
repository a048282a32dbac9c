"""Arguments of hither.numpy's functions that programs rarely give, compared with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

INTEGERS = np.array([[-2, 3, 4], [5, 1, -1]], np.int8)


def same(call, queue, *arrays):
    """Both libraries give equal values and dtypes."""
    right = call(np, *arrays)
    result = call(hnp, *(ht.asarray(x, queue=queue) for x in arrays))
    assert result.dtype == right.dtype
    np.testing.assert_allclose(ht.asnumpy(result), right, rtol=1e-12)


@pytest.mark.parametrize("initial", [-1.5, 7.9, 0, True, np.float32(2.5)])
@pytest.mark.parametrize("function", ["sum", "prod", "max", "min", "nanmin", "nansum"])
def test_initial_has_the_dtype_of_the_result(queue, function, initial):
    same(lambda xp, x: getattr(xp, function)(x, initial=initial), queue, INTEGERS)
    same(lambda xp, x: getattr(xp, function)(x[:0], axis=0, initial=initial), queue, INTEGERS)
    mask = INTEGERS > 1
    same(lambda xp, x, m: getattr(xp, function)(x, initial=initial, where=m, axis=1), queue,
         INTEGERS, mask)  # fmt: skip


@pytest.mark.parametrize("initial", [300, -129, np.nan, [1]])
def test_an_initial_that_does_not_fit_is_an_error(queue, initial):
    x = ht.asarray(INTEGERS, queue=queue)
    with pytest.raises((OverflowError, ValueError, TypeError)):
        hnp.max(x, initial=initial)
    with pytest.raises((OverflowError, ValueError, TypeError)):
        np.max(INTEGERS, initial=initial)


def test_a_complex_initial_needs_complex_elements(queue):
    x = ht.asarray(INTEGERS, queue=queue)
    with pytest.raises(TypeError, match="initial=1j is complex, the result has dtype int8"):
        hnp.max(x, initial=1j)
    assert hnp.sum(hnp.astype(x, "complex64"), initial=1j).item() == 10 + 1j


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "int16", "bool", "float32"])
def test_logaddexp2_of_integers(queue, dtype):
    x = np.array([3, 2, 9, 0]).astype(dtype)
    with np.errstate(all="ignore"):
        expected = np.logaddexp2(x, x[::-1])
    own = ht.asarray(x, queue=queue)
    result = hnp.logaddexp2(own, own[::-1])
    assert result.dtype == expected.dtype
    tolerance = 4 * float(np.finfo(expected.dtype).eps)
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=tolerance)
    np.testing.assert_allclose(
        ht.asnumpy(hnp.logaddexp2(True, own)), np.logaddexp2(True, x), rtol=tolerance
    )


@pytest.mark.parametrize("where", [True, [True, False, True]])
@pytest.mark.parametrize(
    ("target", "source"),
    [("uint64", "int8"), ("int64", "uint64"), ("uint8", "int32"), ("bool", "int8")],
)
def test_unsafe_copies_convert_once(queue, target, source, where):
    values = np.array([-4, 1, 2]).astype(source)

    def copied(xp, x):
        result = xp.zeros_like(x, dtype=target)
        xp.copyto(result, x, casting="unsafe", where=where)
        return result

    same(copied, queue, values)


@pytest.mark.parametrize("where", [True, [True, False]])
def test_unsafe_copies_discard_imaginary_parts(queue, where):
    target = hnp.zeros(2, "float32", queue=queue)
    for source in (ht.asarray([1 + 2j, 3], queue=queue), np.array([1 + 2j, 3]), 1 + 2j):
        hnp.copyto(target, source, casting="unsafe", where=where)
        assert target[0].item() == 1.0
    with pytest.raises(TypeError, match="cannot be cast to float32"):
        hnp.copyto(target, 1j)


@pytest.mark.parametrize("dtypes", [("uint16", "float32"), ("float32", "int8"), ("int32", "int8")])
def test_linear_systems_take_integers_as_float64(queue, dtypes):
    a = (np.eye(3) * 2 + 1).astype(dtypes[0])
    b = np.array([1, 2, 3]).astype(dtypes[1])
    same(lambda xp, a, b: xp.linalg.solve(a, b), queue, a, b)
    same(lambda xp, a, b: xp.linalg.lstsq(a, b)[0], queue, a, b)
    same(lambda xp, a, b: xp.linalg.tensorsolve(a, b), queue, a, b)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x: hnp.sum(x, axis=1.0), "1.0 is neither an integer nor"),
        (lambda x: hnp.sum(x, axis=1.0, where=x > 0), "1.0 is neither an integer nor"),
        (lambda x: hnp.sort(x, axis=0.5), "sort: axis=0.5 is neither an integer nor"),
        (lambda x: hnp.mean(x, axis="rows"), "mean: axis='rows' is neither an integer nor"),
        (lambda x: hnp.fft.fftn(x, s=(2, 2), axes=(0,)), "fftn: s has 2 extents for 1 axes"),
    ],
)
def test_wrong_arguments_are_named(queue, call, text):
    with pytest.raises((TypeError, ValueError), match=text):
        call(ht.asarray(INTEGERS, queue=queue))


@pytest.mark.parametrize("count", [2.0, 2.7, np.float64(3), True, [2.0, 1.0, 0.0]])
def test_counts_of_repeat_are_converted_as_numpys(queue, count):
    x = np.arange(3)
    same(lambda xp, x: xp.repeat(x, count), queue, x)
    same(lambda xp, x: x.repeat(count), queue, x)


@pytest.mark.parametrize("count", [2.0, 2.7, True, 3])
def test_a_result_is_a_count_of_repeat_as_numpys_numbers_are(queue, count):
    x = ht.asarray(np.arange(3), queue=queue)
    result = ht.asarray(count, queue=queue)
    expected = np.repeat(np.arange(3), int(count)).tolist()
    assert hnp.repeat(x, result).tolist() == expected
    assert x.repeat(result).tolist() == expected


def test_a_number_can_be_repeated_along_its_axis(queue):
    for axis in (None, 0, -1):
        same(lambda xp, x, axis=axis: xp.repeat(x, 2, axis=axis), queue, np.array(3.5))
    with pytest.raises(IndexError):
        hnp.repeat(ht.asarray(3.5, queue=queue), 2, axis=1)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex64"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (5, 1), (9, 4), (4, 9), (1000, 33), (40, 40)])
def test_convolutions(queue, dtype, n, m):
    random = np.random.default_rng(n)
    a, v = (random.integers(0, 3, 2 * k).astype(dtype) for k in (n, m))
    if dtype == "complex64":
        a, v = a * np.complex64(1 + 2j), v * np.complex64(2 - 1j)
    for function in ("convolve", "correlate"):
        for mode in ("full", "same", "valid"):
            expected = getattr(np, function)(a[::2], v[::-2], mode)
            x, y = (ht.asarray(z, queue=queue) for z in (a, v))
            result = getattr(hnp, function)(x[::2], y[::-2], mode)
            assert result.dtype == expected.dtype
            assert np.array_equal(ht.asnumpy(result), expected)
    pending = hnp.convolve(ht.asarray(a, queue=queue) + ht.asarray(a, queue=queue), v.tolist())
    if dtype != "float16":
        np.testing.assert_allclose(ht.asnumpy(pending), np.convolve(a + a, v.tolist()), rtol=1e-6)


def test_polynomials_with_leading_zeros(queue):
    for a, b in (([0, 0, 1, 2], [0, 1]), ([0, 0], [0, 1]), ([3], [0, 0, 2.5])):
        same(lambda xp, a, b: xp.polymul(a, b), queue, np.array(a), np.array(b))


def test_heaviside_of_a_number(queue):
    same(lambda xp, x: xp.heaviside(0, x), queue, np.array([1, 2], np.int32))
    same(lambda xp, x: xp.heaviside(-0.5, x), queue, np.array([1.5, 2]))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_ldexp_rounds_once(queue, dtype):
    random = np.random.default_rng(1)
    x = random.standard_normal(20_000) * 2.0 ** random.integers(-1070, 1000, 20_000)
    with np.errstate(all="ignore"):
        x = x.astype(dtype)
        x[:5] = 0, -0.0, np.inf, -np.inf, np.nan
        n = random.integers(-2200, 2200, x.size).astype(np.int32) // random.choice([1, 20], x.size)
        expected = np.ldexp(x, n)
    result = hnp.ldexp(ht.asarray(x, queue=queue), ht.asarray(n, queue=queue))
    assert result.dtype == expected.dtype
    assert np.array_equal(ht.asnumpy(result), expected, equal_nan=True)
    assert hnp.ldexp(ht.asarray([1.5], queue=queue), 10**12).tolist() == [np.inf]


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize(
    "places", [0, -1, [1], [2, 0], [0, 2], [2, 2], [], slice(1, 3), slice(None, None, -2)]
)
def test_elements_are_inserted_and_deleted(queue, places, axis):
    x = np.arange(30).reshape(5, 6)
    long = np.arange(100).reshape(4, 25)
    same(lambda xp, x: xp.delete(x, places, axis), queue, x)
    same(lambda xp, x: xp.insert(x, places, 7, axis), queue, x)
    same(lambda xp, x: xp.delete(x, slice(None, None, 3), axis), queue, long)  # many parts


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint64"])
def test_indices_of_narrow_dtypes(queue, dtype):
    x, places = np.arange(300), np.array([1, 100, 7], dtype)
    same(lambda xp, x: xp.delete(x, places), queue, x)
    result = hnp.insert(ht.asarray(x, queue=queue), places, 5)  # NumPy's raises
    assert np.array_equal(ht.asnumpy(result), np.insert(x, places.astype(int), 5))


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap", "maximum"])
@pytest.mark.parametrize("width", [0, 2, (1, 3), [(0, 1), (7, 2)]])
def test_padding(queue, mode, width):
    x = np.arange(20, dtype=np.int16).reshape(4, 5)
    for host in (x, x.T, x[::-2, ::3]):
        same(lambda xp, x: xp.pad(x, width, mode=mode), queue, host)
    if mode == "constant":
        same(lambda xp, x: xp.pad(x, width, constant_values=(3, 4)), queue, x)
    empty = ht.asarray(x[:, :0], queue=queue)
    if mode == "constant" or width == 0:
        assert hnp.pad(empty, width, mode=mode).shape == np.pad(x[:, :0], width, mode=mode).shape
    else:
        with pytest.raises(ValueError, match="empty axis"):
            hnp.pad(empty, width, mode=mode)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
@pytest.mark.parametrize("text", ["ij,ij->i", "ij,ij->j", "ij,ij", "ij,ij->ij", "ijk,ijk->k"])
def test_einsum_of_equal_terms(queue, text, dtype):
    random = np.random.default_rng(2)
    shape = (5, 0, 3) if "k" in text else (4, 7)
    for extents in (shape, (4, 2, 3)[: len(shape)], (1,) * len(shape)):
        a, b = (random.integers(0, 3, extents).astype(dtype) for _ in range(2))
        same(lambda xp, a, b: xp.einsum(text, a, b), queue, a, b)
        same(lambda xp, a, b: xp.einsum(text, a.T.copy().T, b[::-1]), queue, a, b)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "c8"])
@pytest.mark.parametrize(
    "value", [1.7, -1.7, 2 + 3j, np.float64(2.5), np.int64(300), np.array(2.5), [1.5, -2.5], 3],
    ids=repr,
)  # fmt: skip
def test_full_casts_as_astype_does(value, dtype, queue):
    if dtype == "u2" and np.min(np.real(value)) < 0:
        pytest.skip("C++ does not define it")
    fill = ht.asarray(value, queue=queue) if isinstance(value, np.ndarray) else value
    for own, right in (
        (hnp.full((3, 2), fill, dtype, queue=queue), np.full((3, 2), value, dtype)),
        (hnp.full_like(ht.ones(2, dtype=dtype, queue=queue), fill),
         np.full_like(np.ones(2, dtype), value)),
    ):  # fmt: skip
        assert own.dtype == right.dtype
        np.testing.assert_array_equal(ht.asnumpy(own), right)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_full_casts_nan_to_integers(queue):
    assert hnp.full(2, float("nan"), "i4", queue=queue).dtype == "i4"
    with pytest.raises(OverflowError):
        hnp.full(2, 300, "u1", queue=queue)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [("<f8", (5, 3)), ("i2", (1,)), ("?", 4), ("c8", (2, 1, 3))])
@pytest.mark.parametrize("shape", [(), 2, (3, 0), (2, 7)])
def test_dtypes_with_a_shape_add_dimensions(queue, shape, dtype, order):
    for name in ("empty", "zeros", "ones"):
        with ht.device_context(queue):
            made = getattr(hnp, name)(shape, dtype, order=order)
        right = getattr(np, name)(shape, dtype, order=order)
        assert (made.shape, made.dtype) == (right.shape, right.dtype)
        assert made.strides == right.strides or made.size == 0
        if name != "empty":
            np.testing.assert_array_equal(ht.asnumpy(made), right)
    with ht.device_context(queue):
        made = hnp.full(shape, 3, dtype)
    np.testing.assert_array_equal(ht.asnumpy(made), np.full(shape, 3, dtype))


NUMBERS_OF_Q = [True, np.True_, [True, False], np.array([False, True]), 1, [0, 1], np.int8(0)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
@pytest.mark.parametrize("q", NUMBERS_OF_Q, ids=repr)
def test_quantiles_at_bools_and_integers(queue, q, dtype):
    x = np.array([[3, 1, 2], [5, 0, 9]]).astype(dtype)[::-1]
    for name in ("quantile", "nanquantile", "percentile", "nanpercentile"):
        for method in ("linear", "hazen", "lower"):
            same(lambda xp, a, n=name, m=method: getattr(xp, n)(
                xp.asarray(a), q, axis=1, method=m), queue, x)  # fmt: skip


@pytest.mark.parametrize("out", ["bool", "int8", "int64", "float32", "float64", "complex64"])
@pytest.mark.parametrize("dtype", ["bool", "int64", "float32", "float64"])
@pytest.mark.parametrize("function", ["take", "compress"])
def test_out_that_converts_to_the_elements(queue, function, dtype, out):
    """NumPy before 2.5 wants an out that can be converted to the elements, and later releases
    store any result. Results that lose no kind of number are stored, and the others refused."""

    def arguments(x):
        return (x, [1, 0], 1) if function == "take" else ([1, 0, 1], x, 1)

    x = np.array([[0, 1, 2], [1, 1, 0]], dtype)[:, ::-1]
    result = ht.zeros((2, 2), dtype=out, queue=queue).T
    given = arguments(ht.asarray(x, queue=queue))
    if np.can_cast(out, dtype) or np.can_cast(dtype, out, "same_kind"):
        assert getattr(hnp, function)(*given, out=result) is result
        right = getattr(np, function)(*arguments(x)).astype(out)
        np.testing.assert_array_equal(ht.asnumpy(result), right)
        return
    with pytest.raises(TypeError, match="out has dtype"):
        getattr(hnp, function)(*given, out=result)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
@pytest.mark.parametrize("axis", [0, -1, None])
def test_lines_of_arrays_without_dimensions(queue, axis, dtype):
    x = np.asarray(3, dtype)
    for name in ("cumulative_sum", "cumulative_prod"):
        for initial in (False, True):
            same(lambda xp, a, n=name, i=initial: getattr(xp, n)(
                a, axis=axis, include_initial=i), queue, x)  # fmt: skip
    same(lambda xp, a: xp.argsort(a, axis=axis), queue, x)
    same(lambda xp, a: xp.argpartition(a, 0, axis=axis), queue, x)
    for name in ("argmax", "argmin", "nanargmax", "nanargmin"):
        same(lambda xp, a, n=name: getattr(xp, n)(a, axis=axis), queue, x)
    own = ht.asarray(x, queue=queue)
    for name in ("cumulative_sum", "argsort", "sort"):
        with pytest.raises(np.exceptions.AxisError):
            getattr(hnp, name)(own, axis=1)


@pytest.mark.parametrize("function", ["array_equal", "array_equiv"])
def test_an_array_of_numbers_equals_neither_none_nor_a_string(queue, function):
    x = hnp.ones(1, queue=queue)
    compare, right = getattr(hnp, function), getattr(np, function)
    assert compare(x, None) is compare(None, a2=x) is compare("1", x) is False
    assert right(np.ones(1), None) is False
    for pair in ((None, None), ("ab", "ab"), ("a", "b"), (None, [1])):
        assert compare(*pair) == right(*pair)
    assert compare(x, x, usm_type=None) is True
    with pytest.raises(TypeError, match="a2"):
        compare(x)


@pytest.mark.parametrize("text", ["1", "-1", "0,2", "-1,2", "2,3", "0,2,0", "1,3,1", "1,3,-3"])
@pytest.mark.parametrize("joined", ["r_", "c_"])
def test_r_and_c_read_directives(queue, joined, text):
    vector, matrix = np.arange(3, dtype=np.int16), np.arange(6.0).reshape(2, 3)
    cases = [
        ((vector, vector), ()), ((matrix, matrix), ()), ((vector,), (2.5,)),
        ((vector,), (slice(0, 3), 7)), ((vector, matrix[:1]), ()),
    ]  # fmt: skip
    for arrays, others in cases:
        try:
            getattr(np, joined)[(text, *arrays, *others)]
        except (ValueError, IndexError):  # shapes that do not fit
            own = [ht.asarray(x, queue=queue) for x in arrays]
            with pytest.raises((ValueError, IndexError)):
                getattr(hnp, joined)[(text, *own, *others)]
        else:
            same(lambda xp, *x, o=others: getattr(xp, joined)[(text, *x, *o)], queue, *arrays)


@pytest.mark.parametrize("text", ["r", "c", "", "x", "0,1,2,3", "1.5"])
def test_other_directives_of_r_are_errors(queue, text):
    x = hnp.ones(3, queue=queue)
    with pytest.raises(TypeError, match="is not 'axis', 'axis,ndmin' or 'axis,ndmin,place'"):
        hnp.r_[text, x]
    with pytest.raises(ValueError, match="must be the first item"):
        hnp.r_[x, text]
    with pytest.raises(ValueError, match="place 5 is out of range"):
        hnp.r_["0,2,5", x]


@pytest.mark.filterwarnings("ignore::hither.errors.PerformanceWarning")
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex128"])
@pytest.mark.parametrize("name", "subtract fmod left_shift logaddexp logaddexp2 less arctan2 fmax "
                         "lcm gcd bitwise_and power hypot logical_xor".split())  # fmt: skip
def test_masked_reductions_leave_elements_out(queue, name, dtype):
    x = np.array([[3, 1, 2], [5, 4, 7]]).astype(dtype)
    mask = np.array([[True, False, True], [False, True, True]])
    try:
        expected = getattr(np, name).reduce(x, axis=1, where=mask, initial=1)
    except TypeError:
        return
    own = ht.asarray(x, queue=queue)
    result = getattr(hnp, name).reduce(own, axis=1, where=ht.asarray(mask, queue=queue), initial=1)
    assert result.dtype == expected.dtype
    tolerance = 4e-3 if expected.dtype == np.float16 else 1e-6
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=tolerance)


@pytest.mark.parametrize("stat_length", [None, 2, ((1, 3), (2, 9))])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex128"])
def test_medians_beside_an_array_are_computed_on_the_device(queue, dtype, stat_length):
    x = (np.arange(20).reshape(4, 5) * 7 % 11).astype(dtype)
    widths = ((1, 2), (0, 3))
    with ht.host_fallback("error"):
        same(lambda xp, x: xp.pad(x, widths, "median", stat_length=stat_length), queue, x)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64"])
def test_integers_are_rounded_on_the_device(queue, dtype):
    limits = np.iinfo(dtype)
    x = np.array([limits.max // 3, 15, 25, limits.min // 5, 0]).astype(dtype)
    with ht.host_fallback("error"):
        for decimals in (-1, -2, -20, 1):
            same(lambda xp, x, n=decimals: xp.round(x, n), queue, x)


def test_integers_that_do_not_fit_are_refused(queue):
    x = hnp.arange(4, dtype="int8", queue=queue)
    mask = x > 1
    assert hnp.r_[127, x].dtype == np.int8
    for call in (
        lambda: hnp.r_[300, x], lambda: hnp.c_[-129, x[:1]], lambda: hnp.put(x, 0, 300),
        lambda: hnp.put(x, [0, 1], [1, -200]), lambda: hnp.place(x, mask, [300]),
        lambda: hnp.putmask(x, mask, [[1, 2], [3, 128]]),
    ):  # fmt: skip
        with pytest.raises(OverflowError, match="does not fit int8; cast the array to a wider"):
            call()
    assert x.tolist() == [0, 1, 2, 3]


def test_put_along_no_axis_is_computed_on_the_device(queue):
    def written(xp, x):
        x = x.copy()
        xp.put_along_axis(x, np.array([1, -2]), [7, 8], None)
        return x

    with ht.host_fallback("error"):
        same(written, queue, INTEGERS)
    with pytest.raises(ValueError, match="without an axis they need one"):
        hnp.put_along_axis(ht.asarray(INTEGERS, queue=queue), np.array([[1]]), 7, None)


def test_dtypes_of_quantiles_sequences_and_limits(queue):
    for q in (np.float32(0.5), np.float16(0.5), np.array([0.2, 0.3], "f4")):
        same(lambda xp, x, q=q: xp.quantile(x, q, axis=1), queue, INTEGERS)
    for number in (np.float32(2), np.array([2.0, 3.0], "f4")):
        same(lambda xp, x: xp.geomspace(x, 2 * x, 3), queue, np.asarray(number))
    singles = INTEGERS.astype("f4")
    for k in (0, 1):
        same(lambda xp, x, k=k: xp.histogramdd(x, [2, 3, 2], [(-2, 3)] * 3)[1][k], queue, singles)
    x = ht.asarray(singles, queue=queue)
    for result in (hnp.linspace(0, 1, 1, retstep=True), hnp.linspace(x, x, 0, retstep=True)):
        assert type(result[1]) is float and np.isnan(result[1])


@pytest.mark.parametrize("sections", [
    3, 3.0, np.array(3), np.float64(3), [1, 4], (2,), range(1, 6, 2), np.array([2, 3]), [],
])  # fmt: skip
def test_sections_are_a_number_or_a_sequence(queue, sections):
    x = np.arange(6)
    own = ht.asarray(x, queue=queue)
    given = [sections]
    if isinstance(sections, np.ndarray):
        given.append(ht.asarray(sections, queue=queue))
    for value in given:
        for name in ("split", "array_split", "hsplit"):
            parts = [part.tolist() for part in getattr(hnp, name)(own, value)]
            assert parts == [part.tolist() for part in getattr(np, name)(x, sections)]


@pytest.mark.parametrize("sections", [None, 1j, [1.5], [[1, 2]], "3"])
def test_other_sections_are_an_error(queue, sections):
    for xp, x in ((np, np.arange(6)), (hnp, ht.asarray(np.arange(6), queue=queue))):
        with pytest.raises(TypeError):
            xp.array_split(x, sections)


def test_requirements(queue):
    x = np.arange(6.0).reshape(2, 3)
    own = ht.asarray(x, queue=queue)
    for names in (None, [], "C", "CA", ["aligned", "CONTIGUOUS", "E"], ["O", "W"]):
        assert hnp.require(own, None, names) is own
        assert np.require(x.copy(), None, names).tolist() == x.tolist()
    for names in (["FORTRAN"], ["f_contiguous", "OWNDATA", "writeable"]):
        assert hnp.require(own, None, names).flags.f_contiguous
    assert hnp.require(own, "int8", "W").dtype == np.int8
    part = hnp.require(own[:, 1:], None, "O")
    part[...] = 0
    assert part.base is None and own.tolist() == x.tolist()
    repeated = hnp.require(hnp.broadcast_to(own[0], (2, 3)), None, ["WRITEABLE"])
    repeated[0, 0] = 9
    assert repeated.tolist() == [[9, 1, 2], [0, 1, 2]]
    for xp, a in ((np, x), (hnp, own)):
        with pytest.raises(KeyError, match="Q"):
            xp.require(a, None, ["Q"])


def test_a_mask_to_insert_at_has_one_dimension(queue):
    mask = np.array([True, False, True])
    same(lambda xp, x: xp.insert(x[0], mask, 9), queue, INTEGERS)
    for xp, x in ((np, INTEGERS), (hnp, ht.asarray(INTEGERS, queue=queue))):
        for mask in (np.array(True), np.array([[True, False, False]])):
            with pytest.raises(ValueError, match="one dimension"):
                xp.insert(x, mask, 9)


def test_the_least_length_of_a_bincount_is_an_integer(queue):
    same(lambda xp, x: xp.bincount(x, minlength=np.int8(9)), queue, np.array([1, 4]))
    for xp, x in ((np, np.array([1, 4])), (hnp, ht.asarray([1, 4], queue=queue))):
        for least in (None, 9.0):
            with pytest.raises(TypeError):
                xp.bincount(x, minlength=least)
