"""Creation functions and asarray."""

from __future__ import annotations

import array

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip


def same(array, expected):
    got = ht.asnumpy(array)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_constants(dtype, shape, queue):
    same(ht.zeros(shape, dtype=dtype, queue=queue), np.zeros(shape, dtype))
    same(ht.ones(shape, dtype=dtype, queue=queue), np.ones(shape, dtype))
    same(ht.full(shape, 1, dtype=dtype, queue=queue), np.full(shape, 1, dtype))
    empty = ht.empty(shape, dtype=dtype, queue=queue)
    assert (empty.shape, empty.dtype, empty.queue) == (shape, np.dtype(dtype), queue)


def test_an_int_is_a_shape():
    assert ht.zeros(4).shape == (4,)
    assert ht.zeros(np.int64(4)).shape == (4,)


def test_full_takes_the_dtype_of_its_number():
    assert ht.full(2, 1).dtype == ht.int64
    assert ht.full(2, 1.0).dtype == ht.float64
    assert ht.full(2, True).dtype == ht.bool
    assert ht.full(2, 1j).dtype == ht.complex128
    assert ht.full(2, np.float32(1)).dtype == ht.float32


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like"])
def test_like_functions_take_everything_from_the_prototype(name, queue):
    x = ht.zeros((2, 3), dtype=ht.int16, queue=queue, usm_type="shared")
    y = getattr(ht, name)(x)
    assert (y.shape, y.dtype, y.queue, y.usm_type) == (x.shape, x.dtype, queue, "shared")
    y = getattr(ht, name)(x, dtype=ht.float32, usm_type="host")
    assert (y.dtype, y.usm_type) == (ht.float32, "host")
    same(ht.full_like(x, 7), np.full((2, 3), 7, np.int16))


@pytest.mark.parametrize(
    "arguments", [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (0, 1, 0.1), (5, 1), (1.5, 4), (-3, 3, 0.5)]
)
def test_arange(arguments):
    expected = np.arange(*arguments)
    got = ht.asnumpy(ht.arange(*arguments))
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(got, expected, rtol=1e-15)


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_arange_takes_a_dtype(dtype):
    same(ht.arange(2, 40, 3, dtype=dtype), np.arange(2, 40, 3, dtype=dtype))


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("bounds", [(0, 1), (-2.5, 3), (5, 5), (3, -1), (1j, 2 + 1j)])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 50])
def test_linspace(bounds, count, endpoint):
    got = ht.asnumpy(ht.linspace(*bounds, count, endpoint=endpoint))
    expected = np.linspace(*bounds, count, endpoint=endpoint)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-15, atol=1e-15)
    if endpoint and count > 1:
        assert got[-1] == expected[-1]


@pytest.mark.parametrize("k", [-(2**80), -4, -3, -2, 0, 1, 4, 5, 9, 2**80])
def test_eye_tril_triu(k):
    near = max(-10, min(k, 10))  # NumPy takes 64 bits
    same(ht.eye(3, 5, k=k), np.eye(3, 5, k=near))
    n = np.arange(24).reshape(2, 3, 4)
    same(ht.tril(ht.asarray(n), k=k), np.tril(n, k=near))
    same(ht.triu(ht.asarray(n), k=k), np.triu(n, k=near))
    b = np.ones((3, 3), bool)
    same(ht.tril(ht.asarray(b), k=k), np.tril(b, k=near))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_meshgrid(count, indexing):
    vectors = [np.arange(n) for n in (2, 3, 4)[:count]]
    expected = np.meshgrid(*vectors, indexing=indexing)
    got = ht.meshgrid(*(ht.asarray(v) for v in vectors), indexing=indexing)
    for x, n in zip(got, expected, strict=True):
        same(x, n)


@pytest.mark.parametrize("dtype", DTYPES)
def test_asarray_copies_numpy_arrays_of_any_layout(dtype, queue):
    n = np.arange(24).reshape(4, 6).astype(dtype)
    for view in (n, n.T, n[::-1, ::2], n[1:1], n[2, 3], np.asfortranarray(n), n[:, None]):
        x = ht.asarray(view, queue=queue)
        same(x, np.asarray(view))
        assert x.queue == queue
    x = ht.asarray(n)
    n[:] = 0
    assert ht.asnumpy(x)[3, 5] == np.array(23).astype(dtype)


@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 5)])
def test_asarray_like_has_the_queue_and_memory_of_an_array(shape, usm_type, queue):
    like = ht.zeros(2, queue=queue, usm_type=usm_type)
    n = np.ones(shape, dtype="f4")
    for value in (n, n.tolist(), ht.asarray(n, queue=queue)):
        x = ht.asarray(value, "i2", like=like)
        same(x, n.astype("i2"))
        assert (x.queue, x.usm_type) == (queue, usm_type)
    other = ht.Queue(queue.device)
    x = ht.asarray(n, queue=other, usm_type="shared", like=like)
    assert (x.queue, x.usm_type) == (other, "shared")
    assert ht.asarray(like, like=like, copy=False).usm_type == usm_type
    with pytest.raises(TypeError, match=r"like= is a numpy.ndarray; pass a hither.Array"):
        ht.asarray(n, like=n)


@pytest.mark.usefixtures("cpu_by_default")
def test_big_endian_input_is_converted():
    n = np.arange(5, dtype=">f8")
    same(ht.asarray(n), n.astype("<f8"))
    with pytest.raises(ValueError, match="byte order"):
        ht.asarray(n, copy=False)


@pytest.mark.parametrize(
    "value",
    [3, 2.5, True, 1j, [1, 2], [[1.5, 2], [3, 4]], [], [[]], (1, (2)), [True, False], range(4),
     np.float32(3), [np.int8(1), np.int8(2)]],
)  # fmt: skip
def test_asarray_of_python_values_is_numpys(value):
    same(ht.asarray(value), np.asarray(value))


def test_asarray_of_values_takes_a_dtype():
    for value in (3, [1, 2, 3], 2.7, [[1.5], [2.5]]):
        same(ht.asarray(value, dtype=ht.int32), np.asarray(value, dtype=np.int32))
        same(ht.asarray(value, dtype=ht.complex64), np.asarray(value, dtype=np.complex64))


def test_lists_of_arrays_are_stacked():
    x = ht.arange(3)
    same(ht.asarray([x, x + 1]), np.array([[0, 1, 2], [1, 2, 3]]))
    same(ht.asarray([x[0], 7, x[2]]), np.array([0, 7, 2]))
    same(ht.asarray([[x, x], [x, x]]).reshape((4, 3)), np.tile(np.arange(3), (4, 1)))
    same(ht.asarray((x, [0.5, 1.5, 2.5])), np.array([[0, 1, 2], [0.5, 1.5, 2.5]]))


@pytest.mark.usefixtures("cpu_by_default")
@pytest.mark.parametrize("copy", [None, False, True])
@pytest.mark.parametrize(
    "source", [bytearray(b"abc"), b"abc", array.array("d", [1.5, 2.5]), memoryview(bytearray(8))]
)
def test_objects_with_the_buffer_protocol(source, copy):
    x = ht.asarray(source, copy=copy)
    same(x, np.asarray(memoryview(source)))
    shares = copy is False
    assert x.flags["WRITEABLE"] == (not (shares and isinstance(source, bytes)))
    if shares and isinstance(source, bytearray):
        x[0] = 65
        ht.synchronize(x)
        assert source[0] == 65
        x[0] = ord("a")
        ht.synchronize(x)


def test_an_array_that_fits_shares_its_memory():
    x = ht.arange(4)
    y = ht.asarray(x)
    y += 1
    same(x, np.arange(4) + 1)
    z = ht.asarray(x, copy=True)
    z += 1
    same(x, np.arange(4) + 1)
    same(ht.asarray(x, dtype=ht.float32), np.arange(1, 5, dtype=np.float32))


@pytest.mark.parametrize("source", ["device", "shared", "host"])
@pytest.mark.parametrize("target", ["device", "shared", "host"])
def test_asarray_changes_the_usm_type(source, target):
    x = ht.asarray([1, 2, 3], usm_type=source)
    assert x.usm_type == source
    y = ht.asarray(x, usm_type=target)
    assert y.usm_type == target
    same(y, np.array([1, 2, 3]))


def test_device_may_be_a_device_a_queue_or_a_string(queue):
    for keyword in ("device", "queue", "sycl_queue"):
        for target in (queue, queue.device, queue.device.filter_string):
            assert ht.zeros(2, **{keyword: target}).queue == queue
            assert ht.asarray([1], **{keyword: target}).queue == queue
    x = ht.zeros(2, queue=ht.Queue(queue.device))
    assert ht.ones(2, device=x.device).queue == x.queue


def test_creation_uses_the_context():
    q = ht.Queue("cpu")
    with ht.device_context(q):
        assert ht.zeros(3).queue == q
        assert ht.asarray([1]).queue == q
        assert ht.arange(3).queue == q
    assert ht.zeros(3).queue != q


def test_arrays_move_between_queues(sub_devices):
    first, second = (ht.Queue(d) for d in sub_devices)
    x = ht.arange(5, queue=first)
    y = x.to_device(second)
    assert y.queue == second
    same(y, np.arange(5))
    assert x.to_device(first).queue == first
    z = x.copy_to(second)
    z += 1
    same(x, np.arange(5))
    assert x.collocate(y).queue == second
    assert x.asarray(second, usm_type="host").usm_type == "host"
    same(x.collocate(y) + y, 2 * np.arange(5))


def test_large_arrays_survive_the_way_there_and_back():
    n = np.random.default_rng(0).normal(size=(300, 400))
    same(ht.asarray(n), n)
    same(ht.asarray(n.T), n.T)
    same(ht.asarray(n)[::-1, 5:].T, n[::-1, 5:].T)


def test_ranges_that_just_fit_their_dtype():
    same(ht.arange(256, dtype=ht.uint8), np.arange(256).astype(np.uint8))
    same(ht.arange(127, -129, -1, dtype=ht.int8), np.arange(127, -129, -1).astype(np.int8))
    same(ht.arange(5, 300, -1, dtype=ht.uint8), np.arange(0, dtype=np.uint8))


def test_numpys_functions_that_name_an_absent_out_work():
    assert float(np.sum(ht.ones(3))) == 3
    assert float(np.mean(ht.ones(3))) == 1


def test_flags_are_asked_as_of_numpy_and_dpctl(queue):
    x = ht.zeros((3, 4), queue=queue)
    for view, c, f in ((x, True, False), (x.T, False, True), (x[:, ::2], False, False)):
        flags = view.flags
        assert (flags.c_contiguous, flags["C"], flags["C_CONTIGUOUS"]) == (c, c, c)
        assert (flags.f_contiguous, flags["F"], flags["F_CONTIGUOUS"]) == (f, f, f)
        assert (flags.forc, flags.fnc) == (c or f, f and not c)
        assert (flags.writeable, flags.writable, flags["WRITABLE"]) == (True, True, True)
    assert ht.zeros(3, queue=queue).flags.fnc is False
    assert not ht.broadcast_to(x, (2, 3, 4)).flags.writeable
    assert "C_CONTIGUOUS : True" in repr(x.flags)
    host = np.zeros((3, 4))
    names = "CONTIGUOUS FORTRAN OWNDATA O W A X WRITEBACKIFCOPY BEHAVED B FORC FNC"
    for own, view in ((x, host), (x.T, host.T), (x[1:, ::2], host[1:, ::2])):
        for name in names.split():
            assert own.flags[name] == view.flags[name], name
        assert own.flags.owndata == view.flags.owndata
    assert ht.copy(x.T + 1).flags.owndata
    with pytest.raises(KeyError, match="SHARED is none of"):
        x.flags["SHARED"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("empty", ((2, 3),)),
        ("zeros", ((2, 3),)),
        ("ones", ((2, 3),)),
        ("full", ((2, 3), 7)),
        ("asarray", ([1, 2],)),
        ("arange", (0, 5, 1)),
        ("eye", (3, 4, 1)),
        ("linspace", (0, 3, 4, True, False)),
    ],
)
def test_a_dtype_by_position_is_numpys(name, arguments, queue):
    expected = getattr(np, name)(*arguments, np.float32)
    got = getattr(ht, name)(*arguments, np.float32, queue=queue)
    assert (got.dtype, got.shape) == (np.float32, expected.shape)
    if name != "empty":
        np.testing.assert_array_equal(ht.asnumpy(got), expected)


@pytest.mark.parametrize("name", ["empty_like", "zeros_like", "ones_like"])
def test_functions_like_another_take_a_dtype_by_position(name, queue):
    x = ht.asarray([1.0, 2.0], queue=queue)
    assert getattr(ht, name)(x, np.int16).dtype == np.int16
    assert ht.full_like(x, 3, np.int16).dtype == np.int16


def test_linspace_has_numpys_defaults(queue):
    values, step = ht.linspace(0, 1, retstep=True, queue=queue)
    expected, expected_step = np.linspace(0, 1, retstep=True)
    np.testing.assert_array_equal(ht.asnumpy(values), expected)
    assert step == expected_step


@pytest.mark.parametrize("bounds", [(-3, 3), (-1, 1), (3, -3), (-0.5, -2.5)])
@pytest.mark.parametrize("endpoint", [True, False])
def test_linspace_of_integers_is_rounded_down(bounds, endpoint, queue):
    got = ht.linspace(*bounds, 10, endpoint=endpoint, dtype=ht.int32, queue=queue)
    expected = np.linspace(*bounds, 10, endpoint=endpoint, dtype=np.int32)
    np.testing.assert_array_equal(ht.asnumpy(got), expected)


@pytest.mark.parametrize("value", [2.5, [1, 2, 3], [[1.5], [2.5]]])
@pytest.mark.parametrize("dtype", [None, "float32", "int64"])
def test_full_of_arrays_broadcasts_them(value, dtype, queue):
    expected = np.full((2, 3), value, dtype)
    for given in (np.asarray(value), ht.asarray(value, queue=queue)):
        got = ht.full((2, 3), given, dtype=dtype, queue=queue)
        assert (got.dtype, got.queue) == (expected.dtype, queue)
        np.testing.assert_array_equal(ht.asnumpy(got), expected)
        like = ht.full_like(ht.zeros((2, 3), queue=queue), given, dtype=dtype)
        np.testing.assert_array_equal(ht.asnumpy(like), expected)
        got[0, 0] = 9  # memory of its own
        assert ht.asnumpy(like)[0, 0] == expected[0, 0]


def test_full_of_an_array_is_where_that_is(queue):
    assert ht.asnumpy(ht.full((2, 2), [1, 2], queue=queue)).tolist() == [[1, 2], [1, 2]]
    assert ht.full(3, ht.asarray(2, queue=queue)).queue == queue


def numbers_beside(xp, x):
    """Nested lists of elements of an array, pending values and numbers."""
    a, b = x[1], x[2]
    return [
        [a, b], [a, 1], (2.5, a), [True, a], [a + b, a * 2], [[a, b], [b, a * 3]], [[[a]], [[b]]],
        [[a, 0], (0.0, b)], [a, np.float32(2)], [a, np.int8(3)], [a, 1j], list(x), [list(x)] * 3,
        [x.sum(), x[3]], [a > b, a == a], [a, a > b], [xp.asarray(7), a],
        [[v, v] for v in x], [x[0, ...], a], [a],
    ]  # fmt: skip


@pytest.mark.parametrize("dtype", ["bool", "i1", "u8", "i8", "f2", "f4", "f8", "F", "D"])
@pytest.mark.parametrize("number", range(20))
def test_lists_of_numbers_of_the_device(number, dtype, device):
    n = np.asarray([0, 3, 1, 2, 5]).astype(dtype)
    with ht.device_context(device):
        x = ht.asarray(n)
        got = ht.asarray(numbers_beside(ht, x)[number])
    right = np.asarray(numbers_beside(np, n)[number])
    assert (got.device, got.shape) == (device, right.shape)
    np.testing.assert_array_equal(ht.asnumpy(got), right)


def test_lists_of_numbers_take_the_values_of_their_time(device):
    x = ht.arange(4, device=device)
    made = ht.asarray([x[1], x[2] + 1, 9])
    x[...] = 0
    assert made.tolist() == [1, 3, 9]
    assert ht.asarray([x[0], 300], dtype="u1").tolist() == [0, 44]
    for ragged in ([x[0], [1]], [[x[0]], x[0]], [[x[0], 1], [2]], [x[0], x]):
        with pytest.raises(ValueError):
            ht.asarray(ragged)
    assert ht.asarray([[x[0]], []][:1]).shape == (1, 1)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "int64"])
def test_ranges_of_integers_between_fractions_are_numpys(dtype):
    calls = [(0, 10, 2.7), (9.7, 20.5, 2.7), (0.5, 5), (0.5, 5, 0.5), (20.5, 3, -2.5), (4.5,)]
    if dtype != "uint8":
        calls += [(-1.5, 4), (10, -2.5, -1.6), (-0.5, 3, 0.9)]
    for call in [*calls, (3.5, 1.5), (5.0, 5)]:
        result, right = hnp.arange(*call, dtype=dtype), np.arange(*call, dtype=dtype)
        assert result.dtype == right.dtype
        assert result.tolist() == right.tolist()
    assert hnp.arange(0, 300.5, 100, dtype="int16").tolist() == [0, 100, 200, 300]


def test_tri_of_no_dtype_is_of_float64():
    assert hnp.tri(2, dtype=None).dtype == np.float64
