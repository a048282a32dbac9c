"""Filters of hither.scipy.ndimage compared with SciPy's, without NumPy on the host."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.scipy_modules.scipy_results import SETTINGS, elements, outcome, same
from hither.scipy import ndimage

MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-wrap", "grid-mirror"]
SHAPES = st.sampled_from([(1,), (6,), (33,), (5, 8), (1, 4), (7, 1), (3, 4, 5), (0,), (3, 0)])
DTYPES = st.sampled_from(["d", "f", "i", "b", "B", "?", "q"])
SEEDS = st.integers(0, 99)


@pytest.fixture(autouse=True)
def _native():
    with ht.host_fallback("error"):
        yield


def compared(device, name, x, *arguments, rtol=None, **options):
    result = outcome(getattr(ndimage, name), ht.asarray(x, device=device), *arguments, **options)
    same(result, outcome(getattr(scipy.ndimage, name), x, *arguments, **options), rtol)


@SETTINGS
@given(
    name=st.sampled_from(["correlate1d", "convolve1d"]), dtype=DTYPES, shape=SHAPES, seed=SEEDS,
    weights=st.lists(st.integers(-3, 3).map(lambda n: n / 2), max_size=6),
    mode=st.sampled_from(MODES), origin=st.integers(-2, 2), axis=st.integers(-2, 1),
)  # fmt: skip
def test_weights_along_an_axis(device, name, dtype, shape, seed, weights, mode, origin, axis):
    x = elements(dtype, shape, seed)
    if not weights and name == "convolve1d":
        return  # SciPy's convolve1d looks at the origin first
    compared(device, name, x, weights, axis, mode=mode, cval=1.5, origin=origin)


@pytest.mark.parametrize("weights", [[1, 2, 3, 2, 1], [-1, 0, 1], [1, -2, 1], [0.5, 1, 2]])
@pytest.mark.parametrize("axis", [0, 1])
def test_symmetric_weights_give_the_same_bits(device, weights, axis):
    x = elements("d", (40, 37), 1)
    for mode in MODES:
        result = ndimage.correlate1d(ht.asarray(x, device=device), weights, axis, mode=mode)
        right = scipy.ndimage.correlate1d(x, weights, axis, mode=mode)
        np.testing.assert_array_equal(ht.asnumpy(result), right)


@SETTINGS
@given(
    name=st.sampled_from(["correlate", "convolve"]), dtype=DTYPES, seed=SEEDS,
    extents=st.tuples(st.integers(1, 3), st.integers(1, 4)), mode=st.sampled_from(MODES),
    shape=st.sampled_from([(5, 8), (1, 4), (3, 0), (20, 21)]), origin=st.integers(-1, 1),
)  # fmt: skip
def test_weights_of_two_dimensions(device, name, dtype, seed, extents, mode, shape, origin):
    weights = np.round(np.random.default_rng(seed).random(extents) * 4 - 2)
    x = elements(dtype, shape, seed)
    compared(device, name, x, weights, mode=mode, cval=-2, origin=(origin, 0))


@pytest.mark.parametrize("name", ["correlate", "convolve", "correlate1d", "convolve1d"])
@pytest.mark.parametrize("dtypes", ["DD", "Dd", "dD", "Ff"])
def test_complex_numbers(device, name, dtypes):
    shape = (4,) if name.endswith("1d") else (2, 3)
    weights = elements(dtypes[1], shape, 3)
    cval = 1 + 2j if dtypes[0] in "DF" else 1
    compared(device, name, elements(dtypes[0], (6, 7), 2), weights, mode="constant", cval=cval)


@SETTINGS
@given(
    dtype=DTYPES, shape=SHAPES, seed=SEEDS, sigma=st.sampled_from([0, 0.5, 1.0, 2.5]),
    order=st.integers(0, 3), mode=st.sampled_from(MODES),
)  # fmt: skip
def test_gaussian_filter(device, dtype, shape, seed, sigma, order, mode):
    x = elements(dtype, shape, seed)
    # Where SciPy drops fractions, the rounding of sums such as 1 would decide.
    output = {} if dtype in "df" else {"output": np.float64}
    compared(device, "gaussian_filter", x, sigma, order, mode=mode, cval=2.0, **output)


@SETTINGS
@given(
    dtype=DTYPES, shape=SHAPES, seed=SEEDS, size=st.integers(1, 40), mode=st.sampled_from(MODES),
    origin=st.integers(-1, 1),
)  # fmt: skip
def test_uniform_filter(device, dtype, shape, seed, size, mode, origin):
    x = elements(dtype, shape, seed)
    rtol = 1e-5 if dtype == "f" else 1e-10
    if dtype in "ibBq" and mode == "constant":
        mode = "nearest"  # SciPy's running sum of 1.5 may round across an integer
    compared(device, "uniform_filter", x, size, mode=mode, cval=1.5, origin=origin, rtol=rtol)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["d", "f", "i"])
def test_derivatives(device, dtype, mode):
    x = elements(dtype, (9, 12), 4)
    for name in ("sobel", "prewitt"):
        for axis in (0, -1):
            compared(device, name, x, axis, mode=mode, cval=1)
    compared(device, "laplace", x, mode=mode, cval=1)
    if dtype != "i":  # sums of derivatives are rounded to integers one by one
        for name in ("gaussian_laplace", "gaussian_gradient_magnitude"):
            compared(device, name, x, 1.2, mode=mode, rtol=1e-5)


@SETTINGS
@given(
    name=st.sampled_from(["minimum_filter", "maximum_filter"]), dtype=DTYPES, shape=SHAPES,
    seed=SEEDS, size=st.integers(0, 40), mode=st.sampled_from(MODES), origin=st.integers(-1, 1),
)  # fmt: skip
def test_minima_and_maxima(device, name, dtype, shape, seed, size, mode, origin):
    x = elements(dtype, shape, seed)
    compared(device, name + "1d", x, size, mode=mode, cval=3, origin=origin)
    if size:
        compared(device, name, x, size, mode=mode, cval=3, origin=origin)


@SETTINGS
@given(
    dtype=DTYPES, seed=SEEDS, mode=st.sampled_from(MODES), rank=st.integers(-8, 8),
    footprint=st.sampled_from([(2, 2), (3, 3), (1, 5), (5, 6)]), holes=st.booleans(),
)  # fmt: skip
def test_ranks(device, dtype, seed, mode, rank, footprint, holes):
    x = elements(dtype, (7, 9), seed)
    mask = np.random.default_rng(seed).random(footprint) > (0.4 if holes else -1)
    mask.flat[0] = True
    compared(device, "rank_filter", x, rank, footprint=mask, mode=mode, cval=1)
    compared(device, "median_filter", x, footprint=mask, mode=mode, cval=1)
    compared(device, "percentile_filter", x, 30, footprint=mask, mode=mode, cval=1)


@pytest.mark.parametrize("name", ["gaussian_filter", "uniform_filter", "median_filter"])
def test_results_are_written_to_output(device, name):
    x = elements("d", (6, 7), 5)
    right = getattr(scipy.ndimage, name)(x, 3)
    output = ht.empty((6, 7), dtype=ht.float64, device=device)
    given_x = ht.asarray(x, device=device)
    assert getattr(ndimage, name)(given_x, 3, output=output) is output
    same(output, right)
    assert getattr(ndimage, name)(given_x, 3, output=given_x) is given_x
    same(given_x, right)
    compared(device, name, x, 3, output="float32", rtol=1e-5)
    compared(device, name, x, 3, output=np.int8)


def test_axes_choose_what_is_filtered(device):
    x = elements("d", (4, 5, 6), 6)
    compared(device, "gaussian_filter", x, (1, 2), axes=(0, -1), mode=["wrap", "nearest"])
    compared(device, "uniform_filter", x, 3, axes=1)
    compared(device, "correlate", x, np.ones((2, 3)), axes=(2, 0))
    compared(device, "minimum_filter", x, footprint=[[1, 0], [1, 1]], axes=(0, 2))
    compared(device, "gaussian_filter", x, 1, axes=3)
    compared(device, "gaussian_filter", x, 1, axes=(1, 1))


def test_wrong_arguments(device):
    x = ht.ones((3, 4), device=device)
    with pytest.raises(RuntimeError, match="mode='edge' is none of"):
        ndimage.gaussian_filter(x, 1, mode="edge")
    with pytest.raises(RuntimeError, match="output shape not correct"):
        ndimage.sobel(x, output=ht.ones((4, 3), device=device))
    with pytest.raises(TypeError, match="output is a NumPy array"):
        ndimage.sobel(x, output=np.ones((3, 4)))
    with pytest.raises(TypeError, match="Complex type not supported"):
        ndimage.median_filter(x * 1j, 3)


WRONG = [
    ("gaussian_filter", ("a",), {}, "sigma is 'a'"), ("gaussian_filter", (None,), {}, "sigma is N"),
    ("gaussian_filter", ([1, None],), {}, "sigma is None"),
    ("gaussian_filter1d", ("a",), {}, "sigma is 'a'"),
    ("uniform_filter", ("a",), {}, "size is 'a'"),
    ("uniform_filter1d", (None,), {}, "size is None"), ("sobel", (), {"mode": "foo"}, "mode='foo'"),
    ("prewitt", (), {"mode": ["wrap", "foo"]}, "mode='foo'"),
    ("laplace", (), {"mode": "foo"}, "mode='foo'"), ("zoom", ("a",), {}, "zoom is 'a'"),
    ("zoom", (np.nan,), {}, "zoom is nan"), ("zoom", ((2, -1),), {}, "zoom is -1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "keywords", "message"), WRONG)
def test_errors_name_the_function_and_the_argument(device, name, arguments, keywords, message):
    with pytest.raises((TypeError, ValueError, RuntimeError), match=f"^{name}: {message}"):
        getattr(ndimage, name)(ht.ones((3, 4), device=device), *arguments, **keywords)


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "wrap", "constant"])
@pytest.mark.parametrize("shape", [(2, 3), (1, 2), (5, 4)])
def test_windows_that_are_much_longer_than_the_array(device, monkeypatch, mode, shape):
    from hither.scipy.ndimage import _borders

    monkeypatch.setattr(_borders, "_MANY", 8)
    x = elements("d", shape, 2)
    for size, origin in ((31, 0), (40, 3), (41, -17)):
        compared(device, "uniform_filter", x, size, mode=mode, origin=origin, rtol=1e-10)


def test_results_that_do_not_fit_are_refused_at_once(device):
    x = ht.ones((3, 3), device=device)
    for call in (
        lambda: ndimage.zoom(x, 1e6), lambda: ndimage.zoom(x, 1e9),
        lambda: ndimage.uniform_filter(x, 10**15), lambda: ndimage.uniform_filter1d(x, 10**15),
    ):  # fmt: skip
        with pytest.raises(ht.OutOfMemoryError, match=r"needs \d+ bytes"):
            call()


def test_names_that_are_absent():
    with pytest.raises(AttributeError, match=r"scipy\.ndimage\.binary_erosion"):
        ndimage.binary_erosion  # noqa: B018
    with pytest.raises(AttributeError, match="gaussian_filter"):
        ndimage.gaussian_filtre  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'fancy'"):
        ht.scipy.fancy  # noqa: B018
