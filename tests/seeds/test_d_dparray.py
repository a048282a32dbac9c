"""Requirements D16 to D19: dparrays in NumPy, kernels and Numba functions."""

import numba
import numpy
import pytest

import hither as ht

# either_mode: dparrays are NumPy's arrays.
pytestmark = [pytest.mark.usefixtures("compat_names"), pytest.mark.either_mode]


# A CPU can access all memory. Copies are counted only if host and device memory are separated.
STRICT = """
import hither as ht
import numba
import numpy
from hither import compat
compat.install(force=True)
from seeds import printed

@numba.njit
def some_serial_operation(b):
    for i in range(1, b.size):
        b[i] += b[i - 1]

device = ht.Device()
names = {"gpu": device, "some_serial_operation": some_serial_operation}
ht.clear_kernel_history()
before = ht.counters()
printed.run(LISTING, names)
after = ht.counters()
for name in ("bytes_to_device", "bytes_to_host"):
    assert after[name] == before[name], name
plain = numpy.ones(100)
with ht.device_context(device, keep_below=0):
    names["foo"](*[plain] * NUMBER)  # a NumPy array is copied and counted
assert ht.counters()["bytes_to_device"] >= after["bytes_to_device"] + 800
assert ht.kernel_history()[-1].device == device.filter_string
once = numpy.sin(1.0)
twice = numpy.sin(once)
"""


@pytest.fixture
def listing(strictly):
    """Runs a listing in STRICT, then `checks` with its names."""

    def execute(name, checks, arguments=1):
        strictly(f"LISTING, NUMBER = {name!r}, {arguments}\n{STRICT}\n{checks}")

    return execute


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


IN_PLACE = """
import hither as ht
import hither.dparray as np

@ht.kernel
def twice(x):
    i = ht.get_global_id(0)
    x[i] = 2 * x[i]

x = np.arange(500)
before = ht.counters()
twice(x)
after = ht.counters()
assert x.tolist() == list(range(0, 1000, 2))
assert [after[k] - before[k] for k in ("bytes_to_device", "bytes_to_host")] == [0, 0]
with ht.device_context(x.queue):
    twice(np.as_ndarray(x).copy())  # a NumPy array is copied and counted
assert ht.counters()["bytes_to_device"] >= after["bytes_to_device"] + 4000
"""


def test_d16_a_kernel_takes_it_in_place(strictly):
    strictly(IN_PLACE)


A = "assert type(names['a']).__name__ == 'DPArray' and numpy.allclose(names['a'], twice)"
B = "assert type(names['b']).__name__ == 'DPArray' and numpy.allclose(names['b'], twice + 2)"
ON_DEVICE = """
for name in given:
    x = names[name]
    assert x.queue == device.default_queue and x.usm_type == "shared"
    assert ht.pointer_info(x.ctypes.data, x.queue.context).usm_type == "shared"
"""


def test_d17_listing_3_3(listing):
    listing("rfc_3_3", f"{A}\ngiven = 'a'\n{ON_DEVICE}")


def test_d17_listing_3_5(listing):
    listing("rfc_3_5", f"{A}\n{B}", arguments=2)


def test_d18_listing_3_4(listing):
    listing("rfc_3_4", f"{A}\n{B}\ngiven = 'ab'\n{ON_DEVICE}")


def test_d19_listing_3_6(listing):
    summed = "assert numpy.allclose(names['b'], numpy.cumsum(numpy.full(100, twice + 2)))"
    listing("rfc_3_6", f"{A}\n{summed}", arguments=2)


@ht.kernel
def doubled(x):
    i = ht.get_global_id(0)
    x[i] = 2 * x[i]


def check_on_device(made, queue, expected):
    """A dparray in shared USM of the context's queue, which a kernel takes without a copy."""
    from dparray import DPArray

    assert type(made) is DPArray and made.queue == queue and made.usm_type == "shared"
    assert numpy.array_equal(made, expected)
    before = ht.counters()
    doubled(made)
    after = ht.counters()
    assert numpy.array_equal(made, 2 * expected)
    assert [after[k] - before[k] for k in ("bytes_to_device", "bytes_to_host")] == [0, 0]


@pytest.mark.parametrize("size", [10, 10_000])  # of memory from the host's heap, and from pools
def test_d18_results_are_dparrays_if_an_argument_is_one(queue, size):
    import dparray

    f = numba.njit(lambda x, y: (x + y, x.sum()))
    x = numpy.arange(float(size))
    with ht.device_context(queue, keep_below=0):
        made, total = f(dparray.from_ndarray(x, queue=queue), x)
        plain, _ = f(x, x)
    assert total == x.sum() and type(plain) is numpy.ndarray
    check_on_device(made, queue, 2 * x)


def test_d18_results_are_dparrays_if_the_globals_bind_dparray(queue):
    names = {"numba": numba}
    exec(
        "import dparray as np\n@numba.njit\ndef f(n):\n    return np.ones(n) * 3\n",
        names,
    )
    with ht.device_context(queue, keep_below=0):
        made = names["f"](100)
    check_on_device(made, queue, numpy.full(100, 3.0))
    assert type(names["f"](100)) is numpy.ndarray  # not offloaded outside of a context
    names.clear()


def test_d18_results_are_dparrays_if_the_context_asks_for_them(queue):
    f = numba.njit(lambda x: x + 1)
    x = numpy.arange(100.0)
    with ht.device_context(queue, keep_below=0):
        assert type(f(x)) is numpy.ndarray
    with ht.device_context(queue, keep_below=0, results="dparray"):
        made = f(x)
    check_on_device(made, queue, x + 1)
    same = numba.njit(lambda x: x)
    with ht.device_context(queue, results="dparray"):
        assert same(x) is x  # not a new array
    with pytest.raises(ht.InvalidValueError, match="results"):
        ht.device_context(queue, results="list")


def test_d18_numba_returns_the_same_dparray_object(device):
    import dparray as np

    a = np.ones(3)
    same = numba.njit(lambda x: x)
    assert same(a) is a
    with ht.device_context(device):
        assert same(a) is a
    assert type(same(a[1:])) is np.DPArray
