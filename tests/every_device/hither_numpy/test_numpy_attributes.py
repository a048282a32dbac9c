"""Assignments to attributes of arrays: shape, real, imag, flat; and base."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


def test_an_assignment_to_shape_changes_the_object(queue):
    x = ht.asarray(np.arange(6), queue=queue)
    y = x[...]
    x.shape = (2, 3)
    assert (x.shape, y.shape) == ((2, 3), (6,))
    x[0, 1] = 9
    assert y.tolist() == [0, 9, 2, 3, 4, 5]
    x.shape = -1
    assert x.shape == (6,)
    pending = x + 1
    pending.shape = 3, -1
    assert pending.tolist() == [[1, 10], [3, 4], [5, 6]]
    one = ht.asarray([7], queue=queue)
    one.shape = ()
    assert one.shape == () and int(one) == 7


def test_a_shape_that_needs_a_copy_is_an_error(queue):
    x = ht.asarray(np.arange(6).reshape(2, 3), queue=queue).T
    with pytest.raises(AttributeError, match="without a copy"):
        x.shape = (6,)
    assert x.shape == (3, 2)
    with pytest.raises(ValueError, match="reshape"):
        x.shape = (4,)
    with pytest.raises(AttributeError):
        del x.shape


def test_base(queue):
    x = ht.asarray(np.arange(6), queue=queue)
    assert x.base is None and (x + 1).base is None
    part = x[2:4]
    assert part.base.tolist() == [0, 1, 2, 3, 4, 5]
    part.base[3] = 7
    assert x[3] == 7 and part[1] == 7
    assert ht.reshape(x, (2, 3)).base.shape == (6,)
    assert ht.copy(part).base is None


@pytest.mark.parametrize("char", "FD")
def test_assignments_to_real_and_imag(queue, char):
    x = np.array([[1 + 2j, 3 - 1j], [complex(np.inf, 1), complex(0, np.nan)]], char)
    own = ht.asarray(x.copy(), queue=queue)
    before = own + 0
    for v in (own, x):
        v.T[::-1].real = [5, np.inf]
        v[0].imag = np.inf
        v[1, :1].imag = 4
    np.testing.assert_array_equal(ht.asnumpy(own), x)
    own.imag, x.imag = own.real + 1, x.real + 1
    np.testing.assert_array_equal(ht.asnumpy(own), x)
    assert ht.asnumpy(before)[0, 1] == 3 - 1j
    pending, host = own + 1, x + 1
    pending.real = host.real = 2
    np.testing.assert_array_equal(ht.asnumpy(pending), host)
    real = hnp.arange(3.0, queue=queue)
    real.real = 4
    assert real.tolist() == [4, 4, 4]
    assert real.real is real
    with pytest.raises(TypeError, match="imaginary"):
        real.imag = 1


def test_assignments_to_flat(queue):
    x = np.arange(6).reshape(2, 3)
    own = ht.asarray(x.copy(), queue=queue)
    for v in (own, x):
        v.flat = [7, 8]
        v.T.flat[1] = 9
        v.flat[[0, -1]] = 3
    assert own.tolist() == x.tolist()


@pytest.mark.parametrize("dtype", ["c8", "c16", "f4", "i8"])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.max(), lambda x: x.min(axis=0), lambda x: x.max(1), lambda x: x.argmax(),
        lambda x: x.argmin(axis=1), lambda x: x.clip(-1, 2), lambda x: x.clip(max=1),
    ],
)  # fmt: skip
def test_methods_order_complex_numbers_as_numpy_does(queue, dtype, call):
    n = np.random.default_rng(1).integers(-3, 4, (5, 6)).astype(dtype)
    if n.dtype.kind == "c":
        n.imag = np.random.default_rng(2).integers(-3, 4, n.shape)
    got, expected = call(ht.asarray(n, queue=queue)), call(n)
    assert got.dtype == expected.dtype and np.array_equal(ht.asnumpy(got), expected)


def test_views_of_other_elements_say_what_does_not_fit(queue):
    x = hnp.zeros(32, np.int8, queue=queue)
    assert x[8:-8].view(np.float64).shape == (2,)
    with pytest.raises(ValueError, match="at no multiple of 8 bytes; copy the array first"):
        x[4:-4].view(np.float64)
    with pytest.raises(TypeError, match="not in the byte order of this machine"):
        x.view(">f8")


def test_the_host_reads_a_view_of_other_elements_after_the_work_that_writes_them(queue):
    n = np.random.default_rng(0).random(1 << 18).astype("float32")
    for _ in range(5):
        x = ht.asarray(n, queue=queue, usm_type="shared")
        bits = ht.sort(x).view("uint32")
        host = np.asarray(bits).copy()  # without a copy of hither's, which would wait
        np.testing.assert_array_equal(host, np.sort(n).view("uint32"))


@pytest.mark.parametrize("shape", [(1, 2), (1, 1, 4), (3, 1, 2)])
def test_an_axis_of_one_element_may_have_any_stride_in_a_view_of_larger_elements(queue, shape):
    n = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    x = ht.asarray(n, queue=queue)
    for host, own in ((n, x), (n[:1], x[:1]), (n[-1:], x[-1:])):
        got = own.view(np.complex64)
        assert got.shape == host.view(np.complex64).shape
        np.testing.assert_array_equal(ht.asnumpy(got), host.view(np.complex64))
    y = ht.asarray(np.arange(6, dtype=np.float32), queue=queue).reshape((3, 2))[:1, :]
    assert ht.asnumpy(y.view(np.complex64)).tolist() == [[1j]]


@pytest.mark.either_mode
def test_devices_can_be_joined_to_lists():
    devices = ht.__array_namespace_info__().devices()
    assert isinstance(devices, tuple) and list(devices) == ht.devices()
    assert devices + [None] == [*ht.devices(), None]  # noqa: RUF005 - as SciPy's tests do
    assert [None] + devices == [None, *ht.devices()]  # noqa: RUF005
    assert devices + (None,) == (*ht.devices(), None)  # noqa: RUF005


@pytest.mark.either_mode
@pytest.mark.skipif(not np.__version__.startswith("2.4."), reason="it follows NumPy 2.4")
@pytest.mark.parametrize("name", "argpartition argsort choose compress cumprod cumsum diagonal "
                         "flatten nonzero partition put ravel repeat round searchsorted sort "
                         "swapaxes take trace".split())  # fmt: skip
def test_methods_show_the_parameters_of_numpys(name):
    wanted = inspect.signature(getattr(np.ndarray, name)).parameters.values()
    own = inspect.signature(getattr(ht.Array, name)).parameters.values()
    assert [p.name for p in own if p.name != "queue"] == [p.name for p in wanted]
    assert [p.default for p in own if p.name != "queue"] == [p.default for p in wanted]
