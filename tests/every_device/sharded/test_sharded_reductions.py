"""Reductions of sharded arrays: NumPy's values, and the same bits for each number of parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from every_device.sharded.sharded_meshes import COUNTS, KINDS, bits, host, mesh_of
from hither._sharded import reductions
from property_tests import examples

few = settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
NAMES = ("sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin",
         "count_nonzero", "ptp")  # fmt: skip


@st.composite
def cases(draw: Any) -> tuple[np.ndarray, int, Any]:
    """An array, the axis that is divided, and the axis to reduce."""
    shape = tuple(draw(st.lists(st.integers(1, 20), min_size=1, max_size=3)))
    dtype = draw(st.sampled_from(["float64", "float32", "int16", "bool", "complex64"]))
    values = np.random.default_rng(draw(st.integers(0, 9))).integers(-4, 5, shape)
    a = (values / 4 if dtype.startswith("f") else values).astype(dtype)
    if dtype == "complex64":
        a = (a + 1j * np.roll(a, 1)).astype(dtype)
    axis = draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    return a, draw(st.integers(0, len(shape) - 1)), axis


@few
@given(cases(), st.sampled_from(COUNTS), st.sampled_from(KINDS), st.sampled_from(NAMES))
def test_reductions_are_numpys(device: ht.Device, case: Any, count: int, kind: str,
                               name: str) -> None:  # fmt: skip
    a, along, axis = case
    if a.dtype == bool and name in ("ptp", "prod"):
        a = a.astype("int32")
    x = ht.shard(a, mesh_of(device, kind, count), along)
    found, expected = getattr(hnp, name)(x, axis=axis), getattr(np, name)(a, axis=axis)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(host(found), expected, rtol=1e-4, atol=1e-6)
    reduced = axis is None or axis % a.ndim == along
    assert isinstance(found, ht.Array if reduced else ht.ShardedArray)
    if name not in ("count_nonzero",):
        kept = getattr(np, name)(x, axis=axis, keepdims=True)
        assert kept.shape == getattr(np, name)(a, axis=axis, keepdims=True).shape


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "ptp"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_complex_extremes_with_nan_do_not_depend_on_the_parts(
    device: ht.Device, name: str, axis: Any
) -> None:
    a = np.arange(600.0).reshape(300, 2) % 7 * (1 + 2j)
    a[11, 1], a[250, 0], a[290, 0] = complex(np.nan, 1), complex(2, np.nan), complex(np.nan, 3)
    found = [getattr(hnp, name)(ht.shard(a, mesh_of(device, "queues", n)), axis=axis)
             for n in (1, 2, 3)]  # fmt: skip
    assert len({bits(x) for x in found}) == 1
    expected = getattr(np, name)(a, axis=axis)
    np.testing.assert_array_equal(np.isnan(host(found[0])), np.isnan(expected))
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(host(found[0])[known], expected[known])


def noise(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Numbers of several magnitudes, whose sum depends on the order."""
    random = np.random.default_rng(3)
    return (random.standard_normal(shape) * 10.0 ** random.integers(-3, 4, shape)).astype(dtype)


SHAPES = (
    ((5003,), 0), ((2600, 7), 0), ((700, 131), 0), ((3, 900), 1), ((6, 40, 5), 1), ((70, 1100), 0),
)  # fmt: skip
MESHES = (("queues", 1), ("parts", 2), ("queues", 3), ("contexts", 5))


def compiles_slowly(device: ht.Device) -> bool:
    """Whether a kernel takes a second to compile: fewer cases then."""
    return device.backend in ("opencl", "level_zero")


@pytest.mark.parametrize("folded", (False, True))
@pytest.mark.parametrize("dtype", ("float32", "float64", "float16", "complex64"))
def test_bits_do_not_depend_on_the_number_of_parts(
    device: ht.Device, dtype: str, folded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly = compiles_slowly(device)
    if slowly and (folded or dtype != "float64"):
        pytest.skip("the device compiles slowly")
    if folded:  # the order of GPUs
        monkeypatch.setattr(reductions, "orders_by_all_extents", lambda x: True)
    names = ["sum"] if slowly else ["sum", "mean"]
    names += [] if dtype == "complex64" or slowly else ["max"]
    for shape, along in SHAPES[:3] if slowly else SHAPES:
        a = noise(shape, dtype)
        sharded = [ht.shard(a, mesh_of(device, *m), along) for m in MESHES[: 3 if slowly else 4]]
        for axis in (None, *range(len(shape))):
            for name in names:
                seen = {bits(getattr(x, name)(axis=axis)) for x in sharded}
                assert len(seen) == 1, (name, shape, along, axis)
        squares = {bits((x - x.mean()).var()) for x in sharded}
        assert len(squares) == 1
    a = noise((2600, 7), dtype)
    whole = np.sum(a, axis=0, dtype="complex128" if dtype == "complex64" else float)
    found = host(ht.shard(a, mesh_of(device, "queues", 3)).sum(axis=0))
    np.testing.assert_allclose(found, whole, rtol=2e-2)


@few
@given(st.integers(1, 3000), st.integers(1, 3), st.integers(0, 99))
def test_bits_of_slices_too(device: ht.Device, rows: int, columns: int, first: int) -> None:
    a = noise((rows + first, columns), "float64")
    seen = set()
    for kind, count in (("queues", 1), ("parts", 2), ("contexts", 3)):
        x = ht.shard(a, mesh_of(device, kind, count))
        seen.add(bits((x[first:] * 3).sum()) + bits(x[first:].sum(axis=0)))
    assert len(seen) == 1


def test_empty_arrays(device: ht.Device) -> None:
    for shape in ((0,), (0, 3), (3, 0)):
        x = ht.shard(np.zeros(shape), mesh_of(device, "queues", 2))
        assert float(x.sum()) == 0 and float(x.prod()) == 1 and not bool(x.any())
        with pytest.raises(ValueError, match=r"empty|no elements|zero"):
            x.max()


def test_options_of_reductions(device: ht.Device) -> None:
    a = np.arange(20, dtype="int32").reshape(10, 2)
    x = ht.shard(a, mesh_of(device, "parts", 2))
    assert x.sum(dtype="float32").dtype == np.float32
    assert float(x.var(ddof=1)) == pytest.approx(a.var(ddof=1))
    out = ht.zeros(2, queue=x.mesh[0])
    assert hnp.sum(x, axis=0, out=out) is out and out.tolist() == a.sum(axis=0).tolist()
    assert host(np.add.reduce(x)).tolist() == host(hnp.add.reduce(x)).tolist() == a.sum(0).tolist()
    assert x.sum(axis=()).shape == a.shape
