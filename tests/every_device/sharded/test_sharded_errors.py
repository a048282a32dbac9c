"""Mistakes with sharded arrays, and the texts of their errors."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp
from every_device.sharded.sharded_meshes import mesh_of


@ht.kernel
def renames(x, y):  # type: ignore[no-untyped-def]
    z = x
    y[ht.get_global_id(0)] = z[0]


@ht.device_func
def own_id():  # type: ignore[no-untyped-def]
    return ht.get_global_id(0)


@ht.kernel
def asks_for_its_id(x, y):  # type: ignore[no-untyped-def]
    y[own_id()] = x[own_id()]


@ht.kernel
def in_groups(x, y):  # type: ignore[no-untyped-def]
    y[ht.get_global_id(0)] = x[ht.get_local_id(0)]


@ht.kernel
def sums(x, total):  # type: ignore[no-untyped-def]
    ht.atomic.add(total, 0, x[ht.get_global_id(0), 0])


@ht.kernel
def stores(x, total):  # type: ignore[no-untyped-def]
    total[ht.get_global_id(0)] = x[ht.get_global_id(0), 0]


Case = tuple[Callable[[Any, Any], Any], type[BaseException], str]
CASES: dict[str, Case] = {
    "SUAI": (lambda x, a: x.__sycl_usm_array_interface__, ht.ExchangeError, r"x\.parts"),
    "asarray": (lambda x, a: ht.asarray(x), ht.ExchangeError, r"hither\.gather\(x\)"),
    "DLPack": (lambda x, a: np.from_dlpack(x), ht.ExchangeError, r"hither\.gather\(x\)"),
    "NumPy": (lambda x, a: np.asarray(x), ht.ExchangeError, r"hither\.gather\(x\)"),
    "buffer": (lambda x, a: memoryview(x), TypeError, "bytes-like"),
    "pickle": (lambda x, a: pickle.dumps(x), ht.UnsupportedError, r"hither\.gather\(x\)"),
    "deepcopy": (lambda x, a: copy.deepcopy(x), ht.UnsupportedError, r"hither\.gather\(x\)"),
    "hash": (lambda x, a: hash(x), TypeError, "unhashable"),
    "other mesh": (
        lambda x, a: x + ht.shard(a, [x.mesh[0]]), ht.PlacementError, "different meshes",
    ),
    "NumPy operand": (lambda x, a: x + a, ht.PlacementError, r"hither\.shard\(v, mesh\)"),
    "undivided": (
        lambda x, a: x + ht.asarray(a, queue=x.mesh[0]), ht.PlacementError, "has all rows",
    ),
    "string": (lambda x, a: x + "a", ht.InvalidTypeError, "an operand is a str"),
    "axes": (lambda x, a: x + x.reshard(1), ht.InvalidValueError, r"x\.reshard\(axis\)"),
    "shapes": (lambda x, a: x + x[1:], ht.InvalidValueError, "do not broadcast"),
    "method": (lambda x, a: x.cumsum(), AttributeError, r"hither\.gather\(x\) is an array"),
    "no method": (lambda x, a: x.nothing, AttributeError, "attribute 'nothing'$"),
    "index array": (
        lambda x, a: x[ht.asarray([1, 0], queue=x.mesh[0])], ht.UnsupportedError, "takes integers",
    ),
    "sort": (lambda x, a: hnp.sort(x, axis=0), ht.UnsupportedError, "axis 0 is divided"),
    "fft": (lambda x, a: np.fft.fft(x), ht.UnsupportedError, "gather"),
    "queue=": (lambda x, a: hnp.add(x, 1, queue="cpu"), ht.InvalidTypeError, "queue= has no"),
    "indices": (lambda x, a: x[[0, 1]], ht.UnsupportedError, "gather it"),
    "index": (lambda x, a: x[9], IndexError, "index 9 is out of range for axis 0 of 8"),
    "many indices": (lambda x, a: x[1, 1, 1], IndexError, "3 indices"),
    "mask": (lambda x, a: x.__setitem__(x[1:] > 0, 0), ht.InvalidTypeError, "the mask has shape"),
    "value": (lambda x, a: x.__setitem__(slice(0, 3), a), ht.Error, "shape"),
    "in place": (
        lambda x, a: x.astype("int32").__iadd__(0.5), ht.InvalidTypeError, "cannot be stored",
    ),
    "axis": (lambda x, a: ht.shard(a, x.mesh, 2), ht.AxisError, "axis 2 is out of range"),
    "no axis": (lambda x, a: ht.shard(3, x.mesh), ht.AxisError, "0 dimensions"),
    "axis type": (lambda x, a: ht.shard(a, x.mesh, 0.5), ht.InvalidTypeError, "axis is 0.5"),
    "dtype": (lambda x, a: ht.shard(["a"], x.mesh), ht.Error, "dtype"),
    "mesh": (lambda x, a: ht.shard(a, 3), ht.InvalidTypeError, "mesh is an int"),
    "empty mesh": (lambda x, a: ht.Mesh([]), ht.InvalidValueError, "at least one"),
    "parts": (lambda x, a: ht.Mesh("cpu", parts=0), ht.InvalidValueError, "parts is 0"),
    "targets": (lambda x, a: ht.Mesh([1]), ht.InvalidTypeError, "contains an int"),
    "gather": (lambda x, a: ht.gather(a), ht.InvalidTypeError, "pass a ShardedArray"),
    "constructor": (lambda x, a: ht.ShardedArray(a), ht.InvalidTypeError, r"hither\.shard"),
    "reduced axis": (lambda x, a: x.sum(axis=2), ht.AxisError, "axis 2 is out of range"),
    "axis twice": (lambda x, a: x.sum(axis=(0, 0)), ht.InvalidValueError, "twice"),
    "product": (lambda x, a: x @ x, ht.InvalidValueError, r"shapes \(8, 3\) and \(8, 3\)"),
    "rename": (lambda x, a: renames.sharded(x.mesh)(x, x), ht.CompileError, "x is divided"),
    "device_func": (
        lambda x, a: asks_for_its_id.sharded(x.mesh)(x[:, 0], x[:, 1]), ht.CompileError,
        "own_id uses the ids",
    ),
    "group": (
        lambda x, a: in_groups.sharded(x.mesh)(x[:, 0], x[:, 1]), ht.CompileError,
        "get_local_id has no meaning",
    ),
    "atomic": (
        lambda x, a: sums.sharded(x.mesh)(x, ht.zeros(1, queue=x.mesh[0])), ht.PlacementError,
        "total is an array of one queue",
    ),
    "one queue": (
        lambda x, a: stores.sharded(x.mesh)(x, ht.zeros(8, queue=x.mesh[0])), ht.PlacementError,
        "total is an array of one queue",
    ),
    "halo": (lambda x, a: renames.sharded(x.mesh, halo=-1), ht.InvalidValueError, "halo is -1"),
    "kernel's mesh": (
        lambda x, a: in_groups.sharded([x.mesh[0]])(x, x), ht.PlacementError, "not on the mesh",
    ),
    "no sharded": (
        lambda x, a: renames.sharded(x.mesh)(1, 2), ht.PlacementError, "no argument is a Sharded",
    ),
    "arguments": (lambda x, a: renames.sharded(x.mesh)(x), ht.InvalidTypeError, "missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_mistakes(device: ht.Device, name: str) -> None:
    call, kind, text = CASES[name]
    a = np.arange(24.0).reshape(8, 3)
    x = ht.shard(a, mesh_of(device, "contexts", 2))
    with pytest.raises(kind, match=text):
        call(x, a)
    np.testing.assert_array_equal(ht.asnumpy(ht.gather(x)), a)


def test_equal_meshes_are_equivalent(device: ht.Device) -> None:
    one, two = ht.Mesh(device, parts=2), ht.Mesh(device, parts=2)
    assert one == two and one.equivalent(two) and hash(one) == hash(two)
    assert one != ht.Mesh(device, parts=3) and one != 3
    assert ht.shard([1, 2], one).queue == (ht.shard([1, 2], one) + ht.shard([1, 2], two)).mesh
    assert one.shares_memory and len(one.queues) == len(one.devices) == len(list(one)) == 2
    assert "Mesh of" in repr(one) and "2 parts" in repr(ht.shard([1, 2], one))


def test_meshes_have_devices_of_one_kind() -> None:
    kinds = {d.backend: d for d in ht.devices()}
    if len(kinds) < 2:
        pytest.skip("needs devices of two back ends")
    with pytest.raises(ht.InvalidValueError, match="different kinds"):
        ht.Mesh(list(kinds.values()))
