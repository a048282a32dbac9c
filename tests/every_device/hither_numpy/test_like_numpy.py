"""Calls of hither.numpy whose values, dtypes, layouts and errors are NumPy's."""

from __future__ import annotations

import warnings

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as np
from property_tests import examples

SETTINGS = settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
PARTS = (0.0, -1.5, numpy.nan, numpy.inf, -numpy.inf)
COMPLEX = [complex(a, b) for a in PARTS for b in PARTS]
NAN = numpy.nan


def stacked(xp):
    x = numpy.random.default_rng(0).random((2, 2, 2, 2))
    x[0, 0] = x[1, 1] = 0
    return xp.asarray(x)


def diagonal_of_ones(xp):
    x = xp.zeros((3, 3))
    xp.einsum("ii->i", x)[...] = 1
    return x


def diagonals_of_ones(subscripts):
    def call(xp):
        x = xp.zeros((3, 3, 3, 3)).transpose(1, 0, 3, 2)[::-1]
        xp.einsum(subscripts, x)[...] = xp.arange(1, 4)
        return xp.ascontiguousarray(x)

    return call


def diagonal_views(offset):
    def call(xp):
        x = xp.arange(48.0).reshape(4, 3, 4)[:, ::-1].transpose(1, 2, 0)
        both = xp.diagonal(x, offset, 1, 0), xp.linalg.diagonal(x, offset=offset)
        return tuple(map(xp.ascontiguousarray, both))

    return call


def put_masked(xp, values):
    x = xp.arange(6, dtype="b")
    xp.putmask(x, xp.arange(6) > 2, values)
    xp.place(x, xp.arange(6) < 2, values)
    return x


def put_along(xp):
    x = xp.ones((3, 4, 1))
    xp.put_along_axis(x, xp.arange(10).reshape((1, 2, 5)) % 3, 20, axis=1)
    return x


def written_through(subscripts):
    def call(xp):
        x = xp.zeros((2, 3)) + 1
        view = xp.einsum(subscripts, x)
        view[0, 1] = 5
        x[1] += 2
        return x, view + 0

    return call


def put(shape, place, values, mode="raise"):
    def call(xp):
        x = xp.zeros(shape, "i")
        xp.put(x, place, values, mode)
        return x

    return call


CALLS = {
    # Element-wise functions.
    "isclose of a number beyond the dtype": lambda xp: xp.isclose(
        -1, xp.arange(3, dtype="B"), atol=2),
    "clip without limits that matter": lambda xp: xp.clip(xp.arange(3, dtype="B"), -1, 300),
    "histogramdd with a number of bins": lambda xp: xp.ascontiguousarray(
        xp.histogramdd(xp.arange(6.0).reshape(3, 2), xp.array(3))[0]),
    "nan_to_num of complex64": lambda xp: xp.nan_to_num(xp.array(COMPLEX, "F")),
    "nan_to_num with limits": lambda xp: xp.nan_to_num(xp.array(COMPLEX), True, 2, 3, 4),
    "heaviside of a number": lambda xp: xp.heaviside(-2.5, xp.arange(3)),
    "heaviside of a zero": lambda xp: xp.heaviside(0, xp.arange(3, dtype="f")),
    "isclose to a number": lambda xp: xp.isclose(
        xp.ones(2, "f"), 0.9999999999999998, rtol=0, atol=0),
    "isclose of a number": lambda xp: xp.isclose(
        0.9999999999999998, xp.ones(2, "f"), rtol=0, atol=0),
    "isclose of integers": lambda xp: xp.isclose(xp.arange(3, dtype="B"), -1, atol=2),
    "isclose of numbers": lambda xp: xp.isclose(1, 1.5, atol=xp.asarray([0, 1])),
    "fmod of a negative number": lambda xp: xp.fmod(-2.5, xp.arange(1, 6, dtype="B")),
    "fmod by a negative number": lambda xp: xp.fmod(xp.arange(6, dtype="I"), -2.5),
    # dtype= as an object of NumPy, which equals None for float64.
    "asarray to float64": lambda xp: xp.asarray(xp.arange(3, dtype="f"), dtype=numpy.dtype("d")),
    "array without copy": lambda xp: xp.array(xp.arange(3, dtype="f"), "d", copy=None),
    "asfortranarray": lambda xp: xp.asfortranarray(xp.ones((), "f"), dtype="d"),
    "ascontiguousarray": lambda xp: xp.ascontiguousarray(xp.ones((2, 2), "f"), dtype="d"),
    "accumulate": lambda xp: xp.maximum.accumulate(xp.arange(3, dtype="f"), dtype="d"),
    # Histograms and interpolation.
    "bincount of nothing": lambda xp: xp.bincount([], minlength=3),
    "interp of one complex point": lambda xp: xp.interp(
        xp.asarray([numpy.nan, 1]), xp.asarray([1.0]), xp.asarray([2 + 3j])
    ),
    "searchsorted of a large number": lambda xp: xp.searchsorted(
        xp.asarray(numpy.array([1, 2], "i1")), 300
    ),
    "searchsorted of a negative number": lambda xp: xp.searchsorted(
        xp.asarray(numpy.array([1, 2], "u1")), -1
    ),
    "percentile of bools": lambda xp: xp.percentile(
        xp.asarray([True, False, True]), 50, method="lower"
    ),
    "cross with a plane vector": lambda xp: xp.cross(
        xp.asarray([1.0, numpy.inf, 3]), xp.asarray([3.0, 4])
    ),
    "cross of a plane vector": lambda xp: xp.cross(
        xp.asarray([[3.0, 4]] * 5), xp.asarray([1.0, numpy.inf, 3]), axisc=0
    ),
    "linear_ramp of integers": lambda xp: xp.pad(xp.arange(3), 2, "linear_ramp", end_values=-2.5),
    "pad of nothing": lambda xp: xp.pad(xp.ones((0, 3)), ((0, 0), (1, 1)), "reflect"),
    "interp of complex": lambda xp: xp.interp(
        xp.array([0.5, 1.5, 2, NAN, -3, 9]), xp.array([0.0, 1, 2]), xp.array([1j, 2, NAN + 3j])),
    "interp with ends": lambda xp: xp.interp(
        xp.array([-1, 0.5, 3]), xp.array([0.0, 1]), xp.array([0, 2j]), left=4j, right=-1),
    "interp next to infinities": lambda xp: xp.interp(
        xp.arange(0, 5, 0.25), xp.arange(6.0), xp.array([0, -xp.inf, -xp.inf, 1, xp.inf, xp.inf])),
    "corrcoef of complex": lambda xp: xp.corrcoef(xp.array([[1, 2j, 3, 1], [1, 2j, 3, 1 + 1e-9j]])),
    "correlate with the longer second": lambda xp: xp.correlate(xp.arange(5.0), xp.arange(9.0)),
    "gradient with wider distances": lambda xp: xp.gradient(
        xp.arange(6, dtype="f") ** 2, xp.arange(6.0) ** 3 + xp.arange(6.0), edge_order=2),
    "quantile of a NumPy number": lambda xp: xp.quantile(
        xp.arange(6, dtype="f"), numpy.float64(0.4)),
    "histogramdd of coordinates": lambda xp: xp.ascontiguousarray(
        xp.histogramdd([xp.array([0.5, 1.5, 1.2]), xp.array([1.0, 2, 3])], bins=2)[0]),
    "histogramdd of lists": lambda xp: xp.ascontiguousarray(
        xp.histogramdd([[0.5, 1.5, 1.2], [1, 2, 3], [0, 0, 1]], bins=2)[0]),
    "histogramdd with an array of numbers": lambda xp: xp.ascontiguousarray(
        xp.histogramdd(xp.arange(6.0).reshape(3, 2), xp.array([2, 3]))[0]),
    "histogramdd with rows of edges": lambda xp: xp.ascontiguousarray(
        xp.histogramdd(xp.arange(6.0).reshape(3, 2), xp.array([[0, 1, 5], [0, 3, 5]]))[0]),
    "histogram2d with an array of edges": lambda xp: xp.ascontiguousarray(
        xp.histogram2d(xp.arange(3.0), xp.arange(3.0), xp.array([0, 1, 5]))[0]),
    "histogramdd of a line": lambda xp: xp.histogramdd((1.0, 2.0, 4.0), bins=2)[0],
    "clip to limits out of range": lambda xp: xp.clip(xp.arange(9, dtype="b"), -(2**70), 2**40),
    "clip from out of range": lambda xp: xp.clip(xp.arange(9, dtype="B"), -1, 5),
    "clip of some elements": lambda xp: xp.clip(
        xp.arange(6), 2, 4, out=xp.full(6, 9), where=xp.arange(6) % 2 == 0),
    "clip from below, of some": lambda xp: xp.clip(
        xp.arange(6), min=2, out=xp.full(6, 9), where=xp.arange(6) % 2 == 0),
    "clip without limits into out": lambda xp: xp.clip(xp.arange(6), None, None, xp.zeros(6)),
    "clip by casting": lambda xp: xp.clip(
        xp.arange(6), 1.5, 3.5, out=xp.zeros(6, dtype="i"), casting="unsafe"),
    **{f"clip as a method of {t} to {limits}": lambda xp, t=t, limits=limits: xp.arange(
        2, dtype=t).clip(*(None if v is None else xp.asarray(v)[()] for v in limits))
       for t in "?bBf" for limits in ((0.5, 1.5), ([200], None), (None, [0.5, 1.5]))},
    "clip as a method by numbers out of range": lambda xp: xp.arange(3, dtype="B").clip(-1, 300),
    "clip as a method of bools": lambda xp: (xp.arange(3) > 1).clip(3, max=13),
    "r_ with numbers": lambda xp: xp.r_[xp.ones(2, "f"), 0, 1.5, xp.ones(1, "f")],
    "r_ of bytes with numbers": lambda xp: xp.r_[xp.ones(2, "b"), 3, True],
    **{f"bools of arange from {n}": lambda xp, n=n: xp.arange(n, n + 2, dtype=bool)
       for n in (0, 5)},
    "indices of the default dtype": lambda xp: xp.indices((2, 3), None),
    "sparse indices": lambda xp: xp.indices((2, 3), None, sparse=True)[1],
    "indices of bools": lambda xp: xp.indices((2, 1), bool),
    "indices of no bools": lambda xp: xp.indices((0,), bool),
    **{f"linspace of float16 to {t}": lambda xp, t=t: xp.linspace(
        xp.array([0, 120], "e"), xp.array([100, 0], "e"), 50, dtype=t) for t in "efi"},
    "linspace of a narrow scalar": lambda xp: xp.linspace(numpy.float16(0), 100, 50),
    "linspace of narrow numbers": lambda xp: xp.linspace(xp.zeros(2, "f"), 100, 5),
    "linspace of a narrow complex number": lambda xp: xp.linspace(1j, numpy.complex64(1), 5),
    **{f"irfft2 of float16 along {a}": lambda xp, a=a: xp.fft.irfft2(xp.ones((3, 4), "e"), axes=a)
       for a in ((0,), (1,))},
    "irfftn of a line of float16": lambda xp: xp.fft.irfftn(xp.ones(4, "e")),
    **{f"complex numbers into {t}": lambda xp, t=t: xp.add(
        xp.array([0, 1j, 2 + 1j]), 0, out=xp.zeros(3, t), casting="unsafe") for t in "?if"},
    "a product of complex numbers into bools": lambda xp: xp.matmul(
        xp.ones((2, 2), "F"), xp.eye(2) * 1j, out=xp.zeros((2, 2), "?"), casting="unsafe"),
    "divmod into the first of two": lambda xp: xp.divmod(xp.arange(3), 2, xp.zeros(3, int)),
    **{f"{name} along {axes}": lambda xp, name=name, axes=axes, s=s: getattr(xp.fft, name)(
        xp.arange(24.0).reshape(2, 3, 4) ** 2, axes=axes, s=s)
       for name in ("fftn", "ifftn", "rfftn", "irfftn")
       for axes, s in (((2, 0, 2, 0), None), ((-1, 1, 2), None), ((0, 1, 1), (4, 2, 3)))},
    "fftn of a number": lambda xp: xp.fft.fftn(xp.array(3)),
    **{f"cond of no matrices by {p}": lambda xp, p=p: xp.linalg.cond(xp.ones((0, 2, 2)), p)
       for p in (None, -2, 1, "fro")},
    **{f"unique slices of {t} with NaNs {row} along {axis}": lambda xp, t=t, row=row, axis=axis:
       xp.ascontiguousarray(
           xp.unique(xp.array([[1, 0, 0], [NAN] * 3, row, [1, 0, 1], [NAN] * 3], t), axis=axis))
       for t in "fD" for row in ((2, NAN, 4), (NAN, 3, 4)) for axis in (0, 1)},
    "histogramdd of a number": lambda xp: xp.histogramdd(xp.array(1.0))[0],
    "partition of nothing": lambda xp: xp.partition(xp.ones((3, 0)), 0),
    "argpartition of nothing": lambda xp: xp.argpartition(xp.ones((0, 3)), 7),
    **{f"tri of {n}": lambda xp, n=n: xp.tri(*n) for n in ((-1,), (2, -3), (-2, 1))},
    "putmask by wider numbers": lambda xp: put_masked(xp, 7),
    "putmask by a list": lambda xp: put_masked(xp, [1.5, 2]),
    "putmask by an array": lambda xp: put_masked(xp, xp.array([1, 2], "?")),
    "elements of new rows": lambda xp: xp.ndarray((2, 3), strides=(24, 8))[:0],
    "elements of new columns": lambda xp: xp.ndarray((2, 3), "i", strides=(4, 8))[:, :0],
    "put_along_axis of an extent 1": put_along,
    **{f"pad with {s} elements": lambda xp, s=s: xp.pad(
        xp.arange(3.0), (1, 2), "mean", stat_length=s) for s in (0, (1, 0), 2, 9)},
    "take of a number": lambda xp: xp.take(xp.array(5), [[0, -1]], axis=-1),
    "compress of a number": lambda xp: xp.compress([True], xp.array(5), axis=0),
    "take of bools": lambda xp: xp.take(xp.arange(4), [True, False]),
    "put by bools": put(4, [True, False, True], [5, 6, 7]),
    "put into a number": put((), [-1, 0], [5, 6]),
    "put into a number, wrapped": put((), numpy.array([[9]]), 4, "wrap"),
    # Shapes.
    "select with a larger default": lambda xp: xp.select(
        [xp.array(True), xp.array([False, True])], [xp.array([1, 2]), xp.array(3)],
        default=xp.array([[0], [3]])),
    "transpose by an array": lambda xp: xp.zeros((2, 3, 4)).transpose(xp.array([2, 0, 1])),
    "transpose function": lambda xp: xp.transpose(xp.zeros((2, 3, 4)), numpy.array([2, 0, 1])),
    "mgrid of arrays": lambda xp: xp.mgrid[xp.array(1.0):xp.array(3.0):4j, 0:xp.array(3)],
    "mgrid of vectors": lambda xp: xp.mgrid[xp.zeros(4)[:, None]:xp.arange(4.0)[:, None]:4j],
    "ogrid of arrays": lambda xp: xp.ogrid[xp.array(1.0):xp.array(3.0):4j, 0:xp.array(3)],
    "concatenate by casting": lambda xp: xp.concatenate(
        [xp.array([1.5, 2]), xp.ones(1)], out=xp.zeros(3, dtype="i"), casting="unsafe"),
    # Products.
    "cross of two and three": lambda xp: xp.cross(xp.arange(8.0).reshape(2, 4).T, xp.arange(3)),
    "cross of three and two": lambda xp: xp.cross(
        xp.arange(12).reshape(3, 4), xp.arange(8).reshape(2, 4), 0, 0),
    "cross in the plane": lambda xp: xp.cross(xp.arange(8).reshape(4, 2), xp.arange(2, 4)),
    "einsum writes a diagonal": diagonal_of_ones,
    **{f"einsum writes diagonals {s}": diagonals_of_ones(s)
       for s in ("iiii->i", "ijij->ij", "ijji->ji", "iijk->kji")},
    **{f"diagonals {offset}": diagonal_views(offset) for offset in (0, 1, 3, 9, -1, -2, -9)},
    "einsum in Fortran order": lambda xp: xp.einsum(
        "ij,jk", xp.ones((2, 3)), xp.ones((3, 2)), order="F"),
    "einsum of the same order": written_through("ij"),
    "einsum of another order": written_through("ij->ij"),
    # Fourier transforms.
    "fft2 along no axis": lambda xp: xp.fft.fft2(xp.arange(6.0).reshape(2, 3), axes=()),
    "fftn with a length None": lambda xp: xp.fft.fftn(xp.ones((2, 3)), (1, None), (0, 1)),
    # Linear algebra.
    **{f"cond {p}": lambda xp, p=p: xp.linalg.cond(stacked(xp), p)
       for p in (None, 1, "fro", -1, -2)},
    **{f"norm {p} of nothing": lambda xp, p=p: xp.linalg.norm(xp.zeros((0, 2)), p)
       for p in (1, 2, numpy.inf, "nuc", "fro")},
    "pinv of nothing": lambda xp: xp.linalg.pinv(xp.zeros((2, 0, 0), "f"), hermitian=True),
    "lstsq with a negative limit": lambda xp: xp.linalg.lstsq(
        xp.array([[1.0, 1], [1, 1 + 1e-12], [0, 0]]), xp.arange(3), rcond=-2)[2],
    "norm of an empty vector": lambda xp: xp.linalg.norm(xp.zeros(0), numpy.inf),
    "rank of nothing": lambda xp: xp.linalg.matrix_rank(xp.zeros((0, 2))),
}  # fmt: skip

REFUSED = {
    "einsum with points": (ValueError, lambda xp, x: xp.einsum("i....", x)),
    "einsum with two ellipses": (ValueError, lambda xp, x: xp.einsum("...i...", x)),
    "einsum with digits": (ValueError, lambda xp, x: xp.einsum("i0", x)),
    "einsum with a negative axis": (ValueError, lambda xp, x: xp.einsum(x, [0, -1], [0])),
    "einsum with a large axis": (ValueError, lambda xp, x: xp.einsum(x, [0, 99], [0])),
    "einsum with another keyword": (TypeError, lambda xp, x: xp.einsum("ij", x, wrong=1)),
    "einsum with another order": (ValueError, lambda xp, x: xp.einsum("ij", x, order="W")),
    "histogram with a fraction": (TypeError, lambda xp, x: xp.histogram(x, 2.5)),
    "histogramdd with one range": (
        ValueError,
        lambda xp, x: xp.histogramdd(x, range=[(0, 1)]),
    ),
    "histogramdd with three bins": (ValueError, lambda xp, x: xp.histogramdd(x, xp.arange(3))),
    "take along a second axis": (IndexError, lambda xp, x: xp.take(x[0, 0], 0, axis=1)),
    "correlate of a number": (ValueError, lambda xp, x: xp.correlate(x[0, 0], x[0])),
    "lstsq with other rows": (
        numpy.linalg.LinAlgError,
        lambda xp, x: xp.linalg.lstsq(x, xp.ones(3)),
    ),
    "index arrays that do not broadcast": (IndexError, lambda xp, x: x[[0, 1], [0, 1, 1]]),
    "histogram2d with a matrix": (
        ValueError,
        lambda xp, x: xp.histogram2d(x[0], x[0], [xp.ones((2, 2)), 2]),
    ),
    **{
        f"pad with {m} of {s}": (ValueError, lambda xp, x, m=m, s=s: xp.pad(x, 1, m, stat_length=s))
        for m, s in (("maximum", 0), ("minimum", (1, 0)), ("mean", -1), ("maximum", (2, -3)))
    },
    **{
        f"pad of nothing by {m}": (ValueError, lambda xp, x, m=m: xp.pad(xp.zeros((0, 3)), 1, m))
        for m in ("linear_ramp", "mean", "edge")
    },
    "pad by no width": (TypeError, lambda xp, x: xp.pad(x, [])),
    "isin of another kind": (ValueError, lambda xp, x: xp.isin(x, [1], kind="wrong")),
    "nanmean as integers": (TypeError, lambda xp, x: xp.nanmean(x, dtype=int)),
    "nanvar with two corrections": (ValueError, lambda xp, x: xp.nanvar(x, ddof=1, correction=1)),
    "clip from above the dtype": (
        OverflowError,
        lambda xp, x: xp.clip(xp.arange(3, dtype="b"), 300, None),
    ),
    "histogramdd of a cube": (ValueError, lambda xp, x: xp.histogramdd(xp.ones((2, 2, 2)))),
    "histogram2d of rows": (ValueError, lambda xp, x: xp.histogram2d(x, x)),
    "apply_over_axes with more axes": (
        ValueError,
        lambda xp, x: xp.apply_over_axes(lambda v, i: v[None, None], x, 0),
    ),
    **{
        f"{name} in place without an axis": (
            TypeError,
            lambda xp, x, name=name: getattr(x[0].copy(), name)(
                *(1,) * (name == "partition"), axis=None
            ),
        )
        for name in ("sort", "partition")
    },
    "putmask by casting": (TypeError, lambda xp, x: xp.putmask(xp.arange(2), x[0] > 0, x[0])),
    "place by casting": (
        TypeError,
        lambda xp, x: xp.place(xp.arange(2, dtype="b"), x[0] > 0, xp.arange(2)),
    ),
    "flat at a new axis": (IndexError, lambda xp, x: x.flat[None]),
    "flat at two indices": (IndexError, lambda xp, x: x.flat[0, 1]),
    "three bools of arange": (TypeError, lambda xp, x: xp.arange(3, dtype=bool)),
    "elements with gaps": (ValueError, lambda xp, x: xp.ndarray((2, 3), strides=(8, 128))),
    "concatenate by no casting": (
        TypeError,
        lambda xp, x: xp.concatenate([x, x], out=xp.zeros((4, 2), "f"), casting="no"),
    ),
    "stack with out and dtype": (
        TypeError,
        lambda xp, x: xp.stack([x, x], out=xp.zeros((2, 2, 2)), dtype="d"),
    ),
    "nan_to_num by more values": (
        ValueError,
        lambda xp, x: xp.nan_to_num(x[0, :1] * NAN, nan=xp.ones(3)),
    ),
    "fft with an empty norm": (ValueError, lambda xp, x: xp.fft.fft(x, norm="")),
    "fft2 with three lengths": (ValueError, lambda xp, x: xp.fft.fft2(x, s=(1, 2, 3))),
    "cond of nothing": (numpy.linalg.LinAlgError, lambda xp, x: xp.linalg.cond(xp.zeros((0, 0)))),
    "insert at a fraction": (IndexError, lambda xp, x: xp.insert(x, [1.0, 2.0], [1, 2])),
    "insert at no float": (IndexError, lambda xp, x: xp.insert(x, xp.array([]), 1)),
    "digitize with complex bins": (TypeError, lambda xp, x: xp.digitize(x, [1, 2 + 1j])),
    "digitize with disordered bins": (ValueError, lambda xp, x: xp.digitize(x, [1, 3, 2])),
}


def same(got, expected, exact=True):
    gots, rights = (v if isinstance(v, tuple) else (v,) for v in (got, expected))
    assert len(gots) == len(rights)
    for one, right in zip(gots, rights, strict=True):
        assert (one.dtype, one.shape) == (right.dtype, right.shape)
        numpy.testing.assert_allclose(ht.asnumpy(one), right, rtol=0 if exact else 1e-6, atol=1e-12)
        assert one.flags.c_contiguous == right.flags.c_contiguous


# Vectors of two numbers have had no cross product since NumPy 2.5.
NOT_IN_NUMPY = {
    "cross of two and three", "cross of three and two", "cross in the plane",
    "cross with a plane vector", "cross of a plane vector",
}  # fmt: skip
if numpy.lib.NumpyVersion(numpy.__version__) < "2.5.0":
    NOT_IN_NUMPY = set()


@pytest.mark.parametrize("name", [name for name in CALLS if name not in NOT_IN_NUMPY])
def test_calls(device, name):
    with ht.device_context(device), warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = CALLS[name](numpy)
        if name == "mgrid of arrays":
            expected = numpy.ascontiguousarray(expected)
        same(CALLS[name](np), expected, exact=False)


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(queue, name):
    error, call = REFUSED[name]
    x = ht.ones((2, 2), queue=queue)
    with pytest.raises(error), ht.device_context(queue):
        call(np, x)
    with pytest.raises(error):
        call(numpy, numpy.ones((2, 2)))


@SETTINGS
@given(
    edges=st.lists(st.sampled_from([-2.0, 0.0, 1.0, 1.0, 2.5, 4.0, NAN]), max_size=6),
    falls=st.booleans(), right=st.booleans(), disordered=st.booleans(),
)  # fmt: skip
def test_digitize(queue, edges, falls, right, disordered):
    if disordered:  # searches among NaNs in any order have any results
        edges = [v for v in edges if v == v]
    else:
        edges = sorted(edges, key=lambda v: (v != v, v), reverse=falls)
    x = numpy.array([-3.0, -2, 0, 0.5, 1, 2.5, 3, 4, 9, NAN, numpy.inf, -numpy.inf])
    try:
        expected = numpy.digitize(x, edges, right)
    except ValueError:
        with pytest.raises(ValueError, match="neither increase nor decrease"):
            np.digitize(ht.asarray(x, queue=queue), edges, right)
        return
    same(np.digitize(ht.asarray(x, queue=queue), edges, right), expected)


@SETTINGS
@given(
    shape=st.sampled_from([(3,), (4, 5), (3, 4, 5)]), order=st.sampled_from("CF"),
    edge_order=st.sampled_from([1, 2]), seed=st.integers(0, 99), dtype=st.sampled_from("fdDi"),
    distances=st.sampled_from(["none", "one", "each", "coordinates"]),
)  # fmt: skip
def test_gradients(queue, shape, order, edge_order, seed, dtype, distances):
    rng = numpy.random.default_rng(seed)
    x = numpy.asarray(rng.integers(-9, 9, shape), dtype, order=order)
    steps = {
        "none": [], "one": [2.0], "each": [0.5 + i for i in range(len(shape))],
        "coordinates": [numpy.cumsum(rng.integers(1, 4, n)) for n in shape],
    }[distances]  # fmt: skip
    own = [ht.asarray(s, queue=queue) if distances == "coordinates" else s for s in steps]
    axis = -1 if distances in ("none", "one") else None
    got = np.gradient(np.asarray(x, queue=queue), *own, axis=axis, edge_order=edge_order)
    same(got, numpy.gradient(x, *steps, axis=axis, edge_order=edge_order), exact=False)


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("shape", [(4, 2), (5, 4, 2, 3), (3, 4, 5), (5,), 7])
def test_orders_of_other_shapes(device, order, shape):
    for made in (lambda xp: xp.zeros((2, 3, 4)), lambda xp: xp.zeros((4, 3, 2)).T):
        right = numpy.zeros_like(made(numpy), order=order, shape=shape)
        with ht.device_context(device):
            got = np.zeros_like(made(np), order=order, shape=shape)
        same(got, right)
        assert got.flags.f_contiguous == right.flags.f_contiguous


def test_parameters_of_random_numbers(queue):
    make = np.random.default_rng(3, queue=queue)
    for mean in ([0.0, 100.0], numpy.array([0.0, 100.0]), ht.asarray([0.0, 100.0], queue=queue)):
        drawn = make.normal(mean, [0.001, 1e-3])
        assert drawn.device == queue.device
        assert np.round(drawn).tolist() == [0, 100]
    assert make.uniform([[1], [5]], [2, 6], size=(2, 2)).shape == (2, 2)
    for size in (numpy.array([2, 3]), ht.asarray([2, 3], queue=queue), [2, 3]):
        assert make.random(size).shape == (2, 3)
    for low, high in ((2.7, 3.9), ([2.7], 3.5), (numpy.array([2, 2.5]), 3), (2, [3, 3])):
        assert set(numpy.ravel(ht.asnumpy(make.integers(low, high)))) == {2}
    assert make.integers([[1], [2]], [5, 6]).shape == (2, 2)
    with pytest.raises(TypeError, match="inf is not an integer"):
        make.integers(0, numpy.inf)
    with ht.device_context(queue):
        assert np.random.normal([0.0, 1], [1.0, 2]).shape == (2,)
        assert np.random.randint([2, 3]).shape == (2,)
    with pytest.raises(ht.PlacementError, match="NumPy array"):
        make.normal(ht.zeros(2, queue=queue), numpy.ones(2))


MIXED = (0, 1, 2**31, 2**53, 2**60, 2**60 + 1, 2**63 - 1)


@pytest.mark.parametrize(
    "name", ["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"]
)
@pytest.mark.parametrize("dtype", ["b", "i", "q"])
def test_signed_integers_and_uint64_are_compared_exactly(queue, name, dtype):
    limit = int(numpy.iinfo(dtype).max)
    x = numpy.array([v for n in MIXED for v in (n, -n) if n <= limit] + [-limit - 1], dtype)[
        :, None
    ]
    y = numpy.array([*MIXED, 2**63, 2**63 + 1, 2**64 - 1, 2**64 - limit - 1], "Q")
    own, other = (ht.asarray(v, queue=queue) for v in (x, y))
    function, compare = getattr(np, name), getattr(numpy, name)
    same(function(own, other), compare(x, y))
    same(function(other, own), compare(y, x))
    same(function(own.T, other[::-1, None]), compare(x.T, y[::-1, None]))
    for v in (numpy.uint64(2**60), numpy.uint64(2**64 - 1)):
        same(function(own, v), compare(x, v))
        same(function(v, own), compare(v, x))
    for v in (numpy.int64(-1), numpy.int64(2**60)):
        same(function(other, v), compare(y, v))
        same(function(v, other), compare(v, y))
    assert bool((own < other)[0, 1]) and not bool((own > other)[0, 1])


def test_the_generator_of_the_module_is_one_object(queue):
    """Packages take numpy.random.mtrand._rand where they are given no generator."""
    with ht.device_context(queue):
        shared = np.random.mtrand._rand
        assert isinstance(shared, np.random.RandomState)
        np.random.seed(5)
        first = np.random.standard_normal(4).tolist()
        shared.seed(5)
        assert shared is np.random.mtrand._rand
        assert shared.standard_normal(4).tolist() == first
        assert np.random.RandomState(5).standard_normal(4).tolist() == first
        own = np.random.RandomState(6)
        own.random(3)
        own.seed(5)
        assert own.standard_normal(4).tolist() == first
