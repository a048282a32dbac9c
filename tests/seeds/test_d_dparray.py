"""Requirements D16 to D19: what a dparray is to NumPy, kernels and Numba functions."""

import numba
import numpy
import pytest

import hither as ht
from seeds import listings

pytestmark = pytest.mark.usefixtures("compat_names")

ONCE = numpy.sin(1.0)
TWICE = numpy.sin(ONCE)


@pytest.fixture
def run(device):
    """Runs a listing, which must copy nothing and offload something, and gives its names."""
    names = {"gpu": device}

    def execute(listing, **given):
        names.update(given)
        before = ht.counters()
        exec(listing, names)
        after = ht.counters()
        for way in ("bytes_to_device", "bytes_to_host"):
            assert after[way] == before[way]
        # As kernels, be it on the CPU: the listings' arrays are small.
        assert after["launches"] > before["launches"]
        return names

    yield execute
    names.clear()  # Numba keeps the functions, and they their globals


def test_d16_dparray_is_a_drop_in_for_numpy(device, monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", str(device))
    import dparray as np

    a = np.arange(12).reshape(3, 4)
    b = np.sqrt(a[1:].T @ np.ones((2, 5))) + numpy.ones(5)
    assert isinstance(b, numpy.ndarray)
    assert type(b) is type(a) is np.DPArray
    assert b.__sycl_usm_array_interface__["syclobj"] == a.queue
    assert ht.pointer_info(b.ctypes.data, b.queue.context).usm_type == "shared"
    assert np.allclose(b, numpy.sqrt(numpy.arange(12).reshape(3, 4)[1:].T @ numpy.ones((2, 5))) + 1)
    assert type(np.as_ndarray(b)) is numpy.ndarray
    assert type(np.from_ndarray(numpy.ones(3))) is np.DPArray


def test_d16_a_kernel_takes_it_in_place(device, monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", str(device))
    import dparray as np

    @ht.kernel
    def twice(x):
        i = ht.get_global_id(0)
        x[i] = 2 * x[i]

    x = np.arange(5)
    before = ht.counters()
    twice(x)
    after = ht.counters()
    assert x.tolist() == [0, 2, 4, 6, 8]
    assert after["bytes_to_device"] == before["bytes_to_device"]
    assert after["bytes_to_host"] == before["bytes_to_host"]


def test_d17_listing_3_3(run):
    a = run(listings.DPARRAY_WRITTEN)["a"]
    assert numpy.allclose(a, TWICE)
    assert a.usm_type == "shared"


def test_d17_listing_3_5(run):
    names = run(listings.DPARRAY_ARGUMENTS)
    assert numpy.allclose(names["a"], TWICE)
    assert numpy.allclose(names["b"], TWICE + 2)


def test_d18_listing_3_4(run):
    names = run(listings.DPARRAY_RETURNED)
    assert numpy.allclose(names["a"], TWICE)
    assert numpy.allclose(names["b"], TWICE + 2)


def test_d18_numba_returns_the_very_dparray_that_it_was_given(device):
    import dparray as np

    a = np.ones(3)
    same = numba.njit(lambda x: x)
    assert same(a) is a
    with ht.device_context(device):
        assert same(a) is a
    assert type(same(a[1:])) is np.DPArray


def test_d19_listing_3_6(run):
    @numba.njit
    def some_serial_operation(b):
        for i in range(1, b.size):
            b[i] += b[i - 1]

    names = run(listings.DPARRAY_SERIAL_OPERATION, some_serial_operation=some_serial_operation)
    assert numpy.allclose(names["b"], numpy.cumsum(numpy.full(100, TWICE + 2)))
