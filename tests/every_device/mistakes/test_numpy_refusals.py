"""Arguments that NumPy refuses: the error has the same class and names the function."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

NAN = float("nan")
STACKS = ["stack", "vstack", "hstack", "dstack", "column_stack", "concatenate"]


def _joins(name, given):
    return lambda xp, x: getattr(xp, name)(given(x))


# The functions, and calls of them with a vector of three numbers.
CALLS = {
    "nanargmax": lambda xp, x: xp.nanargmax(x * NAN),
    "nanargmax of an axis": lambda xp, x: xp.nanargmax(x, axis=3),
    "nanargmin of nothing": lambda xp, x: xp.nanargmin(x[:0]),
    "searchsorted by reals": lambda xp, x: xp.searchsorted(x, 2.0, sorter=x),
    "searchsorted": lambda xp, x: xp.searchsorted(x, 2.0, sorter=[0, 1]),
    "vstack of two lengths": lambda xp, x: xp.vstack([x, x[:2]]),
    "hstack of ranks": lambda xp, x: xp.hstack([x, x[None]]),
    "take_along_axis by a mask": lambda xp, x: xp.take_along_axis(x, x > 1, 0),
    "put_along_axis by reals": lambda xp, x: xp.put_along_axis(x, x, 0, 0),
    "round": lambda xp, x: xp.round(x, 1.5),
    "array of more axes": lambda xp, x: xp.array(x, ndmin=1.5),
    "zeros_like": lambda xp, x: xp.zeros_like(x, dtype=x),
    "repeat by reals": lambda xp, x: xp.repeat(x, x),
    "pad": lambda xp, x: xp.pad(x, True),
    "cumsum": lambda xp, x: xp.cumsum(x, axis=2),
    "transpose": lambda xp, x: xp.transpose(x, (0, 1)),
    "bincount": lambda xp, x: xp.bincount(x.astype(int), minlength=2.5),
    "bincount of a flag": lambda xp, x: xp.bincount(x.astype(int), minlength=True),
    "bincount of None": lambda xp, x: xp.bincount(x.astype(int), minlength=None),
    **{f"{name} of a generator": _joins(name, lambda x: (x for _ in "ab")) for name in STACKS},
    **{f"{name} of a map": _joins(name, lambda x: map(abs, [x, x])) for name in STACKS},
    **{f"{name} of a number": _joins(name, lambda x: 3) for name in STACKS},
    **{f"{name} of no dimension": _joins(name, lambda x: x[0]) for name in STACKS},
}


@pytest.mark.parametrize("name", CALLS)
def test_refusals(queue, name):
    with pytest.raises(Exception) as expected:
        CALLS[name](np, np.array([1.0, 2.0, 3.0]))
    kinds = (TypeError, ValueError, IndexError)
    (kind, *_) = [k for k in kinds if isinstance(expected.value, k)]
    x = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    with pytest.raises(kind, match=f"^{name.partition(' ')[0]}: "):
        CALLS[name](hnp, x)


@pytest.mark.parametrize("name", ["concatenate", "stack", "vstack", "hstack"])
def test_unknown_rules_of_casting(queue, name):
    x = ht.ones(2, queue=queue)
    for keywords in ({}, {"dtype": "float32"}):
        with pytest.raises(ValueError, match="casting must be one of"):
            getattr(hnp, name)([x, x], casting="foo", **keywords)


def test_errors_of_callbacks_keep_their_names(queue):
    x = ht.ones((2, 3), queue=queue)
    with pytest.raises(ValueError, match=r"^vstack: "):
        hnp.apply_along_axis(lambda line: hnp.vstack([line, line[:2]]), 1, x)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("edges", [[3.0, 2, 1, NAN], [3.0, 3, NAN], [3.0, NAN], [2.0, 2, 1, NAN]])
def test_falling_bins_that_end_in_nan(queue, edges, right):
    """NumPy puts what is below all numbers beyond the NaN."""
    x = np.array([4.0, 3, 2.5, 2, 1.5, 1, 0.5, NAN, np.inf, -np.inf])
    # One at a time, because NumPy's search begins where the previous one ended.
    expected = [int(np.digitize(v, edges, right)) for v in x]
    for bins in (edges, ht.asarray(edges, queue=queue)):
        assert hnp.digitize(ht.asarray(x, queue=queue), bins, right).tolist() == expected
    several = hnp.digitize(ht.asarray(x, queue=queue), [3.0, 2.0, NAN, NAN], right)
    assert several.tolist()[:2] == [0, int(right)] and several.tolist()[6] == 4


# Where NumPy has no loop for elements of this dtype.
WITHOUT_LOOPS = {
    "bitwise_and.reduce": lambda xp, x: xp.bitwise_and.reduce(x),
    "bitwise_or.accumulate": lambda xp, x: xp.bitwise_or.accumulate(x),
    "bitwise_xor.outer": lambda xp, x: xp.bitwise_xor.outer(x, x),
    "left_shift.at": lambda xp, x: xp.left_shift.at(x, [0], 1),
    "gcd.reduce": lambda xp, x: xp.gcd.reduce(x),
    "lcm.reduce of no axis": lambda xp, x: xp.lcm.reduce(x, axis=()),
    "hypot.reduce": lambda xp, x: xp.hypot.reduce(x + 1j),
    "logical_or.reduce": lambda xp, x: xp.logical_or.reduce(x, dtype=float),
    "less.reduce": lambda xp, x: xp.less.reduce(x),
}


@pytest.mark.parametrize("name", WITHOUT_LOOPS)
@pytest.mark.parametrize("size", [1, 3])
def test_ufunc_methods_refuse_dtypes(queue, name, size):
    x = np.arange(1.0, size + 1)
    for call in (
        lambda: WITHOUT_LOOPS[name](np, x),
        lambda: WITHOUT_LOOPS[name](hnp, ht.asarray(x, queue=queue)),
    ):
        with pytest.raises(TypeError):
            call()


# Calls whose errors come from functions that these call.
NAMED = {
    "maximum.reduce": lambda x: hnp.maximum.reduce(x[:0]),
    "minimum.reduce": lambda x: hnp.minimum.reduce(x, axis=3),
    "multiply.outer": lambda x: hnp.multiply.outer(x, "text"),
    "add.accumulate": lambda x: hnp.add.accumulate(x, axis=3),
    "sum": lambda x: hnp.sum(x, axis="text"),
    "max": lambda x: hnp.max(x, initial=1j),
    "all": lambda x: hnp.all(x, where=1.5),
    "allclose": lambda x: hnp.allclose(x, x[:2]),
    "array_split": lambda x: hnp.array_split(x, -7),
    "argsort": lambda x: hnp.argsort(x, axis=9),
    "argmin": lambda x: hnp.argmin(lambda: x),
    "asarray": lambda x: hnp.asarray(x, order="text"),
    "block": lambda x: hnp.block([[x], [x[:2]]]),
    "broadcast_to": lambda x: hnp.broadcast_to(x, "text"),
    "concatenate": lambda x: hnp.concatenate([x, x[None]]),
    "convolve": lambda x: hnp.convolve(x, x, mode="text"),
    "copyto": lambda x: hnp.copyto(x, x, casting="text"),
    "full": lambda x: hnp.full((2,), x),
    "put": lambda x: hnp.put(x, [9], 1),
    "take": lambda x: hnp.take(x, [9]).tolist(),
    "nanargmax": lambda x: hnp.nanargmax(x, axis=3),
    "reshape": lambda x: hnp.reshape(x, "text"),
    "searchsorted": lambda x: hnp.searchsorted(x, 1.0, sorter=[9, 1, 2]),
    "stack": lambda x: hnp.stack([x, x[:2]]),
    "vstack": lambda x: hnp.vstack([x, x[:2]]),
    "zeros": lambda x: hnp.zeros(-3),
    "zeros_like": lambda x: hnp.zeros_like(x, shape="text"),
}


@pytest.mark.parametrize("name", NAMED)
def test_errors_begin_with_the_name_that_was_called(queue, name):
    x = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    with pytest.raises((TypeError, ValueError, IndexError), match=f"^{name}: "):
        NAMED[name](x)


def test_errors_of_callbacks_keep_their_text(queue):
    def fails(values):
        raise ValueError("concatenate: of the program")

    x = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    for call in (
        lambda: hnp.piecewise(x, [x > 1], [fails, 0]),
        lambda: hnp.apply_along_axis(fails, 0, x),
        lambda: hnp.fromfunction(fails, (3,)),
    ):
        with pytest.raises(ValueError, match=r"^concatenate: of the program$"):
            call()
