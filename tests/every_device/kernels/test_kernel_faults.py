"""Errors inside kernels: bounds, exceptions, and the calls that raise them.

PYTEST_DONT_REWRITE: the assert in a kernel here is the kernel's.
"""

from __future__ import annotations

import contextlib
import inspect
import math

import numpy as np
import pytest

import hither as ht


@pytest.fixture
def queue(device):
    """A queue of this test only, so that other tests do not see its failures."""
    return ht.Queue(device)


@ht.kernel(debug=True)
def shifted(a):
    i = ht.get_global_id(0)
    a[i + 3] = 1


@ht.kernel
def root(a):
    i = ht.get_global_id(0)
    if a[i] < 0:
        raise ValueError("negative input")
    assert a[i] < 100, "too large"
    a[i] = math.sqrt(a[i])


def line_of(kernel, text):
    lines, first = inspect.getsourcelines(kernel.py_func)
    return first + next(n for n, line in enumerate(lines) if text in line)


def test_an_index_out_of_bounds_names_line_and_work_item(queue):
    a = ht.asarray(np.zeros(20), queue=queue)
    event = ht.launch(shifted, 18, a)
    with pytest.raises(ht.KernelError) as caught:
        event.wait()
    text = str(caught.value)
    assert "shifted" in text and "out of bounds" in text
    assert f"test_kernel_faults.py:{line_of(shifted, 'a[i + 3]')}" in text
    assert "work-item (17)" in text


def test_reads_raise_again_and_unrelated_work_does_not(queue):
    a = ht.asarray(np.zeros(20), queue=queue)
    b = ht.asarray(np.arange(3.0), queue=queue)
    shifted[20](a)
    for _ in range(2):
        with pytest.raises(ht.KernelError):
            ht.asnumpy(a)
    with pytest.raises(ht.KernelError):
        ht.asnumpy(a + 1)
    assert ht.asnumpy(b + 1).tolist() == [1, 2, 3]
    with pytest.raises(ht.KernelError):
        queue.wait()


def test_exceptions_and_assertions_keep_their_words(queue):
    for value, words in ((-1.0, "negative input"), (1000.0, "too large")):
        a = ht.asarray(np.array([4.0, value]), queue=queue)
        with pytest.raises(ht.KernelError, match=words):
            ht.launch(root, 2, a).wait()
    a = ht.asarray(np.array([4.0, 9.0]), queue=queue)
    ht.launch(root, 2, a).wait()
    assert ht.asnumpy(a).tolist() == [2, 3]
    with pytest.raises(ht.KernelError):
        queue.wait()


@pytest.mark.parametrize(
    "divide",
    [lambda a, b: a // b, lambda a, b: a % b, lambda a, b: divmod(a, b)[1], lambda a, b: -a % b],
)
@pytest.mark.parametrize("dtype", [ht.int8, ht.int64, ht.uint32])
def test_in_debug_mode_integers_divided_by_zero_are_reported(queue, divide, dtype):
    divide = ht.device_func(divide)

    def quotients(a, b):
        i = ht.get_global_id(0)
        a[i] = divide(a[i], b[i])

    a = ht.asarray(np.array([7, 8, 9]), dtype=dtype, queue=queue)
    b = ht.asarray(np.array([2, 3, 4]), dtype=dtype, queue=queue)
    checked = ht.kernel(quotients, debug=True)
    ht.launch(checked, 3, a, b).wait()
    b[1] = 0
    with pytest.raises(ht.KernelError, match=r"zero.*work-item \(1\)"):
        ht.launch(checked, 3, a, b).wait()
    with pytest.raises(ht.KernelError):
        queue.wait()


def test_floating_point_numbers_divide_as_numpys_in_debug_mode_too(queue):
    @ht.kernel(debug=True)
    def quotients(a):
        i = ht.get_global_id(0)
        a[i] = a[i] / 0.0

    a = ht.asarray(np.array([1.0, -1.0, 0.0]), queue=queue)
    quotients[3](a)
    assert str(ht.asnumpy(a).tolist()) == "[inf, -inf, nan]"


def test_negative_indices_wrap_and_are_checked(queue):
    @ht.kernel(debug=True)
    def last(a, k):
        a[-k] = 7

    a = ht.asarray(np.zeros(4), queue=queue)
    last[1](a, 4)
    assert ht.asnumpy(a).tolist() == [7, 0, 0, 0]
    with pytest.raises(ht.KernelError, match="out of bounds"):
        ht.launch(last, 1, a, 5).wait()
    with pytest.raises(ht.KernelError):
        queue.wait()


@pytest.mark.parametrize(
    "export",
    [
        np.asarray,
        lambda x: x.__dlpack__(),
        lambda x: x.__sycl_usm_array_interface__,
        lambda x: None,
    ],
    ids=["buffer", "dlpack", "usm interface", "none"],
)
def test_overwriting_in_full_clears_the_error_though_an_export_was_tried(queue, export):
    x = ht.asarray(np.array([1.0, -1.0, 4.0]), queue=queue, usm_type="shared")
    root(x)
    with contextlib.suppress(ht.KernelError):
        export(x)
    x[1:] = 2  # in part: the error stays
    with pytest.raises(ht.KernelError):
        ht.asnumpy(x)
    x[...] = x + 1  # what is written depends on what failed
    with pytest.raises(ht.KernelError):
        ht.asnumpy(x)
    x[...] = 3
    assert ht.asnumpy(x).tolist() == [3, 3, 3]
    x += 1
    assert ht.asnumpy(x).tolist() == [4, 4, 4]


@ht.kernel
def assigned_in_a_branch(x, y):
    i = ht.get_global_id(0)
    if x[i] > 2:
        v = x[i] * 2
    y[i] = v


@ht.kernel
def assigned_in_a_loop(x, y):
    i = ht.get_global_id(0)
    for k in range(int(x[i])):
        v = x[k]
    y[i] = v


@ht.kernel
def the_variable_of_a_loop(x, y):
    i = ht.get_global_id(0)
    for k in range(int(x[i])):  # noqa: B007 - read after the loop
        y[i] += 1
    y[i] = k


@ht.device_func
def doubled_above_two(a):
    if a > 2:
        r = a * 2
    return r


@ht.kernel
def assigned_in_a_function(x, y):
    i = ht.get_global_id(0)
    y[i] = doubled_above_two(x[i])


@pytest.mark.parametrize(
    ("kernel", "name", "expected"),
    [
        (assigned_in_a_branch, "v", 6),
        (assigned_in_a_loop, "v", 3),
        (the_variable_of_a_loop, "k", 2),
        (assigned_in_a_function, "r", 6),
    ],
)
def test_a_local_that_is_read_before_it_is_assigned_is_an_error(queue, kernel, name, expected):
    x, y = ht.asarray(np.full(5, 3.0), queue=queue), ht.zeros(5, queue=queue)
    kernel[5](x, y)
    assert ht.asnumpy(y).tolist() == [expected] * 5
    x = ht.asarray(np.zeros(5), queue=queue)
    with pytest.raises(ht.KernelError, match=f"'{name}' where it is not associated") as caught:
        ht.launch(kernel, 5, x, y).wait()
    assert isinstance(caught.value, UnboundLocalError)
    with pytest.raises(ht.KernelError):
        queue.wait()


@ht.kernel
def assigned_by_every_way(x, y):
    i = ht.get_global_id(0)
    if i > 2:
        v = x[i]
    if i > 2:
        y[i] = v
    for k in range(3):
        w = x[k]
    while True:
        u = w
        if u >= 0:
            break
    y[i] += w + k + u


def test_a_local_that_is_assigned_whenever_it_is_read_is_none(queue):
    x, y = ht.arange(5, dtype=ht.float64, queue=queue), ht.zeros(5, queue=queue)
    ht.launch(assigned_by_every_way, 5, x, y).wait()
    assert ht.asnumpy(y).tolist() == [6, 6, 6, 9, 10]
