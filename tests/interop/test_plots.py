"""matplotlib draws hither's arrays, also together with arrays of its own; xarray holds them."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


@pytest.fixture
def plt():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    yield pyplot
    pyplot.close("all")


@pytest.fixture
def x():
    return hnp.reshape(hnp.linspace(0, 1, 24), (4, 6))


def test_bars(plt, x):
    bars = plt.bar(hnp.arange(4), x[:, 0], width=x[:, 1])
    assert [float(b.get_height()) for b in bars] == pytest.approx(x[:, 0].tolist())
    assert len(plt.barh(hnp.arange(4), x[:, 0], xerr=x[:, 1])) == 4


@pytest.mark.parametrize("draw", ["plot", "scatter", "fill_between", "step", "hist2d", "errorbar"])
def test_lines_and_points(plt, x, draw):
    getattr(plt, draw)(x[0], x[1])


@pytest.mark.parametrize("draw", ["imshow", "contourf", "pcolormesh", "matshow", "boxplot"])
def test_images(plt, x, draw):
    getattr(plt, draw)(x)
    plt.gcf().canvas.draw()


def test_fields(plt, x):
    columns, rows = hnp.meshgrid(hnp.arange(6), hnp.arange(4))
    plt.quiver(columns, rows, x, x)
    plt.contour(columns, rows, x)
    plt.figure().add_subplot().streamplot(hnp.arange(6), hnp.arange(4), x, x)
    space = plt.figure().add_subplot(projection="3d")
    space.plot_surface(columns, rows, x)
    space.plot_wireframe(columns, rows, x)


@pytest.mark.numba_leaks  # xarray keeps the last array of interp()
def test_xarray(x):
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    d = xarray.DataArray(x, dims=("a", "b"), coords={"a": np.arange(4)})
    plain = xarray.DataArray(ht.asnumpy(x), dims=("a", "b"), coords={"a": np.arange(4)})
    for call in (
        lambda d: d.isel(a=[0, 2]),
        lambda d: d.rolling(b=2).mean(),
        lambda d: d.shift(a=1),
        lambda d: d.median("a"),
        lambda d: d.dot(d),
    ):
        result = call(d)
        assert isinstance(result.data, ht.Array)
        np.testing.assert_allclose(ht.asnumpy(result.data), call(plain).data, rtol=1e-12)
    np.testing.assert_allclose(d.interp(a=1.5).values, plain.interp(a=1.5).values)  # by SciPy
