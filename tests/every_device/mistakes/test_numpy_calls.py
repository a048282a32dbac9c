"""Typical mistakes in calls of hither.numpy. Each error names the argument and what to do."""

from __future__ import annotations

import numpy
import pytest

import hither as ht
import hither.numpy as np
from every_device.mistakes.table import matches, parsed

pytestmark = pytest.mark.either_mode

MISTAKES = r"""
np.zeros(3, dtype="flaot32")
    InvalidTypeError: zeros: dtype='flaot32' is not a dtype; did you mean "float32"?
np.zeros(3, dtype="string")
    InvalidTypeError: zeros: dtype='string' is not a dtype; pass a name or type of NumPy
np.zeros(2, 3)
    InvalidTypeError: zeros: dtype=3 is not a dtype; pass a name or type of NumPy
np.zeros((2, -1))
    InvalidValueError: zeros: shape: (2, -1) has a negative extent
np.zeros(3, order="Q")
    InvalidValueError: zeros: order='Q'; it is one of 'C', 'F'
np.zeros(3, dtpye="f4")
    InvalidTypeError: zeros: takes no keyword dtpye=; did you mean dtype=? The call is
    zeros(shape, dtype=None, order='C', *, device=None, like=None, queue=None, usm_type=None)
np.zeros(3, device="gpuu")
    InvalidValueError: zeros: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "gpu"?...
np.full(3)
    InvalidTypeError: full: fill_value is missing. The call is full(shape, fill_value,
    dtype=None, order='C', *, device=None, like=None, queue=None, usm_type=None)
np.eye("3")
    InvalidTypeError: eye: N is of type str; pass an int
np.array(1, 2, 3)
    InvalidTypeError: array: takes 2 positional arguments, 3 given; copy= and order= and subok=
    and ndmin= and ndmax= and like= and queue= and device= and usm_type= are given by name. The
    call is array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0,
    like=None, queue=None, device=None, usm_type=None)
np.array([1, 2], dtype="flaot")
    InvalidTypeError: array: dtype='flaot' is not a dtype; did you mean "float"?
np.array(["a", "b"])
    InvalidTypeError: array: <U1 is a dtype of NumPy alone; hither's arrays hold bool, integers,
    float16 to float64, complex64, .... Use numpy for such data
np.array([1, None])
    InvalidTypeError: array: object is a dtype of NumPy alone; hither's arrays hold bool,
    integers, float16 to float64, complex64, .... Use numpy for such data
np.arange()
    InvalidTypeError: arange: stop is missing; the call is arange(start, stop, step)
np.arange(0, 1, 0)
    InvalidValueError: arange: step is 0; it must be positive or negative
np.linspace(0, 1, 2.5)
    InvalidTypeError: linspace: num is of type float; pass an int
np.linspace(0, 1, -3)
    InvalidValueError: linspace: num is -3; it must not be negative
np.linspace(0, 1, dtype="int31")
    InvalidTypeError: linspace: dtype='int31' is not a dtype; did you mean "int32"?
x[[0, 5]]
    OutOfRangeError: index: index 5 is out of bounds for axis 0 with size 3
x[[0.5]]
    OutOfRangeError: index: an array of float64 cannot be an index; bool and integer arrays can
x + n
    PlacementError: add: the right operand is a numpy.ndarray in host memory and the other is an
    array on ...; wrap it with hither.asarray(v, like=x)
n + x
    PlacementError: add: x1 is a NumPy array in host memory and another operand is an array on
    ...; copy it with hither.asarray(v, like=x)
np.add(x, n)
    PlacementError: add: x2 is a NumPy array in host memory and another operand is an array on
    ...; copy it with hither.asarray(v, like=x)
np.add(x)
    InvalidTypeError: add: takes 2 operands and an optional out, 1 given
np.add(x, x, x, x)
    InvalidTypeError: add: takes 2 operands and an optional out, 4 given
np.add(x, x, outt=x)
    InvalidTypeError: add: takes no keyword outt=; did you mean "out"?
np.add(x, x, dtype="flaot")
    InvalidTypeError: add: dtype='flaot' is not a dtype; did you mean "float"?
np.add(x, x, where=3)
    InvalidTypeError: add: where has dtype int64, not bool
np.sin()
    InvalidTypeError: sin: takes 1 operand and an optional out, 0 given
np.sin("a")
    InvalidTypeError: sin: x is 'a'; pass an array or a number (numpy takes other values)
np.sin(x, out=n)
    InvalidTypeError: sin: out= must be a hither.Array, not ndarray; without it the result is a
    new array
np.sin(x, out=np.ones(2))
    InvalidValueError: sin: out has shape (2,), the result (3, 3)
np.sum(x, axes=1)
    InvalidTypeError: sum: takes no keyword axes=; did you mean axis=? The call is sum(a,
    axis=None, dtype=None, out=None, keepdims=<no value>, initial=<no value>, where=<no value>,
    *, queue=None, device=None, usm_type=None)
np.sum(x, axis=2)
    AxisError: sum: axis 2 is out of bounds for an array of 2 dimensions
np.sum(x, axis=1.0)
    InvalidTypeError: sum: axis: 1.0 is neither an integer nor a sequence of integers
np.sum(x, dtype="flaot")
    InvalidTypeError: sum: dtype: 'flaot' is not a dtype that arrays can hold; did you mean "float"?
    These are bool, int8 to int64, uint8 to uint64, float16, ...
np.mean(x, dtype="flaot")
    InvalidTypeError: mean: dtype='flaot' is not a dtype; did you mean "float"?
np.std(x, dtype="flaot")
    InvalidTypeError: std: dtype='flaot' is not a dtype; did you mean "float"?
np.nanmean(x, dtype="flaot")
    InvalidTypeError: nanmean: dtype='flaot' is not a dtype; did you mean "float"?
np.max(np.zeros(0))
    InvalidValueError: max: there are no elements, and the function has no identity;
    pass initial=
np.argmax(x, axis=(0, 1))
    InvalidValueError: argmax: takes a single axis, or None for all elements
np.argmax(np.zeros(0))
    InvalidValueError: argmax: axis 0 of shape (0,) is empty; argmax of no elements is undefined
np.concatenate(x, x)
    InvalidTypeError: concatenate: axis is an array; pass the arrays as one list or tuple
np.concatenate([x, x[0]])
    InvalidValueError: concatenate: arrays[1] has shape (3,), which does not join (3, 3) along
    axis 0
np.concatenate([x, n])
    PlacementError: concatenate: arrays[1] is a NumPy array in host memory and another operand is
    an array on ...; copy it with hither.asarray(v, like=x)
np.concatenate([])
    ValueError: concatenate: there are no arrays to join
np.stack([x, x[0]])
    InvalidValueError: stack: arrays[1] has shape (3,), arrays[0] has (3, 3); all must be the
    same
np.split(x, 2)
    ValueError: split: 3 elements cannot be divided into 2 equal parts
np.split(x)
    InvalidTypeError: split: indices_or_sections is missing. The call is split(ary,
    indices_or_sections, axis=0, *, queue=None, device=None, usm_type=None)
np.transpose(x, (0, 0))
    InvalidValueError: transpose: axis 0 is named twice
np.transpose(x, (0, 1, 2))
    InvalidValueError: transpose: 3 axes are given for an array of 2 dimensions
np.expand_dims(x, 5)
    AxisError: expand_dims: axis 5 is out of bounds for an array of 3 dimensions
np.squeeze(x, 0)
    InvalidValueError: squeeze: axis 0 has extent 3; only axes of extent 1 can be removed
np.broadcast_to(x, (2, 2))
    InvalidValueError: broadcast_to: shape (3, 3) does not broadcast to (2, 2)
np.reshape(x, (2, 5))
    InvalidValueError: reshape: cannot reshape an array of shape (3, 3) into (2, 5)
np.where(x > 0, 1)
    ValueError: where: give both x and y, or neither
np.clip(x, "a", 3)
    InvalidTypeError: clip: a_min is 'a'; pass an array or a number (numpy takes other values)
np.take(x, 9)
    OutOfRangeError: take: index 9 is out of bounds for axis 0 with size 9
np.take(x, [1.5])
    InvalidTypeError: take: indices are float64, not integers
np.repeat(x, [1, 2])
    InvalidValueError: repeat: repeats has shape (2,); axis 0 has 9 elements
np.roll(x, 1.5)
    InvalidTypeError: roll: shift is of type float; pass an int
np.flip(x, 4)
    AxisError: flip: axis 4 is out of bounds for an array of 2 dimensions
np.cumsum(x, axis=4)
    AxisError: cumsum: axis 4 is out of bounds for an array of 2 dimensions
np.diff(x, n=-1)
    ValueError: diff: n=-1 is negative
np.quantile(x, 2)
    InvalidValueError: quantile: q must be from 0 to 1
np.sort(x, kind="bubble")
    ValueError: sort: kind='bubble'; it is quicksort, heapsort, mergesort or stable
np.pad(x, 1, mode="constnt")
    ValueError: pad: mode 'constnt' is not supported: it is none of constant, edge, empty,
    linear_ramp, maximum, mean, median, minimum, reflect, symmetric, wrap
np.interp(x, [1, 2], [1])
    ValueError: interp: xp and fp have shapes (2,) and (1,), not (n,)
np.bincount(x)
    ValueError: bincount: x has shape (3, 3); it must be a vector
np.dot(x, np.ones(4))
    InvalidValueError: dot: shapes (3, 3) and (4,) do not multiply: the last axis of the
    first has 3 elements, axis 0 of the second has 4
np.einsum("ij,jk", x)
    ValueError: einsum: 2 terms in 'ij,jk', 1 operands
np.einsum("ij->k", x)
    ValueError: einsum: the output 'k' does not fit the terms of 'ij->k'
np.einsum("ij,jk->ik", x, np.ones((4, 4)))
    ValueError: einsum: axis 'j' has 3 and 4 elements
np.einsum("ij", x, dtype="flaot")
    InvalidTypeError: einsum: dtype='flaot' is not a dtype; did you mean "float"?
np.cov(x, dtype="flaot")
    InvalidTypeError: cov: dtype='flaot' is not a dtype; did you mean "float"?
np.linalg.solve(x, np.ones(4))
    InvalidValueError: solve: x1 has 3 rows (shape (3, 3)), x2 has shape (4,)
np.linalg.inv(np.ones((2, 3)))
    LinAlgError: inv: x has shape (2, 3); its last two axes must be equal
np.linalg.norm(x, ord="fo")
    ValueError: norm: ord='fo' is unknown for matrices; pass 'fro', 'nuc', 1, 2 or inf
np.linalg.norm(x, axs=0)
    InvalidTypeError: norm: takes no keyword axs=; did you mean axis=? The call is norm(x,
    ord=None, axis=None, keepdims=False, *, queue=None, device=None, usm_type=None)
np.linalg.det(x[0])
    LinAlgError: det: x has 1 dimensions; a matrix has two or more
np.einsum(x, "ij")
    InvalidTypeError: einsum: the subscripts 'ij' follow an operand; they are the first argument
np.einsum("ij,jk", x, x, optimize="fast")
    InvalidValueError: einsum: optimize is 'fast'; it is True, False, 'greedy', 'optimal' or a path
    of einsum_path()
np.einsum("ij,jk", x, x, optimize=["einsum_path", (0, 5)])
    InvalidValueError: einsum: optimize contains (0, 5), and there are 2 operands at this step
np.linalg.lstsq(x, x, rcond="a")
    InvalidTypeError: lstsq: rcond is 'a'; it must be a number
np.linalg.matrix_power(x, 1.5)
    InvalidTypeError: matrix_power: n is of type float; pass an int
np.linalg.cond(x, "abc")
    InvalidValueError: cond: p is 'abc'; it is None, 'fro', 'nuc', 1, 2 or inf
np.fft.fft(x, n=2.5)
    InvalidTypeError: fft: n is of type float; pass an int
np.fft.fft2(x, s=(2.5, 3))
    InvalidTypeError: fft2: s is of type float; pass an int
np.save("unused", x.astype("bfloat16"))
    InvalidTypeError: save: NumPy's files cannot store bfloat16; save x.astype('float32')
np.savez("unused", a=x.astype("bfloat16"))
    InvalidTypeError: savez: NumPy's files cannot store bfloat16; save x.astype('float32')
np.random.normal("a")
    InvalidTypeError: normal: loc is 'a'; pass an array or a number (numpy takes other values)
np.fft.fft(x, norm="orto")
    InvalidValueError: fft: norm='orto' is none of 'backward', 'forward', 'ortho'
np.fft.fft(x, axs=0)
    InvalidTypeError: fft: takes no keyword axs=; did you mean axis=? The call is fft(a, n=None,
    axis=-1, norm=None, out=None, *, queue=None, device=None, usm_type=None)
np.random.randint(5, 2)
    InvalidValueError: integers: the range from low=5 to high=2 is empty
np.random.normal(0, -1, 3)
    InvalidValueError: normal: scale is negative
np.random.seed("a")
    InvalidValueError: seed: 'a' is not a seed: SeedSequence expects int or sequence of ints for
    entropy not a
np.random.uniform(szie=3)
    InvalidTypeError: Generator.uniform: takes no keyword szie=; did you mean size=? The call is
    Generator.uniform(low=0.0, high=1.0, size=None, dtype=float64)
np.reshpe(x, 9)
    AttributeError: module 'hither.numpy' has no attribute 'reshpe'; did you mean "reshape"?
np.float128
    AttributeError: module 'hither.numpy' has no attribute 'float128'; numpy.float128 works with
    NumPy's own arrays
np.no_such_function
    AttributeError: module 'hither.numpy' has no attribute 'no_such_function'
setattr(x.flags, "writeable", 3)
    InvalidTypeError: the value to assign is of type int; pass bool
x.item(20)
    OutOfRangeError: index: index 20 is out of bounds for axis 0 with size 9
x.sum(dtype="flaot")
    InvalidTypeError: dtype: 'flaot' is not a dtype that arrays can hold; did you mean "float"?
    These are bool, int8 to int64, uint8 to uint64, float16, ...
"""


@pytest.mark.parametrize("code", parsed(MISTAKES))
def test_the_error_names_the_argument_and_the_remedy(code, queue):
    names = {
        "np": np,
        "n": numpy.ones((3, 3)),
        "x": np.asarray(ht.ones((3, 3), queue=queue)),
    }
    with pytest.raises(Exception) as caught, ht.device_context(queue):
        eval(code, names)
    text = f"{type(caught.value).__name__}: {caught.value}"
    assert matches(text, parsed(MISTAKES)[code])
