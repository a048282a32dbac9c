"""Typical mistakes in kernels. Each error names what is wrong and says what to do.

The table has a statement of a kernel in a line, and its error in the indented lines that follow.
"""

from __future__ import annotations

import linecache
import logging
import math  # noqa: F401 - statements of the table use it
import re
import subprocess
import sys

import numpy as np
import pytest

import hither as ht
from every_device.mistakes.table import parsed

pytestmark = [
    pytest.mark.either_mode,
    pytest.mark.filterwarnings("ignore::numba.NumbaPendingDeprecationWarning"),
]

MISTAKES = r"""
a[0] = ht.sum(a)
    hither.sum works on whole arrays outside kernels: call it before or after the kernel, or
    compute element by element
a[0] = ht.zeros(3)[0]
    hither.zeros works on whole arrays outside kernels: call it before or after the kernel, or
    compute element by element
a[0] = ht.asarray(a)[0]
    hither.asarray works on whole arrays outside kernels: call it before or after the kernel, or
    compute element by element
a[0] = ht.exp(a)[0]
    an expression on whole arrays would allocate its result, which a kernel cannot do: compute
    element by element
np.sort(a)
    a kernel cannot sort (numpy.sort): sort before the launch, and pass the result
a[0] = np.argsort(a)[0]
    a kernel cannot sort (numpy.argsort): sort before the launch, and pass the result
a[0] = np.median(a)
    a kernel cannot sort (numpy.median): sort before the launch, and pass the result
a[0] = np.unique(a)[0]
    a kernel cannot sort (numpy.unique): sort before the launch, and pass the result
a[0] = sorted(a)[0]
    a kernel cannot sort (sorted): sort before the launch, and pass the result
a.sort()
    a kernel cannot sort an array: sort it before the launch, and pass the result
a[0] = np.linalg.norm(a)
    kernels cannot call numpy.linalg.norm, which works on whole arrays: call it before the
    launch and pass the result, or write a loop over the elements
a[0] = np.linalg.det(a)
    kernels cannot call numpy.linalg.det, which works on whole arrays: call it before the launch
    and pass the result, or write a loop over the elements
a[0] = np.fft.fft(a)[0]
    kernels cannot call numpy.fft.fft, which works on whole arrays: call it before the launch
    and pass the result, or write a loop over the elements
a[0] = np.dot(a, a)
    kernels have no products of whole arrays (dot): write a loop over the elements, or call
    hither.matmul outside the kernel
a[0] = a @ a
    kernels have no products of whole arrays (matmul): write a loop over the elements, or call
    hither.matmul outside the kernel
a[0] = np.max(a)
    kernels have no implementation of max(1-d array of float64), because it would allocate an
    array: compute element by element, or before the launch
a[0] = np.interp(a[0], a, a)
    kernels have no implementation of interp(float64, 1-d array of float64, 1-d array of
    float64), because it would allocate an array: compute element by element, or before the
    launch
a[0] = np.zeros(3)[0]
    a kernel cannot allocate arrays (numpy.zeros): pass the array as an argument
a[0] = np.array([1, 2])[0]
    a kernel cannot make a list: use a tuple, a constant array of the program, or an array
    argument
a[0] = np.random.rand()
    kernels cannot use NumPy's random numbers: draw them by hither.random, or pass an array
a = a + 1
    an expression on whole arrays would allocate its result, which a kernel cannot do: compute
    element by element
a[0] = LIST[0]
    the global LIST is a list, which kernels cannot use: pass an array as an argument
LIST[0] = a[0]
    the global LIST is a list, which kernels cannot use: pass an array as an argument
a[0] = sum(LIST)
    a kernel cannot use a list or set: pass an array as an argument
a[0] = len(SET)
    the global SET is a set, which kernels cannot use: pass an array as an argument
a[0] = DICT["a"]
    the global DICT is a dict, which kernels cannot use: pass it as an argument
a[0] = OBJECT.x
    the global OBJECT is an object, which kernels cannot use: pass it as an argument
CONSTANT[0] = a[0]
    the kernel writes to an array that is read-only, as all global arrays are: pass a writable
    array as an argument, or do not write to it
a[0] = math.sinn(a[0])
    math has no sinn; did you mean "sin"?
a[0] = np.sinn(a[0])
    numpy has no sinn; did you mean "sin"?
a[0] = sinn(a[0])
    the name sinn is not defined; import it, or pass it as an argument
a[0] = undefined
    the name undefined is not defined; import it, or pass it as an argument
a[ht.get_globl_id(0)] = 1
    hither has no get_globl_id; did you mean "get_global_id"?
a[0] = ht.local.aray(3, "f4")[0]
    hither.local has no aray; did you mean "array"?
a[0] = ht.local.array(3, "flaot32")[0]
    local.array: dtype: data type 'flaot32' not understood; did you mean "float32"?
a[0] = ht.local.array(int(a[0]), ht.float32)[0]
    local.array: shape must be a constant; pass a hither.LocalAccessor for a size that the
    launch decides
a[0] = ht.get_global_id()
    get_global_id: missing a required argument: 'dim'; the call is get_global_id(dim)
a[0] = ht.get_global_id(0, 1)
    get_global_id: too many positional arguments; the call is get_global_id(dim)
a[0] = ht.get_global_id(3)
    dimension 3 does not exist: a range has dimensions 0 to 2
a[0] = ht.get_global_id(dimension=0)
    get_global_id: missing a required argument: 'dim'; the call is get_global_id(dim)
ht.barrier(1, 2, 3)
    barrier: too many positional arguments; the call is barrier(fence)
ht.atomic.ad(a, 0, 1)
    hither.atomic has no ad; did you mean "add"?
ht.atomic.add(a)
    atomic.add: missing a required argument: 'index'; the call is atomic.add(array, index,
    value)
a[0] = ht.group_reduce(a[0])
    group_reduce: missing a required argument: 'x'; the call is group_reduce(group, x, op)
a["x"] = 1
    a text cannot index an array in a kernel: use an integer, or a field of a record array
a[a[0] / 2] = 1
    an index must be an integer, and not float64: use // instead of /, or int()
a[0] = "x"
    a kernel cannot store 'x' in an element of a 1-d array of float64: store a number
a[0] = a.foo
    arrays in kernels have no attribute foo; they have shape, size, ndim and dtype
a[0] = a.reshap(3)[0]
    arrays in kernels have no attribute reshap; did you mean "reshape"?
a[0] = a[0] + "s"
    kernels have no implementation of add(float64, 's'): kernels compute with numbers, not with
    text or None
a[0] = abs("x")
    kernels have no implementation of abs('x'): kernels compute with numbers, not with text or
    None
a[0] = plain(a[0])
    plain is a plain Python function: decorate it with @hither.device_func so that kernels can
    call it
a[0] = another(a)
    another is a kernel, which kernels cannot call: put what they share into a
    @hither.device_func
print(a)
    print takes numbers, tuples of numbers and constant texts in a kernel, not array(float64,
    1d, C): pass each text and each element of an array as an argument of its own
print(a[0], sep=",")
    print takes no sep= in a kernel: it prints its values on a line, with spaces between them
a[0] = len(f"{a[0]}")
    making text does not work inside a kernel: write the values to an array argument, or
    simulate the kernel with HITHER_SIMULATE=1
a[0] = [1, 2][0]
    a kernel cannot make a list: use a tuple, a constant array of the program, or an array
    argument
a[0] = {"x": 1}["x"]
    a kernel cannot make a dict: use a tuple, a constant array of the program, or an array
    argument
a[0] = open("file")
    open does not work inside a kernel: write the values to an array argument, or
    simulate the kernel with HITHER_SIMULATE=1
import math
    a kernel cannot import (math): import above the function
return a[0]
    a kernel returns nothing: write the result into an array argument
yield a[0]
    a kernel cannot yield: write its results into an array argument
del a
    a kernel cannot delete variables: leave out the del statement
global LIST; LIST = [1]
    a kernel cannot assign to a global variable: write to an array argument
raise ValueError(a[0])
    the arguments of ValueError must be constants: a kernel reports an exception by its line and
    a text that is known when it is compiled
"""

LIST = [1.0, 2.0]
SET = {1, 2}
DICT = {"a": 1}
OBJECT = object()
CONSTANT = np.ones(3)


def plain(x):
    return x


@ht.kernel
def another(a):
    a[0] = 1


@pytest.mark.parametrize("statement", parsed(MISTAKES))
def test_the_error_says_what_to_do(statement, queue):
    program = f"def mistaken(a):\n    {statement}\n"
    linecache.cache["mistake.py"] = len(program), None, program.splitlines(True), "mistake.py"
    names = dict(globals())
    exec(compile(program, "mistake.py", "exec"), names)
    x = ht.ones(4, queue=queue)
    with pytest.raises(ht.CompileError) as caught:
        ht.kernel(names["mistaken"])[1](x)
    found = re.fullmatch(r"mistaken: mistake\.py:[12]: (.*)", str(caught.value))
    assert found
    assert found[1] == parsed(MISTAKES)[statement]
    assert ht.asnumpy(x).tolist() == [1, 1, 1, 1]


def test_a_global_array_of_hither_is_to_be_an_argument():
    """In a process of its own, because Numba keeps the array until its next error."""
    program = (
        "import hither as ht\n"
        "array = ht.ones(3)\n"
        "@ht.kernel\n"
        "def mistaken(a):\n"
        "    a[0] = array[0]\n"
        "mistaken[1](ht.ones(3))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    advice = "pass it as an argument, because kernels can use only NumPy's arrays as constants"
    assert advice in done.stderr


def test_a_compiled_kernel_is_logged_with_its_time(queue, caplog):
    def doubles(a):
        a[0] *= 2

    x = ht.ones(4, queue=queue)
    with caplog.at_level(logging.DEBUG, logger="hither"):
        ht.kernel(doubles)[1](x)
    (record,) = [r for r in caplog.records if r.name == "hither.kernels"]
    assert record.levelno == logging.DEBUG
    assert re.fullmatch(
        r"Numba compiled .*doubles for \(array\(float64, 1d, C\)\) in [\d.]+ ms",
        record.getMessage(),
    )
    assert ht.asnumpy(x).tolist() == [2, 1, 1, 1]
