"""Functions that cannot be kernels raise errors before anything is submitted."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode

PLAIN_DICT = {"a": 1}
MASK = np.array([True, False, True, True])


def of_the_closure(array):
    def uses_a_global_array(a):
        a[0] = array[0]

    return uses_a_global_array


def plain(x):
    return x


def returns(a):
    return a[0]


def allocates(a):
    t = np.zeros(3)
    a[0] = t[0]


def makes_a_list(a):
    items = [1, 2, 3]
    a[0] = items[0]


def draws(a):
    a[0] = np.random.rand()


@ht.kernel
def another(a):
    a[0] = 1


def calls_a_kernel(a):
    another(a)


def prints_an_array(a):
    print(a)


def tries(a):
    try:
        a[0] = 1
    except ValueError:
        a[0] = 2


def yields(a):
    yield a[0]


def calls_plain_python(a):
    a[0] = plain(a[0])


def uses_a_dict(a):
    a[0] = PLAIN_DICT["a"]


def asks_dimension_five(a):
    a[ht.get_global_id(5)] = 1


def asks_a_variable_dimension(a):
    a[ht.get_global_id(int(a[0]))] = 1


def indexes_too_deep(a):
    a[0, 0, 0] = 1


def adds_whole_arrays(a):
    b = a + 1
    a[0] = b[0]


def bitwise_on_floats(a):
    ht.atomic.and_(a, 0, 1.0)


@ht.device_func
def factorial(n):
    return 1.0 if n < 2 else n * factorial(n - 1)


def recurses(a):
    a[0] = factorial(3)


async def waits(a):
    a[0] = 1


def imports(a):
    import math

    a[0] = math.sin(a[0])


def adds_a_complex_number(a):
    ht.atomic.add(a, 0, 1j)


def assigns_overlapping_parts(a):
    a[1:] = a[:-1]


def assigns_a_tuple(a):
    a[:] = (1, 2, 3, 4)


def assigns_by_a_mask(a):
    a[ht.constant.array_like(MASK)] = 1


def has_a_private_array_of_no_type(a):
    a[0] = ht.private.array(3, a.shape)[0]


@ht.device_func
def positive(x, *, at_least):
    return max(x, at_least)


def forgets_a_keyword(a):
    a[0] = positive(a[0])


def passes_a_keyword_by_place(a):
    a[0] = positive(a[0], 1)


def takes_a_remainder(a):
    a[0] = math.fmod(a[0], 2.0)


REFUSED = {
    takes_a_remainder: "call numpy.fmod, which takes numbers",
    assigns_overlapping_parts: "may overlap: write a loop",
    assigns_a_tuple: "assign a number or an array, or write a loop",
    assigns_by_a_mask: "use integers and slices, or write a loop",
    has_a_private_array_of_no_type: "dtype must be a constant, or the dtype of an array",
    forgets_a_keyword: "missing a required (keyword-only )?argument: 'at_least'",
    passes_a_keyword_by_place: "too many positional arguments",
    recurses: "cannot call itself",
    waits: "cannot be async",
    imports: r"cannot import \(math\)",
    adds_a_complex_number: "cannot convert a complex128 to float64",
    returns: "returns nothing",
    allocates: r"allocate arrays \(numpy.zeros\)",
    makes_a_list: "cannot make a list",
    draws: "draw them by hither.random",
    calls_a_kernel: "another is a kernel, .* @hither.device_func",
    prints_an_array: "print takes numbers",
    tries: "try and except",
    yields: "cannot yield",
    calls_plain_python: "@hither.device_func",
    uses_a_dict: "PLAIN_DICT is a dict",
    asks_dimension_five: "dimensions 0 to 2",
    asks_a_variable_dimension: "must be a constant",
    indexes_too_deep: "cannot index",
    adds_whole_arrays: "element by element",
    bitwise_on_floats: "works on integers",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_a_refusal_names_file_line_and_remedy(function):
    x = ht.asarray(np.arange(4.0))
    with pytest.raises(ht.CompileError, match=REFUSED[function]) as caught:
        ht.kernel(function)[4](x)
    assert f"{__file__}:" in str(caught.value)
    line = int(str(caught.value).split(f"{__file__}:")[1].split(":")[0])
    first = function.__code__.co_firstlineno
    assert first <= line <= first + 6
    assert ht.asnumpy(x).tolist() == [0, 1, 2, 3]


def test_global_arrays_are_refused_also_where_numba_knows_their_type():
    array = ht.asarray(np.arange(3.0))
    with ht.device_context("cpu"):
        x = ht.zeros(4)
        with pytest.raises(ht.CompileError, match="the global array is an array, but not NumPy's"):
            ht.kernel(of_the_closure(array))[4](x)


@ht.kernel
def fill(a, value):
    a[ht.get_global_id(0)] = value


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: fill(x), TypeError, "argument value is missing"),
        (lambda x: fill(x, 1, 2), TypeError, "takes 2 argument"),
        (lambda x: fill(x, 1, a=x), TypeError, "given twice"),
        (lambda x: fill(x, 1, colour=2), TypeError, "no parameter colour"),
        (lambda x: fill(x, None), TypeError, "argument value is a NoneType"),
        (lambda x: fill([1], 1), TypeError, "argument a is a list"),
        (lambda x: fill(x, 1 << 70), OverflowError, "64 bits"),
        (lambda x: fill[1.5](x, 1), TypeError, "not a range"),
        (lambda x: fill[(1, 2, 3, 4)](x, 1), TypeError, "not a range"),
        (lambda x: fill[-1](x, 1), ValueError, "-1"),
        (lambda x: fill[ht.NdRange(10, 3)](x, 1), ValueError, "does not divide"),
        (lambda x: fill[ht.Range(2**32, 2**31, 2)](x, 1), ValueError, r"2\^63"),
        (lambda x: ht.NdRange((4, 4), 2), ValueError, "dimension"),
        (lambda x: fill[4](ht.astype(x, ht.float16), 1), ht.CompileError, "float16"),
        (lambda x: fill[4](np.zeros(4, ">f8"), 1, queue=x.queue), TypeError, "byte order"),
        (lambda x: fill[4](np.array([None]), 1, queue=x.queue), TypeError, "format"),
        (lambda x: ht.launch(plain, 4, x, 1), TypeError, "hither.kernel"),
        (lambda x: ht.get_global_id(0), TypeError, "only inside"),
        (lambda x: ht.atomic.add(x, 0, 1), TypeError, "only inside"),
        (lambda x: ht.device_func(plain)(1), TypeError, "only kernels"),
    ],
)
def test_wrong_calls_are_refused_and_nothing_runs(call, error, words):
    x = ht.asarray(np.arange(4.0))
    with pytest.raises(error, match=words):
        call(x)
    assert ht.asnumpy(x).tolist() == [0, 1, 2, 3]


def test_keyword_only_parameters_are_refused_when_decorated():
    with pytest.raises(TypeError, match="positional"):

        @ht.kernel
        def wrong(a, *, b):
            a[0] = b


def test_a_first_array_of_four_dimensions_needs_a_range():
    x = ht.asarray(np.zeros((2, 2, 2, 2)))
    with pytest.raises(ValueError, match="4 dimensions"):
        fill(x, 1)
