"""float8: storage that is cast, copied and viewed. Nothing computes in it."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

ml_dtypes = pytest.importorskip("ml_dtypes")
FORMATS = ["float8_e4m3fn", "float8_e5m2"]
ALL = np.arange(256, dtype=np.uint8)


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name))


def raw(x, name):
    """The bits, with one pattern for all NaNs."""
    x = ht.asnumpy(x) if isinstance(x, ht.Array) else x
    assert x.dtype == dtype_of(name)
    return np.where(np.isnan(x.astype(np.float32)), 0x7F, x.view(np.uint8))


@pytest.mark.parametrize("name", FORMATS)
def test_every_pattern_survives(queue, name):
    a = ALL.view(dtype_of(name))
    x = ht.asarray(a, queue=queue)
    assert x.dtype == getattr(ht, name)
    assert x.itemsize == 1
    copies = [
        x,
        ht.copy(x),
        x[::-1][::-1],
        ht.concat([x, x])[:256],
        x.reshape(16, 16).T.T.reshape(-1),
        x.view("uint8").view(name),
        ht.take(x, ht.arange(256, queue=queue)),
        ht.from_dlpack(x),
    ]
    for copied in copies:
        np.testing.assert_array_equal(ht.asnumpy(copied).view(np.uint8), ALL)
    np.testing.assert_array_equal(ht.asnumpy(x.view(np.uint8)), ALL)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16", "complex64"])
def test_every_pattern_is_cast_exactly(queue, name, dtype):
    a = ALL.view(dtype_of(name))
    wide = ht.asarray(a, queue=queue).astype(dtype)
    found = ht.asnumpy(ht.real(wide)).astype(np.float32)
    np.testing.assert_array_equal(found, a.astype(np.float32))
    numbers = ~np.isnan(found)  # a GPU drops the sign of a NaN
    signs = np.signbit(a.astype(np.float32))
    np.testing.assert_array_equal(np.signbit(found)[numbers], signs[numbers])
    back = wide.astype(name)
    np.testing.assert_array_equal(raw(back, name)[numbers], raw(a, name)[numbers])
    assert np.isnan(ht.asnumpy(back.astype("float32"))[~numbers]).all()


@pytest.mark.parametrize("name", FORMATS)
def test_float32_is_rounded_to_nearest(queue, name):
    numbers = ALL.view(dtype_of(name)).astype(np.float32)
    numbers = np.unique(numbers[np.isfinite(numbers)])
    middle = ((numbers[1:].astype("d") + numbers[:-1]) / 2).astype(np.float32)
    random = np.random.default_rng(1).integers(0, 1 << 32, 20_000, dtype=np.uint32).view("f")
    large = np.array([447, 448, 463.9, 464, 464.1, 480, 57344, 61439, 61440, 65536, 1e38], "f")
    x = np.concatenate([middle, np.nextafter(middle, np.float32(np.inf)),
                        np.nextafter(middle, -np.float32(np.inf)), random, large, -large,
                        np.array([np.inf, -np.inf, np.nan, 0, -0.0, 1e-45], "f")])  # fmt: skip
    with np.errstate(all="ignore"):
        expected = x.astype(dtype_of(name))
    found = ht.asarray(x, queue=queue).astype(name)
    np.testing.assert_array_equal(raw(found, name), raw(expected, name))
    sign = np.signbit(ht.asnumpy(found).astype(np.float32))
    np.testing.assert_array_equal(sign[~np.isnan(x)], np.signbit(x[~np.isnan(x)]))


@pytest.mark.parametrize("name", FORMATS)
def test_wider_numbers_are_rounded_once(queue, name):
    tiny = 2.0**-40
    x = np.array([1 + 2**-4 + tiny, 1 + 2**-3 + tiny, 1 + 3 * 2**-3 - tiny, 1 + 3 * 2**-4 - tiny])
    unit = 2.0**-3 if name == "float8_e4m3fn" else 2.0**-2
    expected = np.rint(x / unit) * unit
    np.testing.assert_array_equal(
        ht.asnumpy(ht.asarray(x, queue=queue).astype(name)).astype("d"), expected
    )
    whole = np.array([-5, 0, 3, 16, 17, 31, 448, -449], np.int32)
    np.testing.assert_array_equal(
        ht.asnumpy(ht.asarray(whole, queue=queue).astype(name)).astype("f"),
        whole.astype("f").astype(dtype_of(name)).astype("f"),
    )
    assert ht.asarray(x, queue=queue).astype(name).astype("int32").dtype == np.int32


@pytest.mark.parametrize("name", FORMATS)
def test_creation_and_assignment(queue, name):
    x = ht.zeros((2, 3), dtype=name, queue=queue)
    x[0] = 1.5
    x[1, :2] = ht.asarray([0.1, 300.0], queue=queue)
    expected = np.zeros((2, 3), dtype_of(name))
    expected[0] = 1.5
    expected[1, :2] = np.array([0.1, 300.0], "f").astype(dtype_of(name))
    np.testing.assert_array_equal(raw(x, name), raw(expected, name))
    assert x[0, 0].item() == 1.5
    assert ht.full(2, 448.0, dtype=name, queue=queue).dtype == dtype_of(name)
    assert ht.asarray([0.5, 2], dtype=name, queue=queue)[1].item() == 2
    assert f"dtype={name}" in repr(x)
    mask = ht.asarray([[True, False, True]] * 2, queue=queue)
    assert ht.where(mask, x, ht.zeros_like(x)).dtype == dtype_of(name)
    assert x[mask].shape == (4,)


OPERATIONS = {
    "add": lambda x: x + 1,
    "negative": lambda x: -x,
    "equal": lambda x: x == x,
    "exp": ht.exp,
    "sum": ht.sum,
    "max": ht.max,
    "argmin": ht.argmin,
    "mean": ht.mean,
    "cumulative_sum": ht.cumulative_sum,
    "sort": ht.sort,
    "argsort": ht.argsort,
    "searchsorted": lambda x: ht.searchsorted(x, x),
    "matmul": lambda x: ht.matmul(x, x),
    "vecdot": lambda x: ht.vecdot(x, x),
    "exp of numpy": lambda x: np.exp(x),
    "add of numpy": lambda x: ht.numpy.add(x, 1),
    "fft": ht.fft.fft,
    "arange": lambda x: ht.arange(3, dtype=x.dtype, queue=x.queue),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_arithmetic_is_refused(queue, name, operation):
    x = ht.ones(3, dtype=name, queue=queue)
    text = (
        rf"{operation.split()[0]}: {name} is a dtype for storage.*bfloat16 or float32 with astype"
    )
    with pytest.raises(ht.InvalidTypeError, match=text):
        OPERATIONS[operation](x)


@pytest.mark.parametrize("name", FORMATS)
def test_a_sum_with_a_dtype_is_computed(queue, name):
    x = ht.ones(300, dtype=name, queue=queue)
    assert ht.sum(x, dtype="float32").item() == 300
    assert ht.sum(x.astype("bfloat16")).item() == 300
