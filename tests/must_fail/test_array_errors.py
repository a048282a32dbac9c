"""Mistakes with arrays: the exception's class; its message names the argument and the remedy."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


@pytest.mark.parametrize(
    "wrong",
    [np.array(["a"]), np.array([object()]), np.array(["2020"], "M8[Y]"), np.zeros(2, np.longdouble),
     "text", object(), None, {1: 2}, datetime.date(2020, 1, 1), np.longdouble(1)],
    ids=lambda w: type(w).__name__,
)  # fmt: skip
def test_what_arrays_cannot_hold_is_refused(wrong):
    with pytest.raises(TypeError, match=r"dtype|cannot become an array"):
        ht.asarray(wrong)


def test_ragged_lists_are_refused():
    with pytest.raises(ValueError, match=r"inhomogeneous|ragged"):
        ht.asarray([[1], [1, 2]])
    with pytest.raises(ValueError, match="ragged"):
        ht.asarray([ht.ones(2), ht.ones(3)])


@pytest.mark.parametrize("value", [3, [1, 2], np.arange(3, dtype=">i4")])
def test_copies_that_are_not_allowed(value):
    with pytest.raises(ValueError, match="copy=False"):
        ht.asarray(value, copy=False)


def test_copy_false_with_another_dtype_or_usm_type():
    x = ht.ones(3)
    with pytest.raises(ValueError, match="dtype differs"):
        ht.asarray(x, dtype=ht.float32, copy=False)
    with pytest.raises(ValueError, match="usm_type"):
        ht.asarray(x, usm_type="host", copy=False)


@pytest.mark.parametrize("shape", [(-1,), (2, -3), "ab", 1.5, (1.5,), (1,) * 33])
def test_wrong_shapes(shape):
    with pytest.raises((TypeError, ValueError), match="shape"):
        ht.zeros(shape)


def test_wrong_usm_type_and_dtype():
    with pytest.raises(ValueError, match="usm_type"):
        ht.zeros(3, usm_type="gpu")
    with pytest.raises(TypeError, match="dtype"):
        ht.zeros(3, dtype="float128")


def test_queues_that_disagree(sub_devices):
    first, second = (ht.Queue(d) for d in sub_devices)
    with pytest.raises(ValueError, match="queue"):
        ht.zeros(3, queue=first, sycl_queue=second)
    with pytest.raises(ValueError, match="device"):
        ht.asarray([1], queue=first, device=second)


def test_arrays_on_other_queues(sub_devices):
    x, y = (ht.ones(3, queue=ht.Queue(d)) for d in sub_devices)
    for call in (lambda: x + y, lambda: ht.add(x, y), lambda: ht.where(x > 0, x, y), lambda: x < y):
        with pytest.raises(ht.PlacementError):
            call()
    with pytest.raises(ht.PlacementError):
        x += y
    with pytest.raises(ht.PlacementError):
        x[:] = y
    assert ht.asnumpy(x).tolist() == [1, 1, 1]


@pytest.mark.parametrize("in_context", [False, True])
def test_numpy_arrays_do_not_mix(in_context):
    x, n = ht.ones(3), np.ones(3)

    def check(n=n):
        calls = [lambda: x + n, lambda: n + x, lambda: x == n, lambda: n < x, lambda: ht.add(x, n),
                 lambda: ht.where(x > 0, n, x), lambda: x @ n]  # fmt: skip
        for call in calls:
            with pytest.raises(ht.PlacementError):
                call()
        with pytest.raises(ht.PlacementError):
            x.__iadd__(n)
        with pytest.raises(ht.PlacementError):
            n += x

    if in_context:
        with ht.device_context(x.queue):
            check()
    else:
        check()


def test_numpy_arrays_alone_need_a_queue():
    with pytest.raises(ht.PlacementError, match="queue"):
        ht.sin(np.ones(3))
    with pytest.raises(ht.PlacementError):
        ht.add(1, 2)
    with ht.device_context("cpu"), pytest.raises(ht.PlacementError):
        ht.add(1, 2)


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match=r"broadcast"):
        ht.ones((2, 3)) + ht.ones((2, 4))
    with pytest.raises(ValueError, match=r"broadcast"):
        ht.broadcast_to(ht.ones(3), (2, 4))
    x = ht.ones(3)
    with pytest.raises(ValueError, match="broadcast"):
        x += ht.ones((2, 3))
    with pytest.raises(ValueError, match="broadcast"):
        x[:] = ht.ones(4)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (3, "index 3 is out of bounds for axis 0 with size 2"),
        (-3, "index -3 is out of bounds for axis 0 with size 2"),
        ((0, 5), "index 5 is out of bounds for axis 1 with size 3"),
        ((0, 0, 0), "too many indices"),
        ((Ellipsis, Ellipsis), "one ellipsis"),
        (1.5, "float cannot index"),
        ("a", "str cannot index"),
        (b"a", "bytes cannot index"),
        ({1}, "set cannot index"),
        ({1: 0}, "dict cannot index"),
        (range(1, 4), "index"),
        ((slice(None), (0.5, 1)), "float64 cannot be an index"),
        ((None,) * 31, "dimensions"),
        (10**30, "cannot fit"),
    ],
)
def test_wrong_indices(key, words):
    with pytest.raises(IndexError, match=words):
        ht.ones((2, 3))[key]


def test_wrong_index_arrays():
    x = ht.ones((2, 3))
    with pytest.raises(IndexError, match="float64"):
        x[ht.ones(2)]
    with pytest.raises(IndexError, match="mask"):
        x[ht.ones(3, dtype=ht.bool)]
    with pytest.raises(IndexError, match=r"bounds|outside|out of"):
        x[ht.asarray([0, 2])]


def test_slices_of_step_zero():
    with pytest.raises(ValueError, match="zero"):
        ht.ones(3)[::0]


def test_zero_dimensional_arrays_have_no_length():
    x = ht.ones(())
    with pytest.raises(TypeError, match="0-dimensional"):
        len(x)
    with pytest.raises(TypeError, match="0-dimensional"):
        iter(x)


def test_truth_of_many_elements_is_ambiguous():
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ht.ones(3))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ht.ones(0))
    for convert in (int, float, complex):
        with pytest.raises(TypeError, match="0-dimensional"):
            convert(ht.ones(3))
    with pytest.raises(ValueError, match="one element"):
        ht.ones(3).item()
    with pytest.raises(TypeError):
        range(3)[ht.ones(())]
    with pytest.raises(TypeError):
        float(ht.ones((), dtype=ht.complex64))


def test_in_place_results_of_another_kind():
    x = ht.asarray([1, 2])
    for operation in ("__iadd__", "__itruediv__"):
        with pytest.raises(TypeError, match="in place"):
            getattr(x, operation)(1.5)
    with pytest.raises(TypeError, match="in place"):
        x += 1j
    assert ht.asnumpy(x).tolist() == [1, 2]


def test_scalars_that_do_not_fit():
    x = ht.asarray([1], dtype=ht.int8)
    with pytest.raises(OverflowError, match="300"):
        x + 300
    with pytest.raises(OverflowError):
        ht.asarray([1]) + 2**70
    with pytest.raises(OverflowError):
        ht.full(2, 300, dtype=ht.uint8)


def test_dtypes_that_functions_refuse():
    with pytest.raises(TypeError, match="bitwise_and"):
        ht.ones(2) & ht.ones(2)
    with pytest.raises(TypeError, match="subtract"):
        ht.asarray([True]) - ht.asarray([True])
    with pytest.raises(TypeError, match="floor"):
        ht.floor(ht.asarray([1j]))


def test_wrong_calls_of_functions():
    x = ht.ones(3)
    with pytest.raises(TypeError, match=r"add: x2 is missing. The call is add\(x1, x2"):
        ht.add(x)
    with pytest.raises(TypeError, match="queue="):
        ht.sin(x, out=x)
    with pytest.raises(TypeError, match="x2 is a list"):
        ht.add(x, [1, 2, 3])
    with pytest.raises(TypeError):
        x + {1, 2, 3}
    with pytest.raises(TypeError, match="modulus"):
        pow(x, 2, 3)


def test_writes_into_broadcast_views():
    view = ht.broadcast_to(ht.ones(3), (2, 3))
    for write in (
        lambda: view.__setitem__(slice(None), 1),
        lambda: view.__setitem__((0, 0), 1),
        lambda: view[0].__setitem__(0, 1),
        lambda: view[:1].__setitem__(..., 1),
        lambda: ht.broadcast_to(ht.ones(3), 3).__setitem__(0, 1),
        lambda: view.__setitem__(view > 0, 1),
        lambda: view[0].__setitem__(ht.asarray([0]), 1),
        lambda: view[0].__iadd__(1),
    ):
        with pytest.raises(ValueError, match="broadcast"):
            write()
    assert ht.asnumpy(view).tolist() == [[1, 1, 1], [1, 1, 1]]


def test_kernels_cannot_write_into_broadcast_views():
    @ht.kernel
    def store(x):
        x[ht.get_global_id(0)] = 5

    x = ht.ones(3)
    with pytest.raises(ht.CompileError, match="read-only"):
        store(ht.broadcast_to(x, (2, 3))[1])
    assert ht.asnumpy(x).tolist() == [1, 1, 1]


def test_elements_cannot_be_deleted():
    x = ht.ones(3)
    with pytest.raises(TypeError, match="deleted"):
        del x[0]


def test_arrays_have_a_shape_and_a_dtype():
    for wrong in ("ab", 1.5, [1, "2"]):
        with pytest.raises(TypeError):
            ht.Array(wrong)
    with pytest.raises(TypeError):
        ht.Array(2, "no such")


def test_wrong_axes():
    x = ht.ones((2, 3))
    with pytest.raises(IndexError, match="axis"):
        ht.flip(x, axis=2)
    with pytest.raises(ValueError, match="twice"):
        ht.flip(x, axis=(0, -2))
    with pytest.raises(ValueError, match="axes"):
        ht.permute_dims(x, (0,))
    with pytest.raises(ValueError, match="extent"):
        ht.squeeze(x, axis=0)
    with pytest.raises(ValueError, match="reshape"):
        ht.reshape(x, (4, 2))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ht.ones(3).collocate(np.ones(3)), TypeError, "other is a numpy.ndarray"),
        (lambda: ht.asarray([-(2**63) - 1]), TypeError, "an int beyond 64 bits"),
        (lambda: ht.arange(0, float("nan")), ValueError, "stop is nan"),
        (lambda: ht.arange(float("inf")), ValueError, "stop is inf"),
        (lambda: ht.arange(0, 1, float("-inf")), ValueError, "step is -inf"),
        (lambda: ht.arange(1j), TypeError, "stop is complex"),
        (lambda: ht.arange(2**70), ValueError, "elements are more"),
        (lambda: ht.arange(300, dtype=ht.uint8), OverflowError, "299 does not fit uint8"),
        (lambda: ht.arange(0, -3, -1, dtype=ht.uint8), OverflowError, "-2 does not fit uint8"),
        (lambda: ht.arange(0.0, 300.0, dtype=ht.int8), OverflowError, "does not fit int8"),
        (lambda: ht.full(3, None), TypeError, "fill_value: is a NoneType, not a number"),
        (lambda: ht.full_like(ht.ones(3), None), TypeError, "fill_value: is a NoneType"),
        (lambda: ht.asarray([1], order="C"), TypeError, "no keyword order="),
        (lambda: ht.explain(3), TypeError, "takes an array or a function made by hither.compile"),
        (lambda: ht.ones(3).sum(out=np.ones(())), TypeError, "must be a hither.Array, not ndarray"),
        (lambda: ht.ones(3).to_device(3), TypeError, "^device: 3 is not"),
        (lambda: ht.ones(3).copy_to(3), TypeError, "^target: 3 is not"),
    ],
)  # fmt: skip
def test_messages_name_the_argument(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert isinstance(caught.value, ht.Error)


def test_lists_that_hold_themselves():
    itself, nested = [], [ht.ones(2)]
    itself.append(itself)
    nested.append(nested)
    deep = ht.ones(2)
    for _ in range(100_000):
        deep = [deep]
    for wrong in (itself, nested, deep):
        with pytest.raises(ht.InvalidValueError, match="nested deeper than the 32 dimensions"):
            ht.asarray(wrong)


def test_lists_of_as_many_dimensions_as_there_may_be():
    deep = ht.ones(2)
    for _ in range(31):
        deep = [deep]
    assert ht.asarray(deep).shape == (1,) * 31 + (2,)


@pytest.mark.parametrize("name", ["dl_device", "max_version"])
@pytest.mark.parametrize("wrong", ["x", 5, (), (1,), (1, 2, 3), ("a", "b")])
def test_pairs_of_dlpack_that_are_none(name, wrong):
    with pytest.raises(ht.InvalidTypeError, match=f"{name}: .* is not a tuple of two ints"):
        ht.ones(2).__dlpack__(**{name: wrong})


def test_a_copy_of_dlpack_that_is_no_bool():
    with pytest.raises(ht.InvalidTypeError, match="copy: 5 is neither a bool nor None"):
        ht.ones(2).__dlpack__(copy=5)


def test_a_queue_of_a_library_that_is_none():
    for library in (ht.blas, ht.lapack):
        with pytest.raises(ht.InvalidTypeError, match=r"^queue or device: 5 is not a queue"):
            library(queue=5)


def takes_operands(function):
    """Whether it is made by a decorator of hither.numpy for functions of arrays."""
    made_of = getattr(getattr(function, "__wrapped__", None), "__module__", "")
    made_in = getattr(getattr(function, "__code__", None), "co_filename", "")
    others = ("_checked_call.py", "_names_in_errors.py")
    return made_of.startswith("hither.numpy") and not made_in.endswith(others)


OPTIONAL = {
    "array_equal",
    "array_equiv",
    "broadcast_arrays",
    "compress",
    "empty",
    "extract",
    "ones",
    "zeros",
}

# Functions of hither.numpy whose first operand is required.
OF_ARRAYS = sorted(
    name
    for name, function in vars(hnp).items()
    if takes_operands(function) and name not in OPTIONAL
)


@pytest.mark.parametrize("name", OF_ARRAYS)
def test_none_in_place_of_an_array_is_named(name):
    function = getattr(hnp, name)
    for arguments in ((None,), (None, ht.ones(2))):
        with pytest.raises((TypeError, ValueError), match=r"\bNone\b|missing"):
            function(*arguments)
    with pytest.raises(TypeError, match="b is None"):
        hnp.dot(ht.ones(2), None)
    assert hnp.clip(ht.ones(2), None, 0.5).tolist() == [0.5, 0.5]
    assert hnp.average(ht.ones(2), weights=None).item() == 1


TOO_MANY = {
    "zeros": lambda x: ht.zeros((1,) * 33),
    "reshape": lambda x: ht.reshape(x, (1,) * 33),
    "expand_dims": lambda x: ht.expand_dims(x, axis=0),
    "newaxis": lambda x: x[None],
    "a truth value": lambda x: x[True],
    "an array of indices": lambda x: x[np.zeros((1, 1), int)],
    "take": lambda x: ht.take(x, ht.zeros((1, 1), dtype=int), axis=0),
    "stack": lambda x: ht.stack([x, x]),
    "broadcast_to": lambda x: ht.broadcast_to(x, (2, *x.shape)),
    "tile": lambda x: ht.tile(x, (1,) * 33),
    "tensordot": lambda x: ht.tensordot(x, ht.ones((1, 1, 1)), axes=((0,), (0,))),
    "tensordot of all": lambda x: ht.tensordot(x, x, axes=0),
    "asarray of NumPy's array": lambda x: ht.asarray(np.ones((1,) * 33)),
    "asarray of a list": lambda x: ht.asarray(np.ones((1,) * 33).tolist()),
    "asarray of a list of arrays": lambda x: ht.asarray([x, x]),
    "from_dlpack": lambda x: ht.from_dlpack(np.ones((1,) * 33)),
}


@pytest.mark.parametrize("what", TOO_MANY)
def test_more_than_32_dimensions(what):
    with pytest.raises((ValueError, IndexError, BufferError), match="32"):
        TOO_MANY[what](ht.ones((1,) * 32))
