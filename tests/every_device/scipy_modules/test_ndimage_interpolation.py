"""Interpolation and labels of hither.scipy.ndimage, compared with SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
import scipy.ndimage
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.scipy_modules.scipy_results import SETTINGS, elements, outcome, same
from hither.scipy import ndimage

pytest.importorskip("numba")
MODES = ["constant", "nearest", "reflect", "mirror", "wrap", "grid-wrap", "grid-constant",
         "grid-mirror"]  # fmt: skip
# Before 1.18, SciPy's coefficients of short reflected lines are inexact.
SHORTEST = 2 if np.lib.NumpyVersion(scipy.__version__) >= "1.18.0" else 16
REFLECTED = ("reflect", "grid-mirror", "nearest")
SHAPES = st.sampled_from([(1,), (6,), (5, 8), (1, 4), (3, 4, 5)])
DTYPES = st.sampled_from(["d", "f", "i", "B", "?"])
ORDERS = st.sampled_from([0, 1, 2, 3, 4, 5])
SEEDS = st.integers(0, 99)


def compared(device, name, x, *arguments, rtol=None, **options):
    given_x = ht.asarray(x, device=device)
    same(outcome(getattr(ndimage, name), given_x, *arguments, **options),
         outcome(getattr(scipy.ndimage, name), x, *arguments, **options), rtol)  # fmt: skip


def long_enough(shape, order, mode):
    """The shape with lines for which SciPy is exact."""
    if order < 2 or mode not in REFLECTED:
        return shape
    return tuple(n if n == 1 else n + SHORTEST for n in shape)


@SETTINGS
@given(dtype=DTYPES, shape=SHAPES, seed=SEEDS, order=ORDERS, mode=st.sampled_from(MODES))
def test_map_coordinates(device, dtype, shape, seed, order, mode):
    x = elements(dtype, long_enough(shape, order, mode), seed)
    places = np.random.default_rng(seed).random((len(shape), 3, 4)) * 40 - 15
    options = {"order": order, "mode": mode, "cval": 1 if dtype == "?" else 3}
    result = outcome(ndimage.map_coordinates, ht.asarray(x, device=device),
                     ht.asarray(places, device=device), **options)  # fmt: skip
    right = outcome(scipy.ndimage.map_coordinates, x, places, **options)
    if dtype in "df":
        same(result, right, 1e-4 if dtype == "f" else 1e-9)
        return
    # Integers are rounded and Booleans are truncated: next to such an edge a last bit decides.
    exact = scipy.ndimage.map_coordinates(x.astype("d"), places, **options)
    edge = exact if dtype == "?" else exact + 0.5
    certain = (abs(edge - np.round(edge)) > 1e-6) | (exact == 0)
    assert result.dtype == right.dtype
    np.testing.assert_array_equal(ht.asnumpy(result)[certain], right[certain])


@SETTINGS
@given(shape=SHAPES, seed=SEEDS, order=ORDERS, mode=st.sampled_from(MODES),
       move=st.floats(-4, 4), factor=st.sampled_from([0.4, 1, 1.7, 3]))  # fmt: skip
def test_shift_and_zoom(device, shape, seed, order, mode, move, factor):
    x = elements("d", long_enough(shape, order, mode), seed)
    compared(device, "shift", x, move, order=order, mode=mode, cval=1, rtol=1e-8)
    compared(device, "zoom", x, factor, order=order, mode=mode, cval=1, rtol=1e-8)


@SETTINGS
@given(seed=SEEDS, order=st.integers(2, 5), mode=st.sampled_from(MODES), dtype=DTYPES,
       shape=st.sampled_from([(1,), (2,), (9,), (5, 8), (3, 1, 4)]))  # fmt: skip
def test_splines(device, seed, order, mode, dtype, shape):
    x = elements(dtype, long_enough(shape, order, mode), seed)
    compared(device, "spline_filter", x, order, mode=mode, rtol=1e-9)


@pytest.mark.parametrize("mode", REFLECTED)
@pytest.mark.parametrize("n", [2, 3, 9])
def test_splines_of_reflected_lines_pass_through_the_elements(device, n, mode):
    """A quadratic B-spline has the values 1/8, 6/8 and 1/8 at its knots."""
    x = elements("d", (n,), 5)
    c = ht.asnumpy(ndimage.spline_filter(ht.asarray(x, device=device), 2, mode=mode))
    left, right = np.r_[c[0], c[:-1]], np.r_[c[1:], c[-1]]
    np.testing.assert_allclose((left + 6 * c + right) / 8, x, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_affine_maps(device, mode):
    x = elements("d", long_enough((7, 9), 3, mode), 1)
    matrix = [[0.9, 0.2], [-0.3, 1.1]]
    options = {"mode": mode, "cval": 2, "rtol": 1e-9}
    compared(device, "affine_transform", x, matrix, (1.5, -2), **options)
    compared(device, "affine_transform", x, [0.5, 2.0], (1.5, -2), **options)
    compared(device, "affine_transform", x, [[1, 0.2, 3], [0.1, 1, 2], [0, 0, 1]], **options)
    compared(device, "affine_transform", x, matrix, output_shape=(3, 11), **options)
    compared(device, "affine_transform", x, [[1.0], [0.5]], output_shape=(5,), **options)
    compared(device, "affine_transform", x, [[1, 2, 3]], **options)


@pytest.mark.parametrize("angle", [30, 90, -45.5, 180])
def test_rotations(device, angle):
    for shape, axes in (((7, 9), (1, 0)), ((4, 5, 3), (0, 2))):
        x = elements("d", shape, 2)
        compared(device, "rotate", x, angle, axes, rtol=1e-8)
        compared(device, "rotate", x, angle, axes, reshape=False, order=1, rtol=1e-8)
    compared(device, "rotate", elements("d", (4,), 2), angle)


def test_complex_numbers_and_outputs(device):
    x = elements("D", (6, 7), 3)
    compared(device, "zoom", x, 1.5, cval=1 + 2j, rtol=1e-9)
    output = ht.zeros((6, 7), dtype=ht.complex128, device=device)
    assert ndimage.shift(ht.asarray(x, device=device), 0.5, output=output) is output
    same(output, scipy.ndimage.shift(x, 0.5), 1e-9)


@SETTINGS
@given(shape=st.sampled_from([(1,), (40,), (17, 23), (6, 7, 8), (0, 3)]), seed=SEEDS,
       share=st.sampled_from([0.2, 0.5, 0.7, 1.0]), whole=st.booleans())  # fmt: skip
def test_labels(device, shape, seed, share, whole):
    x = np.random.default_rng(seed).random(shape) < share
    structure = np.ones((3,) * len(shape)) if whole else None
    compared(device, "label", x, structure)


def test_labels_of_a_snake(device):
    x = np.zeros((101, 200), bool)
    x[::2] = True
    x[1::4, -1] = True
    x[3::4, 0] = True
    compared(device, "label", x)
    compared(device, "label", x, [[1, 1, 0], [1, 1, 1], [0, 1, 1]])


def test_labels_refuse_what_scipy_refuses(device):
    x = np.random.default_rng(1).random((60, 60)) < 0.4
    for structure in (np.ones(3), np.ones((2, 3)), [[1, 0, 0], [0, 1, 0], [0, 0, 0]]):
        given_x = ht.asarray(x, device=device)
        with pytest.raises((ValueError, RuntimeError)):
            ndimage.label(given_x, structure)
    compared(device, "label", x, output=np.uint8)
    output = ht.zeros((60, 60), dtype=ht.int32, device=device)
    assert ndimage.label(ht.asarray(x, device=device), output=output) == int(output.max())


def test_structures():
    for rank in range(4):
        for connectivity in range(4):
            same(ndimage.generate_binary_structure(rank, connectivity),
                 scipy.ndimage.generate_binary_structure(rank, connectivity))  # fmt: skip


@pytest.mark.parametrize("value", [0, 7])
def test_labels_of_one_number(device, value):
    compared(device, "label", np.array(value))
    with pytest.raises(ValueError, match="output has shape"):
        ndimage.label(ht.ones(5, device=device), output=ht.zeros(4, ht.int32, device=device))


def test_splines_of_masks_keep_them(queue):
    mask = np.ones((6, 7), bool)
    mask[2, 3] = False
    mine = ht.asarray(mask, queue=queue)
    for mode in ("nearest", "mirror", "constant"):
        np.testing.assert_array_equal(ht.asnumpy(ndimage.rotate(mine, 0, mode=mode)), mask)
        np.testing.assert_array_equal(
            ht.asnumpy(ndimage.shift(mine, (1, 0), mode=mode)),
            scipy.ndimage.shift(mask, (1, 0), mode=mode, order=0),
        )


def test_arrays_without_elements(queue):
    empty = ht.zeros((0, 3), queue=queue)
    assert ndimage.spline_filter(empty).shape == (0, 3)
    assert ndimage.zoom(empty, 2).shape == (0, 6)
    assert ndimage.shift(ht.zeros(0, queue=queue), 1).shape == (0,)
