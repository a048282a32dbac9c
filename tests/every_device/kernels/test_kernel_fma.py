"""Fused multiply-add, where the kernel allows it and the device has it."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht


def add_product(a, b, c, out):
    i = ht.get_global_id(0)
    out[i] = a[i] * b[i] + c[i]


def subtract_products(a, b, c, out):
    """a * b - c * b, which cancels where a is c."""
    i = ht.get_global_id(0)
    out[i] = a[i] * b[i] - c[i] * b[i]


def run(function, queue, hosts, **options):
    out = ht.empty(hosts[0].size, dtype=hosts[0].dtype, queue=queue)
    kernel = ht.kernel(**options)(function)
    kernel[hosts[0].size](*(ht.asarray(h, queue=queue) for h in hosts), out)
    return ht.asnumpy(out)


@pytest.fixture(params=[np.float32, np.float64])
def numbers(request):
    random = np.random.default_rng(11)
    return [random.standard_normal(1000).astype(request.param) for _ in range(3)]


@pytest.mark.parametrize("function", [add_product, subtract_products])
def test_without_fma_each_operation_is_rounded(queue, numbers, function):
    a, b, c = numbers
    expected = a * b + c if function is add_product else a * b - c * b
    np.testing.assert_array_equal(run(function, queue, numbers, fma=False), expected)


def test_with_fma_a_sum_is_rounded_once_or_twice(queue, numbers):
    a, b, c = numbers
    if a.dtype == np.float32:
        once = (a.astype(np.float64) * b + c).astype(np.float32)  # but for a tie of ties
    else:
        once = np.array([float(x) for x in a.astype(np.longdouble) * b + c])
    found = run(add_product, queue, numbers)
    is_either = (found == a * b + c) | (np.abs(found - once) <= np.spacing(np.abs(once)))
    assert is_either.all()


def test_what_cancels_leaves_no_more_than_the_rounding_of_a_product(queue, numbers):
    a, b, _ = numbers
    found = run(subtract_products, queue, [a, b, a])
    assert (np.abs(found) <= np.spacing(np.abs(a * b))).all()


def test_a_kernel_knows_whether_it_may_use_fma():
    assert ht.kernel(fma=False)(add_product).options.fma is False
    assert ht.kernel(add_product).options.fma is True
