"""hither.fft against NumPy: dtypes, axes, lengths, norms, layouts."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.libraries.library_arrays import close, laid_out, profile, random_values

REAL = ["float32", "float64", "int32", "bool"]
DTYPES = [*REAL, "complex64", "complex128"]
NORMS = st.sampled_from(["backward", "ortho", "forward"])


def expected_of(name, host, **options):
    """NumPy's result in the precision that hither promises, which NumPy 1 does not keep."""
    result = getattr(np.fft, name)(host, **options)
    single = host.dtype in (np.float32, np.complex64)
    kind = "complex" if result.dtype.kind == "c" else "float"
    bits = (64 if single else 128) if kind == "complex" else (32 if single else 64)
    return result.astype(f"{kind}{bits}")


@st.composite
def arrays(draw, dtypes=DTYPES):
    shape = draw(st.lists(st.sampled_from([1, 2, 3, 8, 15]), min_size=1, max_size=3))
    if len(shape) > 1 and draw(st.booleans()):
        shape[0] = draw(st.sampled_from([0, 64]))
    return draw(laid_out(tuple(shape), draw(st.sampled_from(dtypes))))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@given(data=st.data())
@profile
def test_along_one_axis(name, data):
    host, x = data.draw(arrays(REAL if name in ("rfft", "ihfft") else DTYPES))
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    least = 2 if name in ("irfft", "hfft") else 1
    n = data.draw(st.sampled_from([None, 1, 2, 5, 16]))
    if host.shape[axis] < least and n is None:
        n = 4
    if host.shape[axis] == 0:
        axis = (axis % host.ndim + 1) % host.ndim
        n = 4
    norm = data.draw(NORMS)
    before = ht.asnumpy(x)
    result = getattr(ht.fft, name)(x, n=n, axis=axis, norm=norm)
    assert (result.queue, result.usm_type) == (x.queue, x.usm_type)
    close(result, expected_of(name, host, n=n, axis=axis, norm=norm))
    np.testing.assert_array_equal(ht.asnumpy(x), before)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@given(data=st.data())
@profile
def test_along_several_axes(name, data):
    host, x = data.draw(arrays(REAL if name == "rfftn" else DTYPES))
    axes = data.draw(st.sampled_from([None, (-1,), tuple(range(host.ndim)), (0,)]))
    s = data.draw(st.sampled_from([None, 1, 6]))
    given_axes = tuple(range(host.ndim)) if axes is None else axes
    if host.size == 0 or (name == "irfftn" and host.shape[given_axes[-1]] == 1):
        s = 4
    s = None if s is None else (s,) * len(given_axes)
    if host.size == 0:
        return
    norm = data.draw(NORMS)
    result = getattr(ht.fft, name)(x, s=s, axes=axes, norm=norm)
    close(result, expected_of(name, host, s=s, axes=given_axes, norm=norm))


@pytest.mark.parametrize("dtype", DTYPES)
def test_there_and_back(device, dtype):
    host = random_values(dtype, (40, 12), 0)
    x = ht.asarray(host, device=device)
    again = ht.fft.ifftn(ht.fft.fftn(x))
    np.testing.assert_allclose(ht.asnumpy(again), host, atol=1e-6)
    if host.dtype.kind != "c":
        back = ht.fft.irfftn(ht.fft.rfftn(x), s=host.shape)
        np.testing.assert_allclose(ht.asnumpy(back), host, atol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 7, 8])
@pytest.mark.parametrize("dtype", [None, "float32"])
def test_frequencies(device, n, dtype):
    for name in ("fftfreq", "rfftfreq"):
        result = getattr(ht.fft, name)(n, d=0.25, dtype=dtype, device=device)
        close(result, getattr(np.fft, name)(n, 0.25).astype(dtype or "float64"))
        assert result.queue == device.default_queue


@given(arrays(), st.sampled_from([None, 0, (0,), (-1,)]))
@profile
def test_shifts(case, axes):
    host, x = case
    close(ht.fft.fftshift(x, axes=axes), np.fft.fftshift(host, axes))
    close(ht.fft.ifftshift(x, axes=axes), np.fft.ifftshift(host, axes))


def test_no_axes_change_nothing(device):
    x = ht.asarray([1.0, 2.0], device=device)
    close(ht.fft.fftn(x, axes=()), np.array([1, 2], "complex128"))


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft"])
def test_numpy_computes_where_scipy_is_not_installed(device, name, monkeypatch):
    for module in [m for m in sys.modules if m.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "scipy", None)
    for dtype in ("float32", "float64"):
        host = random_values(dtype, (6, 8), 1)
        close(getattr(ht.fft, name)(ht.asarray(host, device=device)), expected_of(name, host))


def test_a_transform_follows_pending_work(device):
    queue = ht.Queue(device, in_order=False)
    host = random_values("complex128", (256,), 2)
    x = ht.asarray(host, queue=queue)
    for _ in range(10):
        x = x * 2
        x[3] = 1
        host = host * 2
        host[3] = 1
    y = ht.fft.fft(x)
    assert y.queue == queue
    close(y * 2, np.fft.fft(host) * 2)


@pytest.mark.either_mode
@pytest.mark.parametrize("name", ["rfftn", "irfftn"])
def test_half_transforms_need_an_axis(name, queue):
    for x, axes in ((ht.ones(4, queue=queue), ()), (ht.ones((), queue=queue), None)):
        with pytest.raises(ValueError, match="no axis to transform"):
            getattr(ht.fft, name)(x, axes=axes)
    whole = ht.fft.fftn(ht.ones(4, queue=queue), axes=())
    np.testing.assert_array_equal(ht.asnumpy(whole), np.fft.fftn(np.ones(4), axes=()))
