"""hither.scipy.signal compared with SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.scipy_modules.scipy_results import SETTINGS, elements, outcome, same
from hither.scipy import signal

PARTS = st.sampled_from(["full", "same", "valid"])
SEEDS = st.integers(0, 99)
PAIRS = st.sampled_from([
    ((20,), (5,)), ((5,), (20,)), ((1,), (1,)), ((6, 7), (3, 2)), ((3, 2), (6, 7)),
    ((3, 4), (4, 3)), ((4, 1, 5), (2, 1, 5)), ((9,), (2, 2)),
])  # fmt: skip


def compared(device, name, *arrays, host=0, rtol=None, **options):
    """The first `host` arrays are coefficients, which stay NumPy's."""
    sent = [a if i < host or not isinstance(a, np.ndarray) else ht.asarray(a, device=device)
            for i, a in enumerate(arrays)]  # fmt: skip
    moved = {k: ht.asarray(v, device=device) if isinstance(v, np.ndarray) else v
             for k, v in options.items()}  # fmt: skip
    same(outcome(getattr(signal, name), *sent, **moved),
         outcome(getattr(scipy.signal, name), *arrays, **options), rtol)  # fmt: skip


@SETTINGS
@given(name=st.sampled_from(["convolve", "correlate"]), pair=PAIRS, mode=PARTS, seed=SEEDS,
       method=st.sampled_from(["direct", "fft"]), dtype=st.sampled_from("dfiDF"))  # fmt: skip
def test_convolutions(device, name, pair, mode, seed, method, dtype):
    a, b = (elements(dtype, shape, seed + i) for i, shape in enumerate(pair))
    rtol = {"f": 1e-4, "F": 1e-4}.get(dtype, 1e-10)
    compared(device, name, a, b, mode=mode, method=method, rtol=rtol)


@SETTINGS
@given(name=st.sampled_from(["fftconvolve", "oaconvolve"]), pair=PAIRS, mode=PARTS, seed=SEEDS,
       dtypes=st.sampled_from(["dd", "dD", "ff", "id"]))  # fmt: skip
def test_convolutions_by_transforms(device, name, pair, mode, seed, dtypes):
    a, b = (elements(t, shape, seed) for t, shape in zip(dtypes, pair, strict=True))
    compared(device, name, a, b, mode=mode, rtol=1e-4 if dtypes == "ff" else 1e-10)


def test_convolutions_along_axes(device):
    a, b = elements("d", (4, 30), 1), elements("d", (4, 7), 2)
    for axes in (1, (-1,), [0, 1], (), 2, (1, 1)):
        compared(device, "fftconvolve", a, b, axes=axes, rtol=1e-10)
    compared(device, "fftconvolve", a, elements("d", (1, 7), 3), axes=1, rtol=1e-10)
    compared(device, "fftconvolve", np.zeros((0, 3)), b)


@SETTINGS
@given(name=st.sampled_from(["convolve2d", "correlate2d"]), mode=PARTS, seed=SEEDS,
       pair=st.sampled_from([((6, 7), (3, 2)), ((3, 2), (6, 7)), ((5, 5), (5, 5)),
                             ((1, 6), (1, 2))]),
       boundary=st.sampled_from(["fill", "wrap", "symm"]),
       dtype=st.sampled_from("dfiD"))  # fmt: skip
def test_planes(device, name, mode, seed, pair, boundary, dtype):
    a, b = (elements(dtype, shape, seed) for shape in pair)
    compared(device, name, a, b, mode=mode, boundary=boundary, fillvalue=2, rtol=1e-4)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_lags(device, mode):
    for lengths in ((7, 4), (4, 7), (5, 6), (6, 6), (1, 1)):
        right = scipy.signal.correlation_lags(*lengths, mode)
        same(signal.correlation_lags(*lengths, mode, device=device), right)


def test_the_chosen_method(device):
    short, long = ht.ones(5, device=device), ht.ones(20_000, device=device)
    assert signal.choose_conv_method(long, short) == "direct"
    assert signal.choose_conv_method(long, long) == "fft"
    large = ht.full(20_000, 2**40, device=device)
    assert signal.choose_conv_method(large, large) == "direct"


FILTERS = [([1.0, 0.3], [1.0, -0.5, 0.2]), ([2.0, 1, 0.5], [2.0, 0.1]), ([0.5, 1, 2], [2.0]),
           ([3.0], [1.0]), ([1.0], [1.0, -0.9])]  # fmt: skip


@pytest.mark.parametrize(("b", "a"), FILTERS)
@pytest.mark.parametrize("dtype", ["d", "f", "D", "i"])
def test_rational_filters(device, b, a, dtype):
    pytest.importorskip("numba")
    kind = "f" if dtype == "f" else "d"
    coefficients = np.array(b, kind), np.array(a, kind)
    order = max(len(b), len(a)) - 1
    for shape, axis in (((30,), -1), ((4, 25), 1), ((25, 3), 0), ((2, 9, 3), -2), ((1,), 0)):
        x = elements(dtype, shape, 1)
        compared(device, "lfilter", *coefficients, x, host=2, axis=axis, rtol=1e-4)
        states = list(shape)
        states[axis] = order
        if order:
            zi = elements(kind, states, 2)
            compared(device, "lfilter", *coefficients, x, host=2, axis=axis, zi=zi, rtol=1e-4)


def test_sections_and_both_ways(device):
    pytest.importorskip("numba")
    b, a = scipy.signal.butter(3, 0.2)
    sos = scipy.signal.butter(4, 0.2, output="sos")
    for shape, axis in (((50,), -1), ((3, 40), 1), ((40, 3), 0)):
        x = elements("d", shape, 3)
        states = [len(sos), *shape]
        states[1 + axis % len(shape)] = 2
        compared(device, "sosfilt", sos, x, host=1, axis=axis)
        zi = elements("d", states, 4)
        compared(device, "sosfilt", sos, x, host=1, axis=axis, zi=zi)
        for padtype in ("odd", "even", "constant", None):
            compared(device, "filtfilt", b, a, x, host=2, axis=axis, padtype=padtype, rtol=1e-9)
            compared(device, "sosfiltfilt", sos, x, host=1, axis=axis, padtype=padtype, rtol=1e-9)
    compared(device, "filtfilt", b, a, elements("d", (5,), 1), host=2)
    compared(device, "sosfilt", sos[:, :5], elements("d", (5,), 1), host=1)
    same(signal.lfilter_zi(b, a, device=device), scipy.signal.lfilter_zi(b, a), 1e-9)
    single = b.astype("f"), a.astype("f")
    same(signal.lfilter_zi(*single, device=device), scipy.signal.lfilter_zi(*single), 1e-3)
    same(signal.sosfilt_zi(sos, device=device), scipy.signal.sosfilt_zi(sos), 1e-9)


def test_medians(device):
    x = elements("d", (9, 11), 5)
    compared(device, "medfilt", x)
    compared(device, "medfilt", x, 5)
    compared(device, "medfilt", x, 4)
    compared(device, "medfilt2d", x, 5)
    compared(device, "order_filter", x, np.ones((3, 1)), 2, rtol=0)
    compared(device, "wiener", x, rtol=1e-9)


def test_names_that_are_absent():
    with pytest.raises(AttributeError, match=r"scipy\.signal\.butter"):
        signal.butter  # noqa: B018


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("fillvalue", [1 + 2j, [1, 2], "text", [3], 1.5, 2, 300])
def test_values_beyond_the_edges(device, fillvalue):
    for dtype in "dib":
        a, b = elements(dtype, (4, 5), 1), elements(dtype, (2, 2), 2)
        compared(device, "convolve2d", a, b, fillvalue=fillvalue, rtol=1e-9)


def test_arrays_without_elements(queue):
    empty = ht.zeros(0, queue=queue)
    assert signal.lfilter([0.2], [1, -0.8], empty).shape == (0,)
    y, state = signal.lfilter([0.2, 1], [1.0, 0.5], empty, zi=ht.ones(1, queue=queue))
    assert y.shape == (0,) and state.tolist() == [1.0]


def test_a_negative_padlen_is_refused(queue):
    x = ht.ones(40, queue=queue)
    with pytest.raises(ValueError, match="padlen is -1; it must be 0 or more"):
        signal.filtfilt([0.2], [1, -0.8], x, padlen=-1)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("mode", ["full", "valid", "same"])
def test_convolutions_without_elements(queue, name, mode):
    for first, second in ((0, 7), (7, 0), (0, 0)):
        given = [np.ones(first), np.ones(second)]
        mine = [ht.asarray(x, queue=queue) for x in given]
        try:
            with np.errstate(all="ignore"):
                right = getattr(scipy.signal, name)(*given, mode=mode)
        except ValueError:
            with pytest.raises(ht.InvalidValueError, match=rf"^{name}: in[12] has no elements"):
                getattr(signal, name)(*mine, mode=mode)
        else:
            assert getattr(signal, name)(*mine, mode=mode).shape == right.shape


@pytest.mark.parametrize("size", [0, -1, (3, 0), (3,), 2.5])
def test_wiener_refuses_windows_without_elements(queue, size):
    with pytest.raises((ValueError, TypeError)):
        scipy.signal.wiener(np.ones((3, 4)), size)
    with pytest.raises((ht.InvalidValueError, ht.InvalidTypeError), match=r"^wiener: mysize is"):
        signal.wiener(ht.ones((3, 4), queue=queue), size)
