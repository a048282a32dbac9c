"""dpnp's copies run after hither's work, although SYCL lets copies overtake pending barriers."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

ht.devices()  # before dpnp looks for them
dpnp = pytest.importorskip("dpnp", reason="dpnp is not installed")
import dpctl  # noqa: E402


def values(i, queue):
    return ht.full(3, float(i), queue=queue) + 1


def exported(i, queue, y):
    y[...] = values(i, queue)


def kept(i, queue, y):
    ht.evaluate(x := values(i, queue))
    y[...] = dpnp.asarray(x)


def updated(i, queue, y):
    x = ht.zeros(3, queue=queue)
    d = dpnp.asarray(x)
    x += i + 1
    y[...] = d


@pytest.mark.parametrize("copy", [exported, kept, updated])
def test_copies_of_dpnp_come_after_the_work_of_hither(sycl_device, copy):
    queue = dpctl.SyclQueue(sycl_device.filter_string)  # out of order
    for i in range(150):
        y = dpnp.zeros(3, sycl_queue=queue)  # with a host task, behind which SYCL holds barriers
        copy(i, queue, y)
        np.testing.assert_array_equal(dpnp.asnumpy(y), np.full(3, i + 1.0))
