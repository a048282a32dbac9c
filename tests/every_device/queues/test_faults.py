"""Allocations, compilations, launches and copies that fail."""

from __future__ import annotations

import gc
import random

import numpy as np
import pytest

import hither as ht
from hither import _hither

ERRORS = {
    "allocate": (MemoryError, "bytes"),
    "compile": (MemoryError, "compiling a kernel"),
    "launch": (ht.DeviceError, "does not take the kernel"),
    "copy": (ht.DeviceError, "does not take the copy"),
}


@pytest.fixture(autouse=True)
def disarmed():
    yield
    for kind in ERRORS:
        _hither._inject_fault(kind, 0)


def operation_of(kind, queue):
    x = ht.asarray(np.arange(1.0, 101.0), queue=queue)
    ht.synchronize(x + 0)
    if kind == "copy":
        return lambda: ht.asnumpy(ht.asarray(np.arange(100.0), queue=queue)), np.arange(100.0)
    values = np.arange(1.0, 101.0)
    if kind == "compile":  # a kernel that neither this process nor an earlier one has compiled
        factor = random.random()
        scaled = ht.vectorize(lambda x: x * factor)
        return lambda: ht.asnumpy(scaled(x)), values * factor
    return lambda: ht.asnumpy(ht.log1p(x) * ht.sinh(1 / x) - 3), np.log1p(values) * np.sinh(
        1 / values
    ) - 3


@pytest.mark.parametrize("kind", ERRORS)
def test_the_failure_is_raised_and_the_next_call_is_right(queue, kind):
    call, expected = operation_of(kind, queue)
    if kind != "compile":  # which later finds the kernel
        np.testing.assert_allclose(call(), expected, rtol=1e-12)
    gc.collect()
    live = ht.counters()["live_allocations"]
    error, words = ERRORS[kind]
    _hither._inject_fault(kind, 1)
    with pytest.raises(error, match=words):
        call()
    assert _hither._inject_fault(kind, 0) == 0
    np.testing.assert_allclose(call(), expected, rtol=1e-11)
    gc.collect()
    assert ht.counters()["live_allocations"] == live


def test_the_second_one_fails(queue):
    def make():
        return [ht.asnumpy(ht.ones(1000 + i, queue=queue)) for i in range(3)]

    make()
    _hither._inject_fault("allocate", 2)
    with pytest.raises(MemoryError):
        make()
    assert all(np.all(a == 1) for a in make())


def test_wrong_requests_are_refused():
    for kind, n in (("nothing", 1), ("launch", -1)):
        with pytest.raises(ValueError, match="_inject_fault"):
            _hither._inject_fault(kind, n)
