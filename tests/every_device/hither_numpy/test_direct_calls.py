"""Functions of hither.numpy that call hither's directly: same results, errors and attributes."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp
from hither import _call_errors, _hither

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "less", "power", "floor_divide",
          "bitwise_and", "logical_or", "arctan2", "hypot", "copysign", "equal"]  # fmt: skip
# Arguments of zeros().
CREATED: list[tuple] = [
    (3,), ((2, 3),), ([2, 3],), (2, "float32"), (2, np.int16), (-1,), ("3",), (2, object),
    (2, None), (np.int64(2),), (2, float, "F"),
]  # fmt: skip
UNARY = ["sqrt", "negative", "absolute", "floor", "isnan", "conjugate", "exp", "square", "invert",
         "reciprocal", "sign"]  # fmt: skip


REDUCTIONS = "sum prod max min all any mean var std argmax argmin count_nonzero".split()


def dtypes_of(names, name):
    """A third of the dtypes, because each needs its own kernels. The functions together have all of
    them."""
    return DTYPES[names.index(name) % 3 :: 3]


def outcome(function, *arguments, **keywords):
    """The value of a call, or the class of its error."""
    try:
        with np.errstate(all="ignore"):
            return function(*arguments, **keywords)
    except Exception as error:
        return type(error)


def assert_same(found, wanted):
    if isinstance(wanted, type):
        assert isinstance(found, type)
        assert issubclass(found, wanted.__mro__[1:-3] or wanted)  # AxisError is two of Python's
        return
    assert isinstance(found, ht.Array)
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    tolerance = {"e": 1e-2, "f": 1e-5, "F": 1e-5}.get(wanted.dtype.char, 1e-12)
    np.testing.assert_allclose(ht.asnumpy(found), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", BINARY)
def test_operands_of_two_types(queue, name):
    """Each combination is called twice: the second call is direct if the first one allows it."""
    function, numpys = getattr(hnp, name), getattr(np, name)
    values = {d: np.array([1, 2, 3]).astype(d) for d in DTYPES}
    arrays = {d: ht.asarray(v, queue=queue) for d, v in values.items()}
    for first in dtypes_of(BINARY, name):
        for second in ["bool", "uint8", "int64", "float32", "complex128", True, 2, 2.5, 1j]:
            x, y = arrays[first], arrays.get(second, second)
            a, b = values[first], values.get(second, second)
            for _ in range(2):
                assert_same(outcome(function, x, y), outcome(numpys, a, b))
                if second is not True:
                    assert_same(outcome(function, y, x), outcome(numpys, b, a))


@pytest.mark.parametrize("name", BINARY)
def test_numbers_of_numpy(queue, name):
    """NumPy's scalars have the dtypes of arrays, on either side of one."""
    function, numpys = getattr(hnp, name), getattr(np, name)
    for dtype in ["bool", "int8", "uint64", "float32", "float64", "complex64"]:
        host = np.array([1, 2, 3]).astype(dtype)
        x = ht.asarray(host, queue=queue)
        for kind in dtypes_of(BINARY, name):
            s = np.dtype(kind).type(1)
            for _ in range(2):
                assert_same(outcome(function, x, s), outcome(numpys, host, s))
                assert_same(outcome(function, s, x), outcome(numpys, s, host))
                assert_same(outcome(numpys, s, x), outcome(numpys, s, host))
    for s in (np.longlong(2), np.ulonglong(2)):  # types that no dtype has
        assert_same(outcome(function, s, x), outcome(numpys, s, host))


def test_numbers_of_numpy_that_are_refused(queue):
    x = ht.ones(3, queue=queue)
    for s in (np.longdouble(1), np.str_("a"), np.datetime64("2000", "Y")):
        for _ in range(2):
            with pytest.raises(TypeError):
                hnp.multiply(s, x)
            with pytest.raises(TypeError):
                s * x


@pytest.mark.parametrize("name", UNARY)
def test_operands_of_one_type(queue, name):
    function, numpys = getattr(hnp, name), getattr(np, name)
    for dtype in DTYPES:
        host = np.array([1, 2, 3]).astype(dtype)
        for _ in range(2):
            assert_same(outcome(function, ht.asarray(host, queue=queue)), outcome(numpys, host))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(queue, name):
    function, numpys = getattr(hnp, name), getattr(np, name)
    for dtype in dtypes_of(REDUCTIONS, name):
        for shape in [(2, 3), (3,), (), (0, 2)]:
            host = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
            x = ht.asarray(host, queue=queue)
            if shape == (0, 2) and name in ("mean", "var", "std"):
                continue  # NumPy warns
            for axis in (None, 0, -1, 5):
                wanted = outcome(numpys, host, axis=axis)
                for _ in range(2):
                    assert_same(outcome(function, x, axis=axis), wanted)
                    assert_same(outcome(function, x, axis), wanted)


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like"])
def test_creation_like_an_array(queue, name):
    """An array in the order of its axes takes one step in Python; others keep NumPy's order."""
    function, numpys = getattr(hnp, name), getattr(np, name)
    host = np.ones((3, 4, 5), dtype="float32")
    for x, y in [(ht.asarray(host, queue=queue), host)]:
        for index in ((), np.s_[1:, 1:-1, ::2], np.s_[0], np.s_[::-1]):
            a, b = function(x[index]), numpys(y[index])
            assert (a.shape, a.dtype, a.queue) == (b.shape, b.dtype, queue)
        for axes in ((1, 0, 2), (2, 1, 0), (0, 2, 1)):
            a, b = function(x.transpose(axes)), numpys(y.transpose(axes))
            assert (a.shape, a.strides) == (b.shape, b.strides)
    steps = []
    sys.setprofile(lambda frame, event, _: steps.append(frame.f_code) if event == "call" else 0)
    try:
        function(x)
    finally:
        sys.setprofile(None)
    assert len(steps) <= 3, steps


PRODUCTS = ["dot", "inner"]


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(queue, name):
    function, numpys = getattr(hnp, name), getattr(np, name)
    shapes = [(3,), (3, 3), (), (2, 3, 3), (4,)]
    for dtype in dtypes_of(PRODUCTS, name):
        hosts = [np.ones(shape, dtype) * np.asarray(1, dtype) for shape in shapes]
        hosts.append(np.ones(3, "int64"))
        arrays = [ht.asarray(host, queue=queue) for host in hosts]
        for x, a in zip(arrays, hosts, strict=True):
            for y, b in zip(arrays, hosts, strict=True):
                assert_same(outcome(function, x, y), outcome(numpys, a, b))
        assert_same(outcome(function, arrays[0], 2), outcome(numpys, hosts[0], 2))


def test_creation(queue):
    with ht.device_context(queue):
        for name in ("zeros", "ones", "empty"):
            function, numpys = getattr(hnp, name), getattr(np, name)
            for arguments in CREATED:
                for _ in range(2):
                    found, wanted = outcome(function, *arguments), outcome(numpys, *arguments)
                    if arguments[-1] is object:
                        assert found is ht.InvalidTypeError
                    elif isinstance(wanted, type):
                        assert issubclass(found, wanted)
                    else:
                        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
                        assert found.queue == queue
    assert hnp.zeros(3, dtype=np.float32).dtype == np.float32
    assert hnp.zeros(3, queue=queue).queue == queue


def test_where(queue):
    condition = ht.asarray(np.array([True, False, True]), queue=queue)
    for first in DTYPES:
        for second in ["uint8", "int64", "float32", "complex64", 1, 2.5]:
            a = np.array([1, 2, 3]).astype(first)
            b = np.array([4, 5, 6]).astype(second) if isinstance(second, str) else second
            y = ht.asarray(b, queue=queue) if isinstance(second, str) else b
            for _ in range(2):
                found = hnp.where(condition, ht.asarray(a, queue=queue), y)
                assert_same(found, np.where([True, False, True], a, b))


def test_errors_are_those_of_hither_numpy(queue):
    x, y = ht.zeros(3, queue=queue), ht.zeros(4, queue=queue)
    for _ in range(2):
        with pytest.raises(ht.InvalidValueError, match=r"\(3\).*\(4\)|3.*4"):
            hnp.add(x, y)
        with pytest.raises(ht.InvalidTypeError, match="takes 2 operands"):
            hnp.add(x)
        with pytest.raises(ht.PlacementError, match=r"hither\.asarray\(v, like=x\)"):
            hnp.add(x, np.ones(3))
        with pytest.raises(TypeError, match="takes no keyword axes="):
            hnp.sum(x, axes=0)
        with pytest.raises(IndexError):
            hnp.sum(x, 2)
        with pytest.raises(OverflowError):
            hnp.add(hnp.zeros(2, np.int8, queue=queue), 300)


def test_keywords_of_numpy(queue):
    x = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    out = ht.zeros(3, queue=queue)
    assert hnp.add(x, 1, out=out) is out and out.tolist() == [2, 3, 4]
    assert float(hnp.sum(x, initial=10)) == 16
    assert float(hnp.sum(x, where=[True, False, True])) == 4
    assert hnp.sum(x, axis=[0]).tolist() == 6
    assert float(x.sum(out=None)) == 6 and float(x.sum(initial=1)) == 7
    assert hnp.add([1, 2], 1, queue=queue).tolist() == [2, 3]


@pytest.mark.either_mode
def test_attributes():
    assert repr(hnp.add) == "<ufunc 'add' of hither.numpy>"
    assert (hnp.add.nin, hnp.add.nout, hnp.add.nargs, hnp.add.identity) == (2, 1, 3, 0)
    assert "dd->d" in hnp.add.types
    assert isinstance(hnp.add, hnp.ufunc) and type(hnp.add) is hnp.ufunc
    assert hnp.add.__doc__ and hnp.sum.__doc__.startswith("The sum")
    assert str(inspect.signature(hnp.add)).startswith("(x1, x2, /, out=None, *, where=True")
    assert list(inspect.signature(hnp.sum).parameters)[:3] == ["a", "axis", "dtype"]
    assert hnp.sum.__name__ == "sum" and repr(hnp.sum) == "<function sum of hither.numpy>"
    for function in (hnp.add, hnp.sum, hnp.zeros, hnp.where, hnp.reshape):
        assert pickle.loads(pickle.dumps(function)) is function
        assert copy.deepcopy(function) is function
        assert callable(function) and hash(function) == hash(function)

    class Holder:
        total = hnp.sum

    assert Holder().total.__self__.__class__ is Holder  # functions bind, as NumPy's do
    assert list(inspect.signature(ht.Array.sum).parameters)[1:3] == ["axis", "dtype"]
    assert ht.Array.sum.__name__ == "sum" and inspect.isroutine(ht.Array.sum)


@pytest.mark.either_mode
def test_the_class_refuses_misuse():
    with pytest.raises(TypeError, match="__init__ has not been called"):
        _hither.DirectCall.__new__(_hither.DirectCall)()
    with pytest.raises(ValueError, match="0 to 3 operands"):
        _hither.DirectCall(print, print, 4)
    with pytest.raises(ValueError, match="initialised once"):
        hnp.sum.__init__(print, print)
    with pytest.raises(TypeError):
        _hither.DirectCall(print)


@pytest.mark.either_mode
def test_cycles_are_collected():
    class Function(_hither.DirectCall):
        def __init__(self):
            super().__init__(self.general, self.chosen, 1)

        def general(self, x):
            return x

        def chosen(self, x):
            return self.general

    function = Function()
    x = ht.ones(2)
    assert function(x) is x and function(x) is x
    gone = weakref.ref(function)
    del function
    gc.collect()
    assert gone() is None


def test_a_choice_that_fails_is_made_in_python(queue):
    calls = []

    def chosen(x):
        calls.append(x)
        raise RuntimeError

    function = _hither.DirectCall(lambda *given: given, chosen, 1, 1, ("axis",))
    x = ht.ones(2, queue=queue)
    assert function(x, 1) == (x, 1) and function(x) == (x,) and len(calls) == 1
    assert function(3) == (3,) and function() == ()


def test_threads(queue):
    """The first calls with some types, from several threads."""
    function = hnp.ufunc(np.add, hnp.add.native)
    arrays = [ht.asarray([1, 2], dtype=d, queue=queue) for d in ("int32", "float32", "float64")]
    results = []

    def work():
        for x in arrays:
            for y in (*arrays, 1, 2.0):
                results.append(function(x, y).tolist() == np.add(ht.asnumpy(x), y if isinstance(
                    y, (int, float)) else ht.asnumpy(y)).tolist())  # fmt: skip

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 60 and all(results)


@pytest.mark.either_mode
@pytest.mark.parametrize(
    "name",
    ["hnp.add(x, x)", "hnp.sum(x)", "x.sum()", "hnp.zeros(3)", "hnp.inner(x, x)", "hnp.dot(x, x)",
     "hnp.add(s, x)", "hnp.where(c, s, x)", "hnp.exp(s)"],
)  # fmt: skip
def test_direct_calls_take_no_step_in_python(name):
    x = ht.ones(3)
    call = eval(f"lambda: {name}", {"hnp": hnp, "x": x, "c": x > 0, "s": np.float32(2)})
    call()
    functions = []

    def note(frame, event, argument):
        if event == "call":
            functions.append(frame.f_code.co_name)

    gc.disable()  # JAX and Hypothesis, where other tests use them, note each collection in Python
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        gc.enable()
    assert functions == ["<lambda>"]


@pytest.mark.either_mode
def test_operators_of_numbers_of_numpy_take_one_step_in_python():
    x, s = ht.ones(3), np.float64(0.5)
    for _ in range(2):
        steps = []
        sys.setprofile(lambda frame, event, _, to=steps: to.append(event) if event == "call" else 0)
        try:
            s * x
        finally:
            sys.setprofile(None)
    assert len(steps) == 1


@pytest.mark.either_mode
def test_a_choice_for_numbers_of_numpy_is_made_on_the_queue_of_the_array():
    """The context of the call may be of another queue, whose arrays the choice could not use."""
    general = []

    class Function(hnp.ufunc):
        def _call(self, *given, **keywords):
            general.append(given)
            return super()._call(*given, **keywords)

    function = Function(np.multiply, hnp.multiply.native)
    x = ht.ones(3, queue=ht.Queue("native_cpu", property="in_order"))
    with ht.device_context(ht.Queue("native_cpu", property="in_order")):
        for _ in range(3):
            assert function(np.float32(2), x).tolist() == [2, 2, 2]
    assert len(general) == 1


@pytest.mark.parametrize(
    "numbers",
    [(2,), (True,), (2.5,), (2j,), (2, 0.5), (2.5, 1j), (True, 3), (np.float32(2),),
     (np.float32(2), np.int8(3)), (np.int64(3), 0.5), (2, np.float16(0.5))],
)  # fmt: skip
def test_numbers_alone_are_computed_directly(queue, numbers):
    general = []

    class Function(hnp.ufunc):
        def _call(self, *given, **keywords):
            general.append(given)
            return super()._call(*given, **keywords)

    name = "square" if len(numbers) == 1 else "multiply"
    function = Function(getattr(np, name), getattr(hnp, name).native)
    with ht.device_context(queue):
        results = [function(*numbers) for _ in range(3)]
    assert len(general) == 1
    expected = getattr(np, name)(*numbers)
    for result in results:
        assert result.queue == queue and result.dtype == expected.dtype and result == expected


@pytest.mark.either_mode
def test_numbers_beyond_64_bits_are_refused():
    for _ in range(2):
        with pytest.raises(OverflowError, match="does not fit int64"):
            hnp.square(2**70)


def test_errors_that_are_dropped_are_not_explained(queue, monkeypatch):
    """The text of an error of a call costs more than the call."""
    explained = []
    of_binding = _call_errors.of_binding

    def counted(text):
        explained.append(text)
        return of_binding(text)

    monkeypatch.setattr(_call_errors, "of_binding", counted)
    x = ht.ones((2, 3), queue=queue)
    for _ in range(2):
        assert hnp.sum(x, axis=0, keepdims=1).shape == (1, 3)
        for flag, shape in ((0, (2,)), (1, (2, 1)), (np.True_, (2, 1))):
            assert x.sum(axis=1, keepdims=flag).shape == x.max(1, keepdims=flag).shape == shape
    assert not explained
    with pytest.raises(TypeError, match="keepdims is of type int"):
        ht.sum(x, keepdims=1)
    assert explained


@pytest.mark.parametrize("make", [hnp.array, hnp.asarray])
def test_lists_are_converted_directly(queue, make, monkeypatch):
    from hither.numpy import _creation

    x = ht.asarray([1.0, 2.0], queue=queue)
    lists = [
        [1, 2],
        (1.5, True),
        [[1j, 2], [3, 4]],
        [],
        [[1, 2], (3, 4)],
        [x[0], 3],
        [[x[0], x[1]]],
    ]
    with ht.device_context(queue):
        monkeypatch.setattr(_creation, "place_of", None)  # the general path
        made = [make(given) for given in lists]
        monkeypatch.undo()
        for given, result in zip(lists, made, strict=True):
            expected = make(given, copy=True, order="C")
            assert result.queue == queue and result.dtype == expected.dtype
            assert result.tolist() == expected.tolist()
        for wrong in ([1, "a"], [[1], [2, 3]], [None], [2**70], [x, x[0]], {1: 2}):
            with pytest.raises((TypeError, ValueError, OverflowError), match="array"):
                make(wrong)
