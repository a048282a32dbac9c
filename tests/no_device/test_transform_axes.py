"""Division of transforms into plans over the last axes, with NumPy in place of a library."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import hither as ht
from hither._libraries.transform_library import transform

SHAPES = [(6,), (5, 4), (5, 1), (1, 6), (1, 4, 1), (4, 3, 5), (2, 3, 4, 3), (3, 2, 2, 4, 5)]


class Plans(list):
    """Plans by NumPy: dense memory in, dense memory out, and what real results read is lost."""

    def __init__(self, side_by_side):
        self.SIDE_BY_SIDE = side_by_side

    def run(self, work, source, result, lengths, first=False):
        assert source.flags["C_CONTIGUOUS"] and result.flags["C_CONTIGUOUS"]
        assert len(lengths) <= 3
        self.append((work, lengths))
        axes = (0,) if first else tuple(range(-len(lengths), 0))
        # Libraries scale nothing.
        norm = "forward" if work in ("ifftn", "irfftn") else "backward"
        value = getattr(np.fft, work)(ht.asnumpy(source), lengths, axes, norm)
        if work == "irfftn":
            source[...] = np.nan
        result[...] = ht.asarray(value.astype(result.dtype))


@pytest.fixture(params=[False, True], ids=["last axes", "first axis too"])
def plans(cpu_by_default, request):
    return Plans(request.param)


@pytest.mark.parametrize("work", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_choice_of_axes(plans, work, shape):
    rng = np.random.default_rng(5)
    n = rng.standard_normal(shape)
    if work != "rfftn":
        n = n + 1j * rng.standard_normal(shape)
    for host, count in itertools.product((n, n.T), range(1, n.ndim + 1)):
        for axes in itertools.permutations(range(-n.ndim, 0), count):
            if work == "irfftn" and host.shape[axes[-1]] == 1:
                continue  # no real transform is so short
            for norm in ("backward", "ortho", "forward"):
                x = ht.asarray(host)
                y = transform(plans, work, x, None, axes, norm)
                expected = getattr(np.fft, work)(host, None, axes, norm)
                assert y.shape == expected.shape and y.flags["C_CONTIGUOUS"]
                np.testing.assert_allclose(ht.asnumpy(y), expected, atol=1e-12)
                np.testing.assert_array_equal(ht.asnumpy(x), host)


@pytest.mark.parametrize("work", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_lengths_and_precisions(plans, work):
    rng = np.random.default_rng(6)
    for dtype in ("float32", "float64") if work != "irfftn" else ("complex64", "complex128"):
        n = rng.standard_normal((5, 6)).astype(dtype)
        for s in itertools.product((1, 3, 5, 8), (2, 6, 7)):
            y = transform(plans, work, ht.asarray(n), s, (-2, -1), "backward")
            expected = getattr(np.fft, work)(n, s, (-2, -1))
            np.testing.assert_allclose(ht.asnumpy(y), expected, atol=1e-5)
            kinds = {"f": "F", "d": "D", "F": "f", "D": "d"}
            assert y.dtype.char == kinds[n.dtype.char]


def test_last_axes_are_one_plan_and_memory_of_the_program_is_only_read(plans):
    x = ht.asarray(np.ones((2, 4, 4, 4), np.complex64))
    transform(plans, "fftn", x, None, (-3, -2, -1), "backward")
    assert plans == [("fftn", (4, 4, 4))]
    plans.clear()
    transform(plans, "rfftn", ht.ones((4, 6)), None, (-2, -1), "backward")
    assert plans == [("rfftn", (4, 6))]
    np.testing.assert_array_equal(ht.asnumpy(x), 1)


def test_lines_side_by_side_stay_where_they_are(cpu_by_default):
    shapes = []

    class Shapes(Plans):
        def run(self, work, source, result, lengths, first=False):
            shapes.append((source.shape, first))
            super().run(work, source, result, lengths, first)

    x = ht.asarray(np.ones((4, 2, 3), np.complex64))
    for side_by_side in (True, False):
        transform(Shapes(side_by_side), "fftn", x, None, (-3,), "backward")
    assert shapes == [((4, 2, 3), True), ((2, 3, 4), False)]
