"""Typical mistakes in calls. Each error names the argument and says what to do."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
from every_device.mistakes.table import matches, parsed

pytestmark = pytest.mark.either_mode

MISTAKES = r"""
ht.zeros()
    InvalidTypeError: zeros: shape is missing. The call is zeros(shape, dtype=None, *,
    device=None, queue=None, sycl_queue=None, usm_type=None)
ht.zeros("3")
    InvalidTypeError: shape: '3' is neither an integer nor a sequence of integers
ht.zeros(-1)
    InvalidValueError: shape: -1 has a negative extent
ht.zeros(3.5)
    InvalidTypeError: shape: 3.5 is neither an integer nor a sequence of integers
ht.zeros((2, "a"))
    InvalidTypeError: shape: (2, 'a') is neither an integer nor a sequence of integers
ht.zeros(3, order="C")
    InvalidTypeError: zeros: takes no keyword order=; arrays are always in C order, so leave it
    out. The call is zeros(shape, dtype=None, *, device=None, queue=None, sycl_queue=None,
    usm_type=None)
ht.zeros(3, dtype="flaot")
    InvalidTypeError: dtype: 'flaot' is not a dtype that arrays can hold; did you mean "float"?
    These are bool, int8 to int64, uint8 to uint64, float16, ...
ht.zeros(3, dtype="string")
    InvalidTypeError: dtype: 'string' is not a dtype that arrays can hold. These are bool, int8
    to int64, uint8 to uint64, float16, ...
ht.zeros(3, dtype=object)
    InvalidTypeError: dtype: <class 'object'> is not a dtype that arrays can hold. These are
    bool, int8 to int64, uint8 to uint64, float16, ...
ht.zeros(3, dtype="float128")
    InvalidTypeError: dtype: 'float128' is not a dtype that arrays can hold; did you mean
    "float16"? These are bool, int8 to int64, uint8 to uint64, float16, ...
ht.zeros(3, dtpye="float32")
    InvalidTypeError: zeros: takes no keyword dtpye=; did you mean dtype=? The call is
    zeros(shape, dtype=None, *, device=None, queue=None, sycl_queue=None, usm_type=None)
ht.zeros(3, device="gpuu")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "gpu"?...
ht.zeros(3, device=3)
    InvalidTypeError: device: 3 is not a queue: give a hither.Queue, a hither.Device or a filter
    string such as "cpu"
ht.zeros(3, queue="cudda")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "cuda"?...
ht.zeros(3, usm_type="devise")
    InvalidValueError: usm_type: 'devise' is not "device", "shared" or "host"
ht.zeros(3, 3)
    InvalidTypeError: dtype: 3 is not a dtype that arrays can hold. These are bool, int8 to
    int64, uint8 to uint64, float16, ...
ht.full(3)
    InvalidTypeError: full: fill_value is missing. The call is full(shape, fill_value,
    dtype=None, *, device=None, queue=None, sycl_queue=None, usm_type=None)
ht.full(3, "a")
    InvalidTypeError: asarray: dtype('<U1') is not a dtype that arrays can hold. These are bool,
    int8 to int64, uint8 to uint64, float16, ...
ht.full(3, value=1)
    InvalidTypeError: full: takes no keyword value=; its name here is fill_value=. The call is
    full(shape, fill_value, dtype=None, *, device=None, queue=None, sycl_queue=None,
    usm_type=None)
ht.ones(shpe=3)
    InvalidTypeError: ones: takes no keyword shpe=; did you mean shape=? The call is ones(shape,
    dtype=None, *, device=None, queue=None, sycl_queue=None, usm_type=None)
ht.arange()
    InvalidTypeError: arange: start is missing. The call is arange(start, /, stop=None, step=1,
    dtype=None, *, device=None, queue=None, sycl_queue=None, usm_type=None)
ht.arange("3")
    InvalidTypeError: stop: it is a str, not a number; pass a number
ht.arange(3, stpe=1)
    InvalidTypeError: arange: takes no keyword stpe=; did you mean stop=? The call is
    arange(start, /, stop=None, step=1, dtype=None, *, device=None, queue=None, sycl_queue=None,
    usm_type=None)
ht.arange(0, 1, 0)
    InvalidValueError: arange: step is 0; it must be positive or negative
ht.linspace(1)
    InvalidTypeError: linspace: stop is missing. The call is linspace(start, stop, /, num=50,
    endpoint=True, retstep=False, dtype=None, *, device=None, queue=None, sycl_queue=None,
    usm_type=None)
ht.linspace(0, 1, -1)
    InvalidValueError: linspace: num is -1; it must not be negative
ht.eye()
    InvalidTypeError: eye: n_rows is missing. The call is eye(n_rows, n_cols=None, /, k=0,
    dtype=None, *, device=None, queue=None, sycl_queue=None, usm_type=None)
ht.asarray()
    InvalidTypeError: asarray: obj is missing. The call is asarray(obj, dtype=None, *,
    device=None, copy=None, queue=None, sycl_queue=None, usm_type=None, like=None)
ht.asarray("abc")
    InvalidTypeError: asarray: dtype('<U3') is not a dtype that arrays can hold. These are bool,
    int8 to int64, uint8 to uint64, float16, ...
ht.asarray([1, 2], dtype="int31")
    InvalidTypeError: asarray: 'int31' is neither a dtype nor a device; did you mean "int32"?
ht.asarray([1, 2], order="F")
    InvalidTypeError: asarray: takes no keyword order=; arrays are always in C order, so leave
    it out. The call is asarray(obj, dtype=None, *, device=None, copy=None, queue=None,
    sycl_queue=None, usm_type=None, like=None)
ht.asarray(x, cpoy=True)
    InvalidTypeError: asarray: takes no keyword cpoy=; did you mean copy=? The call is
    asarray(obj, dtype=None, *, device=None, copy=None, queue=None, sycl_queue=None,
    usm_type=None, like=None)
ht.asarray(None)
    InvalidTypeError: asarray: a NoneType cannot become an array; pass numbers, nested lists of
    numbers, or an object with a buffer or __dlpack__
ht.array([1, 2, 3])
    AttributeError: module 'hither' has no attribute 'array'; use hither.asarray
ht.concatenate([x, x])
    AttributeError: module 'hither' has no attribute 'concatenate'; use hither.concat
ht.vmap
    AttributeError: module 'hither' has no attribute 'vmap'; use hither.vectorize
ht.reshpe(x, 9)
    AttributeError: module 'hither' has no attribute 'reshpe'; did you mean "reshape"?
ht.no_such_function
    AttributeError: module 'hither' has no attribute 'no_such_function'
ht.sum(x, axes=0)
    InvalidTypeError: sum: takes no keyword axes=; did you mean axis=? The call is sum(x,
    axis=None, dtype=None, *, keepdims=False, queue=None)
ht.sum(x, axis=2)
    AxisError: sum: axis 2 is out of bounds for an array of 2 dimensions
ht.sum(x, axis="rows")
    InvalidTypeError: axis: 'rows' is neither an integer nor a sequence of integers
ht.sum(x, keepdim=True)
    InvalidTypeError: sum: takes no keyword keepdim=; its name here is keepdims=. The call is
    sum(x, axis=None, dtype=None, *, keepdims=False, queue=None)
ht.sum(x, out=x)
    InvalidTypeError: sum: takes no keyword out=; functions return new arrays; store the result
    with y[...] = result. The call is sum(x, axis=None, dtype=None, *, keepdims=False,
    queue=None)
ht.sum([1, 2, 3])
    InvalidTypeError: sum: x is a list; pass an array (hither.asarray makes one) or a number
ht.sum(n)
    PlacementError: sum: the queue can not be determined: x (numpy.ndarray) is a host array and
    there is no device context. Pass queue=, use device_context(...), or make USM arrays with
    asarray
ht.sum()
    InvalidTypeError: sum: x is missing. The call is sum(x, axis=None, dtype=None, *,
    keepdims=False, queue=None)
ht.sum(x, 0, None, True)
    InvalidTypeError: sum: takes 3 positional arguments, 4 given; keepdims= and queue= are given
    by name. The call is sum(x, axis=None, dtype=None, *, keepdims=False, queue=None)
ht.mean(x, dtype="int32")
    InvalidTypeError: mean: dtype is int32; it must be a floating-point dtype
ht.var(x, ddof=1)
    InvalidTypeError: var: takes no keyword ddof=; its name here is correction=. The call is
    var(x, axis=None, dtype=None, *, correction=0.0, keepdims=False, queue=None)
ht.argmax(x, axis=(0, 1))
    InvalidValueError: argmax: takes a single axis, or None for all elements
ht.concat(x, x)
    InvalidTypeError: concat: arrays is one argument; pass a list or tuple of arrays. The call
    is concat(arrays, axis=0, *, queue=None)
ht.concat([x, n])
    PlacementError: concat: arrays[0] (hither.Array) is a USM array and arrays[1]
    (numpy.ndarray) is a host array; array arguments must all be of one kind. Wrap the host
    array with asarray(..., queue=arrays[0].queue)
ht.concat([x, x[0]])
    InvalidValueError: concat: arrays[1] has shape (3,), which does not join (3, 3) along axis 0
ht.concat([])
    InvalidValueError: concat: needs at least one array
ht.stack(x, x)
    InvalidTypeError: stack: arrays is one argument; pass a list or tuple of arrays. The call is
    stack(arrays, axis=0, *, queue=None)
ht.stack([x, x], axis=5)
    AxisError: stack: axis 5 is out of bounds for an array of 3 dimensions
ht.reshape(x, 10)
    InvalidValueError: reshape: cannot reshape an array of shape (3, 3) into (10,)
ht.reshape(x, "a")
    InvalidTypeError: shape: 'a' is neither an integer nor a sequence of integers
ht.reshape(x)
    InvalidTypeError: reshape: shape is missing. The call is reshape(x, shape, *, copy=None,
    queue=None)
ht.reshape(x, 9, order="F")
    InvalidTypeError: reshape: takes no keyword order=; arrays are always in C order, so leave
    it out. The call is reshape(x, shape, *, copy=None, queue=None)
ht.permute_dims(x, (0, 0))
    InvalidValueError: permute_dims: axis 0 is named twice
ht.expand_dims(x, 7)
    AxisError: expand_dims: axis 7 is out of bounds for an array of 3 dimensions
ht.squeeze(x, 0)
    InvalidValueError: squeeze: axis 0 has extent 3; only axes of extent 1 can be removed
ht.broadcast_to(x, (2, 2))
    InvalidValueError: broadcast_to: shape (3, 3) does not broadcast to (2, 2)
ht.roll(x)
    InvalidTypeError: roll: shift is missing. The call is roll(x, shift, axis=None, *,
    queue=None)
ht.flip(x, axis=3)
    AxisError: flip: axis 3 is out of bounds for an array of 2 dimensions
ht.take(x)
    InvalidTypeError: take: indices is missing. The call is take(x, indices, axis=None, *,
    queue=None)
ht.take(x, 5.5)
    InvalidValueError: take: axis is needed for an array of 2 dimensions
ht.where(x > 0)
    InvalidTypeError: where: x1 and x2 are missing. The call is where(condition, x1, x2, /, *,
    queue=None)
ht.where(x, 1)
    InvalidTypeError: where: x2 is missing. The call is where(condition, x1, x2, /, *,
    queue=None)
ht.clip(x, "a")
    InvalidTypeError: clip: min is a str; pass an array (hither.asarray makes one) or a number
ht.astype(x)
    InvalidTypeError: astype: dtype is missing. The call is astype(x, dtype, *, copy=True,
    device=None, queue=None)
ht.astype(x, "flaot32")
    InvalidTypeError: dtype: 'flaot32' is not a dtype that arrays can hold; did you mean
    "float32"? These are bool, int8 to int64, uint8 to uint64, float16, ...
ht.sin()
    InvalidTypeError: sin: x is missing. The call is sin(x, /, *, queue=None)
ht.sin([1, 2])
    InvalidTypeError: sin: x is a list; pass an array (hither.asarray makes one) or a number
ht.sin(x, x)
    InvalidTypeError: sin: takes 1 positional argument, 2 given; queue= is given by name. The
    call is sin(x, /, *, queue=None)
ht.sin(x, out=x)
    InvalidTypeError: sin: takes no keyword out=; functions return new arrays; store the result
    with y[...] = result. The call is sin(x, /, *, queue=None)
ht.sin(x=x)
    InvalidTypeError: sin: x is passed by position, not as x=. The call is sin(x, /, *,
    queue=None)
ht.sin("a")
    InvalidTypeError: sin: x is a str; pass an array (hither.asarray makes one) or a number
ht.add(x)
    InvalidTypeError: add: x2 is missing. The call is add(x1, x2, /, *, queue=None)
ht.add(x, "a")
    InvalidTypeError: add: x2 is a str; pass an array (hither.asarray makes one) or a number
ht.add(x, None)
    InvalidTypeError: add: x2 is a NoneType; pass an array (hither.asarray makes one) or a
    number
ht.add(x, x, x)
    InvalidTypeError: add: takes 2 positional arguments, 3 given; queue= is given by name. The
    call is add(x1, x2, /, *, queue=None)
ht.add(x, ht.ones(2, queue=q))
    InvalidValueError: add: shapes (3, 3) and (2,) do not broadcast: axis -1 has 3 and 2
    elements
ht.add(x, n)
    PlacementError: add: x1 (hither.Array) is a USM array and x2 (numpy.ndarray) is a host
    array; array arguments must all be of one kind. Wrap the host array with asarray(...,
    queue=x1.queue)
ht.bitwise_and(x, x)
    InvalidTypeError: bitwise_and: dtype float64 is not supported: this function takes bool and
    integers
ht.matmul(x)
    InvalidTypeError: matmul: x2 is missing. The call is matmul(x1, x2, *, queue=None,
    precision=None)
ht.matmul(x, 2)
    InvalidTypeError: matmul: takes arrays, not numbers
ht.matmul(x, ht.ones((2, 2), queue=q))
    InvalidValueError: matmul: shapes (3, 3) and (2, 2) do not multiply: the last axis of the
    first has 3 elements, axis 0 of the second has 2
ht.matmul(x, x, precision="tf32")
    InvalidValueError: matmul: precision is 'tf32'; it is None, 'tensorfloat32' or 'bfloat16'
ht.tensordot(x, x, axes=5)
    InvalidValueError: tensordot: axes is 5; the arrays have 2 and 2 dimensions
x @ ht.ones(2, queue=q)
    InvalidValueError: matmul: shapes (3, 3) and (2,) do not multiply: the last axis of the
    first has 3 elements, axis 0 of the second has 2
x & x
    InvalidTypeError: bitwise_and: dtype float64 is not supported: this function takes bool and
    integers
x[5]
    OutOfRangeError: index: index 5 is out of bounds for axis 0 with size 3
x["a"]
    OutOfRangeError: index: a str cannot index an array; integers, slices, ..., None, boolean
    masks and integer arrays can
x[1.5]
    OutOfRangeError: index: a float cannot index an array; integers, slices, ..., None, boolean
    masks and integer arrays can
x[0, 0, 0]
    OutOfRangeError: index: too many indices: the array has 2 dimensions, 3 were indexed
x[ht.ones(2, dtype=ht.bool, queue=q)]
    OutOfRangeError: index: the boolean mask has size 2 along its axis 0, the array has size 3
    along axis 0
x.sum(axes=0)
    InvalidTypeError: sum: takes no keyword axes=; did you mean axis=? The call is sum(a,
    axis=None...
x.reshape(10)
    InvalidValueError: reshape: cannot reshape an array of shape (3, 3) into (10,)
x.astype("flaot32")
    InvalidTypeError: dtype: 'flaot32' is not a dtype that arrays can hold; did you mean
    "float32"? These are bool, int8 to int64, uint8 to uint64, float16, ...
x.astype()
    InvalidTypeError: astype: dtype is missing. The call is astype(dtype, order='K', ...
x.sort(axs=0)
    InvalidTypeError: sort: takes no keyword axs=; did you mean axis=? The call is sort(axis=-1...
bool(x)
    InvalidValueError: bool: the truth value of an array with more than one element is
    ambiguous; use hither.any(x) or hither.all(x)
int(x)
    InvalidTypeError: int: only 0-dimensional arrays can be converted, this one has 2
    dimensions; x[i] or x.item() picks an element
float(x)
    InvalidTypeError: float: only 0-dimensional arrays can be converted, this one has 2
    dimensions; x[i] or x.item() picks an element
ht.evaluate(3)
    InvalidTypeError: evaluate: takes arrays, not an int
ht.synchronize([x])
    InvalidTypeError: synchronize: takes arrays, not a list
ht.explain(3)
    InvalidTypeError: explain: takes an array or a function made by hither.compile, not an int;
    hither.asarray makes an array, and x.parts are those of a ShardedArray
ht.asnumpy()
    InvalidTypeError: asnumpy: x is missing. The call is asnumpy(x, out=None, *, wait=True)
ht.asnumpy(x, wait=False)
    InvalidValueError: asnumpy: wait=False needs out=, the NumPy array that the copy writes
ht.Queue("cudda")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "cuda"?...
ht.Queue("gpu:one")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator):...
ht.Queue(3)
    InvalidTypeError: Queue: 3 is not a device: give a hither.Device, a hither.Queue or a filter
    string such as "cpu"
ht.Queue("cpu", inorder=True)
    InvalidTypeError: Queue: takes no keyword inorder=; did you mean in_order=? The call is
    Queue(target=None, device=Ellipsis, *, in_order=None, enable_profiling=None, property=None)
ht.Device("cpu:99")
    InvalidValueError: filter string: no device matches "cpu:99"; the devices are ...
ht.Device("native")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator):...
ht.Device(3.5)
    InvalidTypeError: device: 3.5 is not a device: give a hither.Device, a hither.Queue or a
    filter string such as "cpu"
ht.device_context("cudda")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "cuda"?...
ht.device_context(3)
    InvalidTypeError: queue or device: 3 is not a queue: give a hither.Queue, a hither.Device or
    a filter string such as "cpu"
ht.device_context(targt="cpu")
    InvalidTypeError: device_context: takes no keyword targt=; did you mean target=? The call is
    device_context(target=None, *, on_serial='error', keep_below=None, results=None,
    always_warns=False)
q.device.create_sub_devices(parttion=2)
    InvalidTypeError: create_sub_devices: takes no keyword parttion=; did you mean partition=?
    The call is create_sub_devices(partition)
q.copy(3)
    InvalidTypeError: copy: from_ is missing. The call is copy(to, from_, nbytes=None,
    depends_on=None)
ht.Range()
    InvalidTypeError: range: () is not a range; pass an int, a tuple of 1 to 3 ints, a
    hither.Range or a hither.NdRange
ht.Range("a")
    InvalidTypeError: range: 'a' is not a range; pass an int, a tuple of 1 to 3 ints, a
    hither.Range or a hither.NdRange
ht.Range(1, 2, 3, 4)
    InvalidTypeError: range: (1, 2, 3, 4) is not a range; pass an int, a tuple of 1 to 3 ints, a
    hither.Range or a hither.NdRange
ht.NdRange(1)
    InvalidTypeError: NdRange: local_size is missing. The call is NdRange(global_size,
    local_size)
ht.MemoryUSMDevice()
    InvalidTypeError: MemoryUSMDevice: nbytes is missing. The call is MemoryUSMDevice(nbytes, *,
    alignment=0, queue=None, copy=False)
ht.MemoryUSMDevice("3")
    InvalidValueError: nbytes: '3' is not a number of bytes
ht.MemoryUSMDevice(64, alignment="a")
    InvalidTypeError: MemoryUSMDevice: alignment is of type str; pass int. The call is
    MemoryUSMDevice(nbytes, *, alignment=0, queue=None, copy=False)
ht.MemoryUSMDevice(64, alignment=3)
    InvalidValueError: Memory: alignment is 3; it must be a power of two
ht.Memory(64)
    InvalidTypeError: Memory: objects of this class cannot be made by a call; make
    MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost
ht.KernelRecord()
    InvalidTypeError: KernelRecord: objects of this class cannot be made by a call;
    hither.kernel_history() returns them
ht.launch()
    InvalidTypeError: launch: kernel and range are missing. The call is launch(kernel, range,
    *args)
ht.launch(abs, 3, x)
    InvalidTypeError: launch: the first argument is not a function decorated with @hither.kernel
ht.kernel(3)
    TypeError: 3 is not a signature: write "void(f8[:], f8)", or use Numba's types
ht.vectorize(lambda a, b, c, d: a)
    InvalidTypeError: vectorize: <lambda> has 4 parameters; pass a function of 1 to 3 numbers, or
    write a kernel for more arrays
ht.vectorize(3)
    TypeError: vectorize decorates a Python function: @hither.vectorize above its def
ht.pointer_info(3)
    InvalidTypeError: pointer_info: context is missing. The call is pointer_info(pointer,
    context)
ht.kernel_history(3)
    InvalidTypeError: kernel_history: takes no positional argument, 1 given. The call is
    kernel_history()
ht.linalg.svd(x, full_matrixes=True)
    InvalidTypeError: svd: takes no keyword full_matrixes=; did you mean full_matrices=? The
    call is svd(x, /, *, full_matrices=True, queue=None)
ht.linalg.solve(x)
    InvalidTypeError: solve: x2 is missing. The call is solve(x1, x2, /, *, queue=None)
ht.linalg.cholesky(x[0])
    LinAlgError: cholesky: x has 1 dimensions; a matrix has two or more
ht.linalg.inv(ht.ones((2, 3), queue=q))
    LinAlgError: inv: x has shape (2, 3); its last two axes must be equal
ht.fft.fft(x, nn=4)
    InvalidTypeError: fft: takes no keyword nn=; did you mean n=? The call is fft(x, /, *,
    n=None, axis=-1, norm='backward', queue=None)
ht.fft.fft()
    InvalidTypeError: fft: x is missing. The call is fft(x, /, *, n=None, axis=-1,
    norm='backward', queue=None)
ht.fft.fft("a")
    InvalidTypeError: fft: x is a str; pass an array (hither.asarray makes one) or a number
ht.fft.fft(x, norm="orto")
    InvalidValueError: fft: norm='orto' is none of 'backward', 'forward', 'ortho'
ht.fft.fft(x, axis=5)
    AxisError: fft: axis 5 is out of range for shape (3, 3)
ht.random.Generator(1).normal(sz=3)
    InvalidTypeError: Generator.normal: takes no keyword sz=; did you mean size=? The call is
    Generator.normal(loc=0.0, scale=1.0, size=None, dtype=float64)
ht.random.Generator("seed")
    InvalidValueError: seed: 'seed' is not a seed: SeedSequence expects int or sequence of ints
    for entropy not seed
ht.random.default_rng(sed=1)
    InvalidTypeError: default_rng: takes no keyword sed=; did you mean seed=? The call is
    default_rng(seed=None, *, queue=None)
ht.random.Generator(1).integers()
    InvalidTypeError: Generator.integers: low is missing. The call is Generator.integers(low,
    high=None, size=None, dtype=int64, endpoint=False)
ht.benchmark(3)
    InvalidTypeError: benchmark: function is an int, which cannot be called; pass the function
    and its arguments, hither.benchmark(f, x), not the result of a call
ht.benchmark(ht.sum, x, seconds=0)
    InvalidValueError: benchmark: seconds is 0; it has to be positive
ht.memory_info("cudda")
    InvalidValueError: filter string: neither a back end (...) nor a device type (cpu, gpu,
    accelerator); did you mean "cuda"?...
ht.release_cached(3)
    InvalidTypeError: queue or device: 3 is not a queue: give a hither.Queue, a hither.Device or
    a filter string such as "cpu"
ht.offload_report(3)
    TypeError: offload_report takes a function that Numba compiles, not 3
"""


@pytest.mark.parametrize("code", parsed(MISTAKES))
def test_the_error_names_the_argument_and_the_remedy(code, queue):
    x = ht.ones((3, 3), queue=queue)
    names = {"ht": ht, "np": np, "q": queue, "x": x, "n": np.ones(3)}
    with pytest.raises(Exception) as caught:
        eval(code, names)
    text = f"{type(caught.value).__name__}: {caught.value}"
    assert matches(text, parsed(MISTAKES)[code])
    assert "incompatible function arguments" not in text
