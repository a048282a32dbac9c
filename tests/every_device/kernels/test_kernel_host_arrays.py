"""Kernels over NumPy arrays: the device context places them; data is staged and copied back."""

from __future__ import annotations

import array
import warnings

import numpy as np
import pytest

import hither as ht


@ht.kernel
def copy(a, b):
    i = ht.get_global_id(0)
    b[i] = a[i]


@ht.kernel
def double(a):
    a[ht.get_global_id(0)] *= 2


@pytest.mark.parametrize("enter", [ht.device_context, ht.offload_to_sycl_device])
def test_results_are_back_when_the_call_returns(queue, enter):
    a, b = np.arange(100.0), np.zeros(100)
    with enter(queue):
        copy[100](a, b)
        assert np.array_equal(a, b)


def test_an_explicit_queue_needs_no_context(queue):
    a = np.arange(10)
    double[10](a, queue=queue)
    assert np.array_equal(a, 2 * np.arange(10))


def test_copies_are_counted_and_read_only_arguments_do_not_come_back(queue):
    a, b = np.arange(1000.0), np.zeros(1000)
    copy(a, b, queue=queue)
    before = ht.counters()
    copy(a, b, queue=queue)
    after = ht.counters()
    assert after["bytes_to_device"] - before["bytes_to_device"] == 16_000
    assert after["bytes_to_host"] - before["bytes_to_host"] == 8_000


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[::2],
        lambda a: a[::-1],
        lambda a: a.reshape(10, 10)[:, 3],
        lambda a: a.reshape(10, 10).T.reshape(100)[5:50],
        lambda a: a[3:4],
    ],
    ids=["stepped", "reversed", "column", "copied", "one"],
)
def test_strided_arrays(queue, view):
    a = np.arange(100.0)
    expected = a.copy()
    target = view(a)
    if not np.shares_memory(target, a):
        expected = a
    else:
        view(expected)[...] *= 2
    double(target, queue=queue)
    assert np.array_equal(a, expected)


def test_fortran_order_and_more_dimensions(queue):
    @ht.kernel
    def add_index(a):
        i = ht.get_global_id(0)
        j = ht.get_global_id(1)
        a[i, j] += 10 * i + j

    a = np.asfortranarray(np.ones((3, 4)))
    add_index(a, queue=queue)
    assert np.array_equal(a, 1 + np.add.outer(10 * np.arange(3), np.arange(4)))


def test_overlapping_arrays_share_one_copy(queue):
    base = np.arange(10.0)
    copy[5](base[5:], base[:5], queue=queue)
    assert base.tolist() == [5, 6, 7, 8, 9, 5, 6, 7, 8, 9]

    @ht.kernel
    def through_both(a, b):
        i = ht.get_global_id(0)
        a[i] += 1
        b[i] += 1

    even = np.zeros(10)
    through_both(even, even, queue=queue)
    assert np.all(even == 2)
    shifted = np.zeros(7, np.float32)
    through_both[4](shifted[::2], shifted[::2], queue=queue)
    assert shifted.tolist() == [2, 0, 2, 0, 2, 0, 2]


def test_read_only_arrays_are_read_and_not_written(queue):
    source, target = np.arange(4.0), np.zeros(4)
    source.flags.writeable = False
    copy(source, target, queue=queue)
    assert np.array_equal(source, target)
    with pytest.raises(ht.CompileError, match="read-only"):
        copy(target, source, queue=queue)
    copy(memoryview(b"abcd"), out := bytearray(4), queue=queue)
    assert out == b"abcd"


def test_every_object_with_the_buffer_protocol(queue):
    a, b = array.array("f", [1, 2, 3]), array.array("f", [0, 0, 0])
    copy(a, b, queue=queue)
    assert b.tolist() == [1, 2, 3]


def test_a_failed_kernel_leaves_the_arrays_alone(queue):
    @ht.kernel
    def positive(a):
        i = ht.get_global_id(0)
        if a[i] < 0:
            raise ValueError("negative input")
        a[i] = 0

    a = np.array([1.0, 2.0, -1.0])
    with pytest.raises(ht.KernelError, match="negative input"):
        positive(a, queue=ht.Queue(queue.device))  # a queue of its own for the failure
    assert a.tolist() == [1, 2, -1]


def test_usm_of_others_is_used_in_place(queue):
    class Wrapper:
        def __init__(self, x):
            self.x = x
            self.__sycl_usm_array_interface__ = x.__sycl_usm_array_interface__

    x = ht.asarray(np.arange(6.0), queue=queue, usm_type="shared")
    before = ht.counters()
    double[6](Wrapper(x))
    after = ht.counters()
    assert after["bytes_to_device"] == before["bytes_to_device"]
    assert np.array_equal(ht.asnumpy(x), 2 * np.arange(6.0))


def test_only_a_context_of_another_queue_warns(queue, device):
    x = ht.asarray(np.arange(6.0), queue=queue)
    other = ht.Queue(device, in_order=False)
    for context, expected in ((queue, []), (other, [ht.PlacementWarning])):
        with warnings.catch_warnings(record=True) as caught, ht.device_context(context):
            warnings.simplefilter("always")
            double(x)
        assert [w.category for w in caught] == expected
        assert all(w.filename == __file__ for w in caught)


def test_mixing_and_missing_queues_are_refused(queue, sub_devices):
    x, n = ht.asarray(np.arange(6.0), queue=queue), np.zeros(6)
    for call in (lambda: copy(x, n), lambda: copy(n, x), lambda: double(n), lambda: double[3](2.0)):
        with pytest.raises(ht.PlacementError):
            call()
    with ht.device_context(queue), pytest.raises(ht.PlacementError, match="b"):
        copy(x, n)
    one, two = (ht.asarray(np.zeros(3), queue=ht.Queue(d)) for d in sub_devices)
    with pytest.raises(ht.PlacementError):
        copy(one, two)
    assert np.array_equal(n, np.zeros(6))
