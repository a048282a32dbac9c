"""Sharded arrays: blocks, views, element-wise functions, assignment and products."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from every_device.sharded.sharded_meshes import COUNTS, KINDS, host, mesh_of
from property_tests import examples

few = settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
kinds = st.sampled_from(KINDS)
counts = st.sampled_from(COUNTS)
DTYPES = ("float32", "float64", "int32", "uint8", "complex64")


def numbers(shape: tuple[int, ...], dtype: str = "float64", seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).integers(1, 100, shape)
    return (values / 8 if np.dtype(dtype).kind in "fc" else values).astype(dtype)


@st.composite
def shapes(draw: Any, most: int = 3) -> tuple[tuple[int, ...], int]:
    """A shape and the axis that is divided."""
    shape = draw(st.lists(st.integers(0, 12), min_size=1, max_size=most))
    return tuple(shape), draw(st.integers(0, len(shape) - 1))


@few
@given(shapes(), counts, kinds, st.sampled_from(DTYPES))
def test_blocks_have_the_rows_in_order(device: ht.Device, case: Any, count: int, kind: str,
                                       dtype: str) -> None:  # fmt: skip
    shape, axis = case
    mesh = mesh_of(device, kind, count)
    a = numbers(shape, dtype)
    x = ht.shard(ht.asarray(a, queue=device.default_queue), mesh, axis)
    assert (x.shape, x.dtype, x.axis, x.ndim, x.size) == (a.shape, a.dtype, axis, a.ndim, a.size)
    assert len(x.parts) == count == len(x.mesh)
    assert all(part.queue.equivalent(queue) for part, queue in zip(x.parts, mesh, strict=True))
    extents = [part.shape[axis] for part in x.parts]
    assert sum(extents) == shape[axis] and extents == sorted(extents, reverse=True)
    assert len({extent for extent in extents if extent} - {extents[0]}) <= 1
    np.testing.assert_array_equal(host(x), a)
    np.testing.assert_array_equal(host(ht.shard(a, mesh, axis)), a)
    assert ht.gather(x, device=device).queue.equivalent(device.default_queue)


@few
@given(shapes(), counts, kinds, st.sampled_from((-1, -2, -3)))
def test_reversed_rows_are_on_the_queues_of_their_parts(device: ht.Device, case: Any, count: int,
                                                        kind: str, step: int) -> None:  # fmt: skip
    shape, axis = case
    mesh = mesh_of(device, kind, count)
    a = numbers(shape)
    x = ht.shard(a, mesh, axis)
    key = (slice(None),) * axis + (slice(None, None, step),)
    turned = x[key]
    for part, queue in zip(turned.parts, mesh, strict=True):
        assert part.queue.equivalent(queue)
    np.testing.assert_array_equal(host(turned), a[key])
    np.testing.assert_array_equal(host(turned + turned * 2), a[key] * 3)
    if step == -1:
        np.testing.assert_array_equal(host(turned - x), a[key] - a)


@st.composite
def slices(draw: Any, extent: int) -> slice:
    step = draw(st.sampled_from([None, 1, 2, 3, -1, -2]))
    ends = st.none() | st.integers(-extent - 1, extent + 1)
    return slice(draw(ends), draw(ends), step)


@few
@given(st.data(), shapes(), counts, kinds)
def test_views_are_numpys(device: ht.Device, data: Any, case: Any, count: int, kind: str) -> None:
    shape, axis = case
    a = numbers(shape)
    x = ht.shard(a, mesh_of(device, kind, count), axis)
    key: list[Any] = []
    for extent in shape:
        one = st.integers(-extent, extent - 1) if extent else slices(extent)
        key.append(data.draw(slices(extent) | one))
    key.insert(data.draw(st.integers(0, len(key))), data.draw(st.sampled_from([..., None])))
    found, expected = x[tuple(key)], a[tuple(key)]
    assert found.shape == expected.shape
    np.testing.assert_array_equal(host(found), expected)
    np.testing.assert_array_equal(host(x.T), a.T)


def test_the_same_key_selects_other_pieces(device: ht.Device) -> None:
    """What a key selects depends on the blocks, the pieces of each, and the shape."""
    key = (slice(1, -1), slice(None, None, 2))
    for rows, columns, axis in ((7, 5, 0), (9, 5, 0), (7, 5, 1), (2, 5, 0), (7, 6, 0)):
        a = numbers((rows, columns))
        x = ht.shard(a, mesh_of(device, "queues", 3), axis)
        several = x[1:] + x[:-1]  # each part may have several pieces, which the next line joins
        expected = a[1:] + a[:-1]
        for y, b in ((x, a), (several, expected), (several, expected)):
            np.testing.assert_array_equal(host(y[key]), b[key])
            y[key] = 3
            b[key] = 3
            np.testing.assert_array_equal(host(y), b)


@pytest.mark.parametrize("key", (True, np.True_, 1.0, "1", [0], slice(0, 1.5), (0, 0, 0)))
def test_keys_that_equal_others_are_refused(device: ht.Device, key: Any) -> None:
    x = ht.shard(numbers((4, 3)), mesh_of(device, "queues", 2))
    np.testing.assert_array_equal(host(x[0:1]), numbers((4, 3))[0:1])  # the key is kept
    np.testing.assert_array_equal(host(x[1]), numbers((4, 3))[1])
    with pytest.raises((TypeError, IndexError, ht.UnsupportedError)):
        x[key]
    with pytest.raises((TypeError, IndexError, ht.UnsupportedError)):
        x[key] = 0


@few
@given(st.data(), shapes(), counts, kinds)
def test_assignment_is_numpys(
    device: ht.Device, data: Any, case: Any, count: int, kind: str
) -> None:
    shape, axis = case
    a = numbers(shape)
    x = ht.shard(a, mesh_of(device, kind, count), axis)
    key = tuple(data.draw(slices(extent)) for extent in shape)
    key = tuple(k if k.step is None or k.step > 0 else slice(k.start, k.stop) for k in key)
    view = x[key]
    source = a[key] * 2 + 1
    x[key] = x[key] * 2 + 1
    a[key] = source
    np.testing.assert_array_equal(host(x), a)
    np.testing.assert_array_equal(host(view), a[key])  # it is a view of the same memory
    x[key] = 7
    a[key] = 7
    x[x > 6] = 3
    a[a > 6] = 3
    np.testing.assert_array_equal(host(x), a)
    if shape[axis] > 2:
        lead = (slice(None),) * axis
        x[(*lead, slice(1, None))] = x[(*lead, slice(None, -1))]  # source and target overlap
        a[(*lead, slice(1, None))] = a[(*lead, slice(None, -1))].copy()
        x[(*lead, 0)] = x[(*lead, -1)]
        a[(*lead, 0)] = a[(*lead, -1)]
        x[(*lead, 1)] = np.full(a[(*lead, 1)].shape, 5.0)
        a[(*lead, 1)] = 5
    x += 1
    a += 1
    np.testing.assert_array_equal(host(x), a)


OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.eq)


@few
@given(shapes(), counts, kinds, st.sampled_from(OPERATORS), st.sampled_from(DTYPES))
def test_operators_are_numpys(device: ht.Device, case: Any, count: int, kind: str, function: Any,
                              dtype: str) -> None:  # fmt: skip
    if function is operator.lt and dtype == "complex64":
        dtype = "float32"
    shape, axis = case
    mesh = mesh_of(device, kind, count)
    a, b = numbers(shape, dtype), numbers(shape, dtype, seed=1)
    x, y = ht.shard(a, mesh, axis), ht.shard(b, mesh, axis)
    one = ht.asarray(a, queue=device.default_queue)
    other = ht.asarray(b, queue=device.default_queue)
    for found, expected, exact in (
        (function(x, y), function(a, b), function(one, other)),
        (function(x, 3), function(a, 3), function(one, 3)),
        (function(3, x), function(3, a), function(3, one)),
    ):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(host(found), expected, rtol=1e-5)
        assert host(found).tobytes() == ht.asnumpy(exact).tobytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", (2, 3))
def test_ufuncs_run_on_the_parts(device: ht.Device, kind: str, count: int) -> None:
    mesh = mesh_of(device, kind, count)
    a = numbers((13, 4))
    x = ht.shard(a, mesh)
    for name in ("sqrt", "exp", "negative", "maximum", "hypot", "divmod", "modf", "isfinite"):
        ufunc = getattr(np, name)
        expected = ufunc(*[a] * ufunc.nin)
        for namespace in (np, hnp):  # by NumPy's protocols, and by hither.numpy
            found = getattr(namespace, name)(*[x] * ufunc.nin)
            several = found if isinstance(found, tuple) else (found,)
            wanted = expected if isinstance(expected, tuple) else (expected,)
            for part, other in zip(several, wanted, strict=True):
                assert isinstance(part, ht.ShardedArray)
                np.testing.assert_allclose(host(part), other, rtol=1e-12)
    np.testing.assert_array_equal(host(hnp.where(x > 5, x, 0.0)), np.where(a > 5, a, 0.0))
    np.testing.assert_array_equal(host(np.clip(x, 2, None)), np.clip(a, 2, None))
    np.testing.assert_array_equal(host(x.astype("float32")), a.astype("float32"))
    out = ht.shard(np.zeros_like(a), mesh)
    assert hnp.add(x, 1, out=out) is out
    np.testing.assert_array_equal(host(out), a + 1)
    np.testing.assert_array_equal(host(-abs(x)), -a)


@pytest.mark.parametrize("kind", KINDS)
def test_operands_broadcast(device: ht.Device, kind: str) -> None:
    mesh = mesh_of(device, kind, 3)
    a = numbers((7, 5))
    x = ht.shard(a, mesh)
    row = ht.asarray(a[0], queue=mesh[0])
    np.testing.assert_array_equal(host(x - row), a - a[0])
    np.testing.assert_array_equal(host(row - x), a[0] - a)
    np.testing.assert_allclose(host(x / x.sum(axis=0)), a / a.sum(axis=0))
    np.testing.assert_allclose(host(x - x.mean(axis=1, keepdims=True)), a - a.mean(1)[:, None])
    column = ht.shard(a[:, 0], mesh)
    np.testing.assert_array_equal(host(x * column[:, None]), a * a[:, :1])
    np.testing.assert_array_equal(host(x[:1] + x), a[:1] + a)
    np.testing.assert_array_equal(host(ht.shard(a, mesh, 1) + ht.shard(a[0], mesh)), a + a[0])


@few
@given(st.integers(2, 40), st.integers(2, 9), counts, kinds)
def test_stencils_move_only_borders(
    device: ht.Device, rows: int, columns: int, count: int, kind: str
) -> None:
    mesh = mesh_of(device, kind, count)
    a = numbers((rows, columns))
    b = a.copy()
    x, y = ht.shard(a, mesh), ht.shard(b, mesh)
    for _ in range(3):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        y[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
        a, b, x, y = b, a, y, x
    np.testing.assert_array_equal(host(x), a)
    z = x[1:] - x[:-1]
    np.testing.assert_array_equal(host(z[1:] + z[:-1]), a[2:] - a[:-2] if rows > 2 else a[2:])


def test_a_step_of_a_stencil_copies_nothing_but_borders(device: ht.Device) -> None:
    if os.environ.get("HITHER_EAGER", "0") not in ("", "0"):
        pytest.skip("eager operations store their results")
    mesh = mesh_of(device, "contexts", 2)
    a = numbers((64, 32))
    x, y = ht.shard(a, mesh), ht.shard(a, mesh)
    for z in (x, y):
        z.synchronize()

    def step() -> None:
        y[1:-1] = x[:-2] + x[2:]
        y.synchronize()

    step()
    ht.clear_kernel_history()
    step()
    names = [record.name for record in ht.kernel_history()]
    assert names and not [name for name in names if name == "copy"]


@pytest.mark.parametrize("count", [1, 2])
def test_an_expression_that_is_only_assigned_is_stored_once(device: ht.Device, count: int) -> None:
    if os.environ.get("HITHER_EAGER", "0") not in ("", "0"):
        pytest.skip("eager operations store their results")
    mesh = mesh_of(device, "queues", count)
    a = numbers((64, 32))
    x, y = ht.shard(a, mesh), ht.shard(a, mesh)

    def bytes_of(step: Any) -> int:
        x.synchronize()
        y.synchronize()
        ht.clear_kernel_history()
        step()
        y.synchronize()
        return sum(record.bytes for record in ht.kernel_history())

    def named() -> None:
        value = x[:-2] + x[2:]
        y[1:-1] = value
        np.testing.assert_array_equal(host(value), a[:-2] + a[2:])

    def unnamed() -> None:
        y[1:-1] = x[:-2] + x[2:]

    named()
    # Two reads and a write of each element, and copies of borders.
    assert bytes_of(unnamed) < 3.5 * 62 * 32 * a.itemsize
    np.testing.assert_array_equal(host(y)[1:-1], a[:-2] + a[2:])
    y[...] = a
    y[1:-1] += x[:-2]
    np.testing.assert_array_equal(host(y)[1:-1], a[1:-1] + a[:-2])


@few
@given(st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), counts, kinds, st.data())
def test_products(device: ht.Device, m: int, k: int, n: int, count: int, kind: str,
                  data: Any) -> None:  # fmt: skip
    mesh = mesh_of(device, kind, count)
    a, b = numbers((m, k)), numbers((k, n), seed=1)
    for left in (0, 1):
        for right in (0, 1):
            x, y = ht.shard(a, mesh, left), ht.shard(b, mesh, right)
            np.testing.assert_allclose(host(x @ y), a @ b)
    x, y = ht.shard(a, mesh), ht.shard(b, mesh, data.draw(st.integers(0, 1)))
    np.testing.assert_allclose(host(x @ ht.asarray(b, queue=mesh[0])), a @ b)
    np.testing.assert_allclose(host(ht.asarray(a, queue=mesh[0]) @ y), a @ b)
    if n:
        np.testing.assert_allclose(host(x @ ht.shard(b[:, 0], mesh)), a @ b[:, 0])
    np.testing.assert_allclose(host(hnp.matmul(x, y)), a @ b)


def test_large_blocks_are_multiples_of_chunks(device: ht.Device) -> None:
    x = ht.shard(np.zeros(100_003, np.uint8), mesh_of(device, "queues", 3))
    assert x.bounds == (0, 33408, 66816, 100_003)


def test_an_axis_of_one_row(device: ht.Device) -> None:
    x = ht.shard([5.0], mesh_of(device, "queues", 3))
    assert (float(x), int(x), bool(x), x.item(), x.tolist()) == (5.0, 5, True, 5.0, [5.0])
    assert [part.size for part in x.parts] == [1, 0, 0]
    assert [float(row) for row in x] == [5.0] and len(x) == 1


@few
@given(counts, kinds)
def test_a_value_that_has_a_name_keeps_its_elements(device: ht.Device, count: int,
                                                    kind: str) -> None:  # fmt: skip
    """An assignment takes the pieces of a temporary value, but not those of another one."""
    mesh = mesh_of(device, kind, count)
    a = numbers((9, 5))
    x, y = ht.shard(a, mesh), ht.shard(a, mesh)
    named = x[:-2] + x[2:]
    same = named
    y[1:-1] = named
    y[1:-1] = x[:-2] * x[2:]
    y += 1
    np.testing.assert_array_equal(host(same), a[:-2] + a[2:])
    np.testing.assert_array_equal(host(y)[1:-1], a[:-2] * a[2:] + 1)


def test_an_assignment_knows_whether_its_value_is_temporary() -> None:
    from hither import _hither

    class Target:
        def _put(self, key: Any, value: Any, temporary: bool) -> None:
            self.seen = key, temporary

    _hither.puts_items(Target)
    target: Any = Target()
    target["key"] = object()
    assert target.seen == ("key", True)
    named = object()
    target["key"] = named
    assert target.seen == ("key", False)
