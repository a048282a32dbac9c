"""Functions of the module hither with sharded arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp
from every_device.sharded.sharded_meshes import host, mesh_of
from hither import _hither

BLOCKS = (np.arange(66.0).reshape(11, 6) * 0.37 % 1.0 + 0.1).astype(np.float32)
REDUCTIONS = ("sum", "prod", "max", "min", "mean", "var", "std", "argmax", "argmin")


def given(device: ht.Device, axis: int = 0) -> tuple[ht.ShardedArray, ht.Array]:
    """The same numbers as a sharded array and as an array."""
    mesh = mesh_of(device, "parts" if device.device_type == "cpu" else "queues", 3)
    return ht.shard(BLOCKS, mesh, axis=axis), ht.asarray(BLOCKS, queue=mesh[0])


def agree(x: Any, wanted: Any, **tolerance: float) -> None:
    assert x.dtype == wanted.dtype
    np.testing.assert_allclose(host(x), ht.asnumpy(wanted), **tolerance)


def test_elementwise_functions(device: ht.Device) -> None:
    x, a = given(device)
    called = 0
    for name in _hither.elementwise_functions:
        function = getattr(ht, name, None)
        if function is None:
            continue
        for operands in ([x], [x, x], [x > 0.5, x, x]):
            arrays = [ht.gather(v) for v in operands]
            try:
                wanted = function(*arrays)
            except ht.InvalidTypeError:  # another number of operands, or another dtype
                continue
            found = function(*operands)
            assert isinstance(found, ht.ShardedArray)
            agree(found, wanted)
            called += 1
    assert called > 50
    agree(ht.where(x > 0.5, 1.0, x), ht.where(a > 0.5, 1.0, a))
    agree(ht.pow(2, x), ht.pow(2, a))
    agree(ht.clip(x, max=0.5), ht.clip(a, max=0.5))
    mean = x.mean()
    agree(ht.clip(x, 0.2, mean), ht.clip(a, 0.2, mean))
    agree(ht.astype(x, "int16"), ht.astype(a, "int16"))
    agree(ht.full_like(x, 7, dtype="int8"), ht.full_like(a, 7, dtype="int8"))
    agree(ht.zeros_like(x) + ht.ones_like(x), ht.ones_like(a))
    copied = ht.copy(x)
    copied[0] = 0
    agree(x, a)


@pytest.mark.parametrize("module", [hnp, np], ids=["hither.numpy", "numpy"])
def test_arrays_like_a_sharded_array(device: ht.Device, module: Any) -> None:
    x, a = given(device)
    for name in ("zeros_like", "ones_like", "empty_like"):
        made = getattr(module, name)(x, dtype="int16")
        assert isinstance(made, ht.ShardedArray) and made.bounds == x.bounds
        assert made.shape == x.shape and made.dtype == np.int16
        with pytest.raises(ht.InvalidTypeError, match="shape= has no effect on a ShardedArray"):
            getattr(module, name)(x, shape=(3,))
    agree(module.zeros_like(x), hnp.zeros_like(a))
    agree(module.ones_like(a=x), hnp.ones_like(a))
    agree(module.full_like(x, 3), hnp.full_like(a, 3))
    agree(module.full_like(x, x, dtype="float64"), hnp.astype(a, "float64"))
    agree(module.astype(x, "int16"), hnp.astype(a, "int16"))
    agree(module.astype(x, "float64", copy=False), hnp.astype(a, "float64"))
    assert module.size(x) == 66 and module.size(x, 0) == 11 and module.size(x, axis=1) == 6
    assert module.shape(x) == (11, 6) and module.ndim(x) == 2


@pytest.mark.parametrize("divided", [0, 1])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_reductions(device: ht.Device, divided: int, axis: Any) -> None:
    x, a = given(device, divided)
    for name in REDUCTIONS:
        function = getattr(ht, name)
        agree(function(x, axis=axis), function(a, axis=axis), rtol=1e-5)
        agree(function(x, axis=axis, keepdims=True), function(a, axis=axis, keepdims=True),
              rtol=1e-5)  # fmt: skip
    for name in ("any", "all", "count_nonzero"):
        agree(getattr(ht, name)(x > 0.5, axis=axis), getattr(ht, name)(a > 0.5, axis=axis))
    agree(ht.var(x, axis=axis, correction=1), ht.var(a, axis=axis, correction=1), rtol=1e-5)
    agree(ht.sum(x, axis=axis, dtype="float64"), ht.sum(a, axis=axis, dtype="float64"))


@pytest.mark.parametrize("module", [ht, hnp], ids=["hither", "hither.numpy"])
@pytest.mark.parametrize("divided", [0, 1])
def test_functions_along_an_axis_that_is_not_divided(
    device: ht.Device, divided: int, module: Any
) -> None:
    x, a = given(device, divided)
    other = 1 - divided
    calls: dict[str, dict[str, Any]] = {
        "sort": {}, "argsort": {}, "cumulative_sum": {}, "flip": {}, "roll": {"shift": 2},
    }  # fmt: skip
    for name, options in calls.items():
        function: Callable[..., Any] = getattr(module, name)
        agree(function(x, axis=other, **options), function(a, axis=other, **options))
        with pytest.raises(ht.UnsupportedError, match=r"is divided; .*x\.reshard\(axis\)"):
            function(x, axis=divided, **options)


@pytest.mark.parametrize("divided", [0, 1])
def test_functions_that_change_another_axis(device: ht.Device, divided: int) -> None:
    x, a = given(device, divided)
    other = 1 - divided
    for module, name in (
        (ht, "median"),
        *((hnp, n) for n in ("median", "nansum", "nanmax", "diff")),
    ):
        found = getattr(module, name)(x, axis=other)
        assert found.axis == (divided if name == "diff" else 0)
        agree(found, getattr(module, name)(a, axis=other), rtol=1e-5)
    kept = ht.median(x, axis=other, keepdims=True)
    assert kept.axis == divided
    agree(kept, ht.median(a, axis=other, keepdims=True))
    agree(hnp.nanmin(x, axis=other, keepdims=True), hnp.nanmin(a, axis=other, keepdims=True))
    table = hnp.take(x, np.array([[1, 0, 2], [3, 3, 3]]), axis=other)
    assert table.axis == (2 if divided else 0)
    agree(table, hnp.take(a, np.array([[1, 0, 2], [3, 3, 3]]), axis=other))


@pytest.mark.parametrize("divided", [0, 1])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_norms_of_vectors(device: ht.Device, divided: int, axis: Any) -> None:
    x, a = given(device, divided)
    for order in (1, 2, 3, np.inf, 0):
        found = ht.linalg.vector_norm(x, ord=order, axis=axis)
        agree(found, ht.linalg.vector_norm(a, ord=order, axis=axis), rtol=1e-5)
        if order != 3:  # of integers and bools in float64, in which they cannot overflow
            for wide in ("int8", "bool"):
                many, some = x.astype(wide) * 100, ht.astype(a, wide) * 100
                agree(ht.linalg.vector_norm(many, ord=order, axis=axis),
                      ht.linalg.vector_norm(some, ord=order, axis=axis))  # fmt: skip
    agree(hnp.linalg.norm(x, axis=axis), hnp.linalg.norm(a, axis=axis), rtol=1e-5)
    agree(hnp.linalg.norm(x, axis=(-1,)), hnp.linalg.norm(a, axis=-1), rtol=1e-5)


def test_small_dtypes(device: ht.Device) -> None:
    x, a = (v.astype("int8") * 100 for v in given(device))
    agree(ht.linalg.vector_norm(x + 100), ht.linalg.vector_norm(a + 100))
    if not device.has_aspect_fp16:
        return
    wide = ht.astype(ht.where(given(device)[0] > 0.5, 300.0, -300.0), "float16")
    assert bool(ht.isfinite(ht.std(wide)))
    agree(ht.std(wide), ht.std(ht.gather(wide)))


def test_shifts_of_one_axis(device: ht.Device) -> None:
    x, a = given(device)
    agree(ht.roll(x, (1, 2), axis=(1, 1)), ht.roll(a, (1, 2), axis=(1, 1)))
    agree(ht.repeat(x, 2, axis=1), ht.repeat(a, 2, axis=1))
    agree(hnp.clip(a=x, a_min=0.2, a_max=0.5), hnp.clip(a=a, a_min=0.2, a_max=0.5))


def test_products_and_copies_on_the_host(device: ht.Device) -> None:
    x, a = given(device)
    agree(ht.matmul(x, a.T), ht.matmul(a, a.T), rtol=1e-5)
    assert ht.asnumpy(x).tolist() == BLOCKS.tolist()
    assert ht.asnumpy(x[::2, 1:]).tolist() == BLOCKS[::2, 1:].tolist()
    assert ht.asnumpy(x[:0]).shape == (0, 6)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: ht.exp(x, queue="cpu"), ht.InvalidTypeError, "queue= has no effect"),
        (lambda x: ht.zeros_like(x, shape=(3,)), ht.InvalidTypeError, "shape= has no effect"),
        (lambda x: hnp.full_like(x, 1, shape=3), ht.InvalidTypeError, "shape= has no effect"),
        (lambda x: hnp.ones_like(x, queue="cpu"), ht.InvalidTypeError, "queue= has no effect"),
        (lambda x: hnp.astype(x), ht.InvalidTypeError, "dtype is missing"),
        (lambda x: ht.add(x), ht.InvalidTypeError, "x2"),
        (lambda x: ht.add(x, "a"), ht.InvalidTypeError, "an operand is a str"),
        (lambda x: ht.add(x, x, None), ht.InvalidTypeError, "2 positional arguments, 3 given"),
        (lambda x: ht.sqrt(x, x.mesh[0]), ht.InvalidTypeError, "1 positional argument, 2 given"),
        (lambda x: ht.max(x, axis=7), ht.AxisError, "axis 7"),
        (lambda x: ht.sum(x, out=x), ht.InvalidTypeError, "out"),
        (lambda x: ht.asnumpy(x, out=BLOCKS), ht.UnsupportedError, "leave them out"),
        (lambda x: ht.concat([x, x]), ht.InvalidTypeError, r"arrays\[0\] is a .*gather\(x\)"),
        (lambda x: ht.take(x, x, axis=0), ht.UnsupportedError, "axis 0 is divided"),
        (lambda x: ht.median(x), ht.UnsupportedError, "axis 0 is divided"),
        (lambda x: ht.median(x, axis=3), ht.AxisError, "axis 3"),
        (lambda x: ht.median(x, axis=1, queue="cpu"), ht.InvalidTypeError, "queue= has no effect"),
        (lambda x: ht.copy(x, queue="cpu"), ht.InvalidTypeError, "queue= has no effect"),
        (lambda x: ht.max(x + 1j), ht.InvalidTypeError, "has no order"),
        (lambda x: ht.unstack(x), ht.InvalidTypeError, r"gather\(x\)"),
        (lambda x: ht.mean(x, dtype="int32"), ht.InvalidTypeError, "floating-point dtype"),
        (lambda x: ht.sum(x, dtype="nope"), ht.InvalidTypeError, "dtype"),
        (lambda x: ht.argmax(x, axis=(0, 1)), ht.InvalidValueError, "a single axis"),
        (lambda x: ht.std(x, ddof=1), ht.InvalidTypeError, "its name here is correction="),
        (lambda x: ht.cumulative_sum(x), ht.InvalidValueError, "axis is needed"),
        (lambda x: ht.diff(x, axis=1, prepend=x), ht.UnsupportedError, "takes no ShardedArray"),
        (lambda x: ht.asnumpy(ht.gather(x), out=x), ht.InvalidTypeError, "out= is a"),
        (lambda x: ht.fft.fft(x), ht.InvalidTypeError, r"gather\(x\)"),
        (lambda x: hnp.linalg.norm(x, 2), ht.UnsupportedError, "norms of matrices"),
        (lambda x: ht.full_like(ht.gather(x), x), ht.UnsupportedError, "takes no ShardedArray"),
    ],
)
def test_what_is_refused(device: ht.Device, call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call(given(device)[0])
