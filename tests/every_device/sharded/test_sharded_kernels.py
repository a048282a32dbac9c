"""Kernels over the rows of sharded arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from every_device.sharded.sharded_meshes import COUNTS, KINDS, host, mesh_of
from property_tests import examples

few = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
STEP = 2


@ht.kernel
def five_points(x, y, weight):  # type: ignore[no-untyped-def]
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    if i > 0 and i + 1 < x.shape[0] and j > 0 and j + 1 < x.shape[1]:
        y[i, j] = weight * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
    else:
        y[i, j] = x[i, j] + 100 * i


@ht.kernel
def of_items(item: ht.Item, y):  # type: ignore[no-untyped-def]
    i = item.get_id(0)
    y[i] += item.get_linear_id() + 100 * item.get_range(0) + 10000 * len(y)


@ht.kernel
def columns(x, y, table):  # type: ignore[no-untyped-def]
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    before = x[i, j - STEP] if j >= STEP else 0
    y[i, j] = before + table[j] + x.shape[1]


@ht.kernel(debug=True)
def reads_too_far(x, y):  # type: ignore[no-untyped-def]
    i = ht.get_global_id(0)
    if i >= 2:
        y[i] = x[i - 2]


@ht.kernel(debug=True)
def writes_elsewhere(x, y):  # type: ignore[no-untyped-def]
    i = ht.get_global_id(0)
    y[(i + 1) % x.shape[0]] = x[i]


@few
@given(st.integers(1, 30), st.integers(1, 8), st.sampled_from(COUNTS), st.sampled_from(KINDS))
def test_stencils(device: ht.Device, rows: int, width: int, count: int, kind: str) -> None:
    mesh = mesh_of(device, kind, count)
    a = np.random.default_rng(rows).random((rows, width))
    one = ht.asarray(a, queue=device.default_queue)
    whole = ht.zeros_like(one)
    five_points(one, whole, 0.25)
    x, y = ht.shard(a, mesh), ht.shard(np.zeros_like(a), mesh)
    five_points.sharded(mesh, (rows, width), halo=1)(x, y, 0.25)
    assert host(y).tobytes() == ht.asnumpy(whole).tobytes()
    y[:] = 0
    five_points.sharded(mesh, halo=1)(x, weight=0.25, y=y)
    assert host(y).tobytes() == ht.asnumpy(whole).tobytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", COUNTS)
def test_ids_and_extents_are_those_of_the_whole(device: ht.Device, kind: str, count: int) -> None:
    mesh = mesh_of(device, kind, count)
    y = ht.shard(np.ones(11, np.int64), mesh)
    of_items.sharded(mesh)(y)
    np.testing.assert_array_equal(host(y), 1 + np.arange(11) + 1100 + 110000)
    of_items.sharded(mesh, 4)(y)
    assert host(y)[4:].tolist() == (1 + np.arange(11) + 1100 + 110000)[4:].tolist()
    assert host(y)[0] == 1 + 1100 + 110000 + 400 + 110000


@pytest.mark.parametrize("kind", KINDS)
def test_another_axis(device: ht.Device, kind: str) -> None:
    mesh = mesh_of(device, kind, 3)
    a = np.arange(77.0).reshape(7, 11)
    x, y = ht.shard(a, mesh, 1), ht.shard(np.zeros_like(a), mesh, 1)
    columns.sharded(mesh, halo=2)(x, y, ht.arange(11.0, queue=mesh[0]))
    expected = np.arange(11.0) + 11 + np.zeros_like(a)
    expected[:, 2:] += a[:, :-2]
    np.testing.assert_array_equal(host(y), expected)


@pytest.mark.parametrize("kernel, halo", [(reads_too_far, 1), (writes_elsewhere, 1)])
def test_rows_beyond_the_halo_are_faults(device: ht.Device, kernel: Any, halo: int) -> None:
    mesh = mesh_of(device, "queues", 2)
    x, y = ht.shard(np.arange(20.0), mesh), ht.shard(np.zeros(20), mesh)
    file = __file__.rpartition("/")[2]
    line = kernel.py_func.__code__.co_firstlineno
    lines = "|".join(str(line + k) for k in range(1, 5))
    with pytest.raises(ht.KernelError, match=rf"up to halo= rows .*{file}:({lines})\b"):
        kernel.sharded(mesh, halo=halo)(x, y)
        y.synchronize()
    while True:  # every launch has its error
        try:
            return mesh.wait()
        except ht.KernelError:
            continue
