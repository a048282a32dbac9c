"""Typical mistakes in launches, element-wise functions and device contexts."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
from every_device.mistakes.table import matches, parsed

pytestmark = pytest.mark.either_mode

MISTAKES = r"""
copies[4](x)
    InvalidTypeError: copies: argument b is missing
copies[4](x, x, x)
    InvalidTypeError: copies: takes 2 argument(s) (a, b) and was given 3
copies["4"](x, x)
    InvalidTypeError: range: '4' is not a range; pass an int, a tuple of 1 to 3 ints, a
    hither.Range or a hither.NdRange
copies[3.5](x, x)
    InvalidTypeError: range: 3.5 is not a range; pass an int, a tuple of 1 to 3 ints, a
    hither.Range or a hither.NdRange
copies[-1](x, x)
    InvalidValueError: range: -1 is not an extent: it is negative or exceeds 64 bits
copies[1, 2, 3, 4](x, x)
    InvalidTypeError: range: (1, 2, 3, 4) is not a range; pass an int, a tuple of 1 to 3 ints, a
    hither.Range or a hither.NdRange
copies[ht.NdRange(4, 3)](x, x)
    InvalidValueError: copies: the local size 3 does not divide the global size 4 in dimension 0
copies[ht.NdRange((4, 4), 2)](x, x)
    InvalidValueError: NdRange: the global range has 2 dimension(s) and the local one 1
copies[4](x, n)
    PlacementError: copies: a (hither.Array) is a USM array and b (numpy.ndarray) is a host
    array; array arguments must all be of one kind. Wrap the host array with asarray(...,
    queue=a.queue)
copies[4](n, n)
    PlacementError: copies: the queue can not be determined: a (numpy.ndarray) is a host array
    and there is no device context. Pass queue=, use device_context(...), or make USM arrays
    with asarray
copies[4](x, [1, 2, 3])
    InvalidTypeError: copies: argument b is a list; kernels take arrays, numbers, records and
    tuples of them
copies[4](x, "a")
    InvalidTypeError: copies: argument b is a str; kernels take arrays, numbers, records and
    tuples of them
copies[4](x, None)
    InvalidTypeError: copies: argument b is a NoneType; kernels take arrays, numbers, records
    and tuples of them
copies[4](x, object())
    InvalidTypeError: copies: argument b is an object; kernels take arrays, numbers, records and
    tuples of them
copies[4](x, c=x)
    InvalidTypeError: copies: has no parameter c; a launch also takes queue= and depends_on=
copies()
    InvalidTypeError: copies: argument a is missing
copies(1, 2)
    PlacementError: copies: the queue can not be determined: no argument is an array. Pass
    queue= or a USM array
copies[4](x, x, queue="cudda")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "cuda"?...
ht.launch(copies, 4, x)
    InvalidTypeError: copies: argument b is missing
ht.launch(copies)
    InvalidTypeError: launch: range is missing. The call is launch(kernel, range, *args)
ht.kernel(debg=True)
    InvalidTypeError: kernel: takes no keyword debg=; did you mean debug=? The call is
    kernel(function=None, /, *, debug=None, fastmath=False, cache=False, fma=True)
ht.kernel(copies, 4)
    InvalidTypeError: kernel: takes 1 positional argument, 2 given; debug= and fastmath= and
    cache= and fma= are given by name. The call is kernel(function=None, /, *, debug=None,
    fastmath=False, cache=False, fma=True)
ht.vectorize(sum)
    TypeError: vectorize decorates a Python function: @hither.vectorize above its def
adds(x)
    InvalidTypeError: adds: takes 2 operand(s), 1 given
adds(x, x, x)
    InvalidTypeError: adds: takes 2 operand(s), 3 given
adds(x, "a")
    InvalidTypeError: adds: takes arrays and numbers, not a str
adds(x, n)
    PlacementError: adds: x1 (hither.Array) is a USM array and x2 (numpy.ndarray) is a host
    array; array arguments must all be of one kind. Wrap the host array with asarray(...,
    queue=x1.queue)
adds(x, ht.ones(3, queue=q))
    InvalidValueError: adds: shapes (4,) and (3,) do not broadcast: axis -1 has 4 and 3 elements
ht.reduction(0)
    InvalidTypeError: reduction: takes no positional argument, 1 given; identity= is given by
    name. The call is reduction(*, identity)
ht.device_context("native_cpu", 3)
    InvalidTypeError: device_context: takes 1 positional argument, 2 given; on_serial= and
    keep_below= and results= and always_warns= are given by name. The call is
    device_context(target=None, *, on_serial='error', keep_below=None, results=None,
    always_warns=False)
ht.device_context("native_cpu", on_serial="wran")
    InvalidValueError: on_serial: is 'wran'; it is one of 'error', 'ignore', 'host',
    'single_task'
ht.device_context("native_cpu", keep_below="few")
    InvalidTypeError: keep_below: is 'few'; pass an int, a number of iterations
ht.device_context("native_cpu", keep_below=-1)
    InvalidValueError: keep_below: is -1; pass 0 or more iterations
ht.device_context("native_cpu", results="devise")
    InvalidValueError: results: is 'devise'; it is "dparray" or None
ht.offload_report()
    InvalidTypeError: offload_report: function is missing. The call is offload_report(function)
ht.offload_report(sum)
    TypeError: offload_report takes a function that Numba compiles, not <built-in function sum>
"""


@ht.kernel
def copies(a, b):
    i = ht.get_global_id(0)
    a[i] = b[i]


@ht.vectorize
def adds(a, b):
    return a + b


@pytest.mark.parametrize("code", parsed(MISTAKES))
def test_the_error_names_the_argument_and_the_remedy(code, queue):
    names = {"ht": ht, "q": queue, "x": ht.ones(4, queue=queue), "n": np.ones(4)}
    names |= {"copies": copies, "adds": adds}
    with pytest.raises(Exception) as caught:
        eval(code, names)
    text = f"{type(caught.value).__name__}: {caught.value}"
    assert matches(text, parsed(MISTAKES)[code])
