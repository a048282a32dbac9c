"""hither.asnumpy into an array of the caller, with and without waiting."""

from __future__ import annotations

import gc
import re
import threading

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

DTYPES = [
    "bool",
    "int8",
    "uint16",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "bfloat16",
]


def pinned(shape, dtype, queue):
    return np.asarray(ht.empty(shape, dtype=dtype, queue=queue, usm_type="host"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (7, 3), (3, 0, 2), (100_003,)])
def test_every_dtype_and_size(queue, dtype, shape):
    count = int(np.prod(shape))
    x = ht.reshape(ht.astype(ht.arange(count, queue=queue) % 100, dtype), shape)
    right = ht.asnumpy(x)
    there = np.empty(shape, right.dtype)
    assert ht.asnumpy(x, there) is there
    np.testing.assert_array_equal(there, right)
    there = np.empty(shape, right.dtype)
    event = ht.asnumpy(x, out=there, wait=False)
    assert isinstance(event, ht.Event) and event.wait() is None
    np.testing.assert_array_equal(there, right)


VIEWS = {
    "steps": lambda x: x[::2, 1:],
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1],
    "repeated": lambda x: ht.broadcast_to(x[0], (5, 8)),
}


@pytest.mark.parametrize("view", VIEWS)
def test_any_layout(queue, view):
    v = VIEWS[view](ht.reshape(ht.arange(80.0, queue=queue), (10, 8)))
    there = pinned(v.shape, v.dtype, queue)
    ht.asnumpy(v, there, wait=False).wait()
    np.testing.assert_array_equal(there, ht.asnumpy(v))


def test_the_elements_are_those_of_the_call(queue):
    x = ht.arange(1_000_000, dtype="float64", queue=queue) + 1
    there = pinned(x.shape, x.dtype, queue)
    copied = ht.asnumpy(x, there, wait=False)
    x *= 0  # waits for the copy, or writes elsewhere
    x[:10] = 7
    copied.wait()
    np.testing.assert_array_equal(there, np.arange(1_000_000) + 1.0)
    np.testing.assert_array_equal(ht.asnumpy(x)[:11], [7.0] * 10 + [0])


def test_neither_array_has_to_be_kept(queue):
    copies = []
    for n in range(20):
        x = ht.full(300_000, n, dtype="int32", queue=queue)
        there = np.empty(x.shape, x.dtype)
        copies.append((n, there[:], ht.asnumpy(x, there, wait=False)))
        del x, there
    unread = [
        ht.asnumpy(ht.ones(300_000, queue=queue), np.empty(300_000), wait=False) for _ in "abc"
    ]
    gc.collect()
    for n, there, copied in copies:
        copied.wait()
        assert (there == n).all()
    for copied in unread:
        copied.wait()


def test_into_the_memory_of_the_array(queue):
    whole = ht.arange(1000, dtype="int64", queue=queue, usm_type="shared")
    there = np.asarray(whole)
    ht.asnumpy(whole, there, wait=False).wait()
    np.testing.assert_array_equal(there, np.arange(1000))
    ht.asnumpy(whole[:-1], there[1:], wait=False).wait()
    np.testing.assert_array_equal(there, np.r_[0, np.arange(999)])


def test_threads(queue):
    found = [pinned(50_000, "float32", queue) for _ in range(8)]

    def read(n):
        for k in range(10):
            ht.asnumpy(
                ht.full(50_000, n + k, dtype="float32", queue=queue), found[n], wait=False
            ).wait()

    threads = [threading.Thread(target=read, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [set(a) for a in found] == [{n + 9.0} for n in range(8)]


def test_a_failed_task(queue):
    @ht.kernel(debug=True)
    def beyond(x):
        x[ht.get_global_id(0) + 10] = 1

    x = ht.zeros(10, dtype="int64", queue=queue)
    beyond[10](x)
    with pytest.raises(ht.KernelError, match="out of bounds"):
        ht.asnumpy(x, np.empty(10, "int64"), wait=False).wait()


def test_hither_numpy(queue):
    x = ht.arange(5, queue=queue)
    there = np.empty(5, x.dtype)
    hnp.asnumpy(x, there, wait=False).wait()
    assert hnp.asnumpy(x, there) is there
    np.testing.assert_array_equal(there, np.arange(5))


class Claims(np.ndarray):
    """Has another shape than it says."""

    shape = property(lambda self: (6,))


REFUSED = {
    "no out": ({"wait": False}, ValueError, "wait=False needs out="),
    "a list": ({"out": [0.0] * 6}, TypeError, "out is a list; pass a NumPy array"),
    "an array of hither": ({"out": ht.ones(6)}, TypeError, "numpy.asarray()"),
    "another shape": ({"out": np.empty(7)}, ValueError, "out has shape (7,); pass an array of"),
    "another dtype": ({"out": np.empty(6, "f4")}, TypeError, "float32, and x has float64"),
    "the other byte order": ({"out": np.empty(6, ">f8")}, TypeError, "out has dtype >f8"),
    "gaps": ({"out": np.empty(12)[::2]}, ValueError, "out is not contiguous in C order"),
    "unaligned": ({"out": np.frombuffer(bytes(49), "f8", -1, 1)}, ValueError, "out is not aligned"),
    "too few bytes": ({"out": np.zeros(3).view(Claims)}, ValueError, "out has 24 bytes, but"),
    "read-only": ({"out": np.frombuffer(bytes(48))}, ValueError, "out is read-only"),
}  # fmt: skip


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize("mistake", REFUSED)
def test_mistakes(queue, mistake, wait):
    arguments, error, text = REFUSED[mistake]
    with pytest.raises(error, match=re.escape(text)):
        ht.asnumpy(ht.arange(6.0, queue=queue), **{"wait": wait, **arguments})


def test_x_has_to_be_on_a_device():
    with pytest.raises(TypeError, match=re.escape("call asnumpy(x) without it")):
        ht.asnumpy(np.ones(6), np.empty(6))


def test_while_a_function_is_recorded(queue):
    @ht.compile
    def f(x):
        ht.asnumpy(x + 1, np.empty(6), wait=False)
        return x * 2

    with pytest.raises(TypeError, match=r"asnumpy: a function with @hither\.compile cannot read"):
        f(ht.arange(6.0, queue=queue))
