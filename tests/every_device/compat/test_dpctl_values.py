"""Numbers, results in place and functions of programs that were written for dpctl and dpnp."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import hither as ht
from hither import compat

pytestmark = pytest.mark.usefixtures("compat_names")


def test_functions_of_dpnp_that_hither_has_under_no_name(queue):
    import dpnp

    x = dpnp.array([0.0, 90.0, np.nan], dtype="f4", sycl_queue=queue)
    y = dpnp.array([1.0, np.nan, np.nan], dtype="f4", sycl_queue=queue)
    assert x.get_array() is x
    for name in ("fmax", "fmin"):
        np.testing.assert_array_equal(
            getattr(dpnp, name)(x, y).asnumpy(), getattr(np, name)(x.asnumpy(), y.asnumpy())
        )
    for name in ("deg2rad", "rad2deg", "radians", "degrees"):
        made = getattr(dpnp, name)(x)
        assert made.dtype == x.dtype
        np.testing.assert_allclose(made.asnumpy(), getattr(np, name)(x.asnumpy()), rtol=1e-6)
    whole = dpnp.array([1, 2], sycl_queue=queue)
    assert dpnp.fmax(whole, whole[::-1]).tolist() == [2, 2]
    assert dpnp.bitwise_not(whole).tolist() == [-2, -3]
    assert dpnp.degrees(whole).dtype == dpnp.float64


def test_random_numbers_of_dpnp(queue):
    import dpnp

    dpnp.random.seed(7)
    first = [dpnp.random.random(5, sycl_queue=queue), dpnp.random.rand(2, 3, sycl_queue=queue)]
    dpnp.random.seed(7)
    again = [dpnp.random.random_sample((5,), device=queue), dpnp.random.rand(2, 3, device=queue)]
    for one, other in zip(first, again, strict=True):
        assert one.queue == queue
        assert one.shape == other.shape
        assert dpnp.array_equal(one, other)
    assert not dpnp.array_equal(first[0], dpnp.random.rand(5, sycl_queue=queue))
    x = dpnp.random.randint(3, 9, (100,), "i4", usm_type="shared", sycl_queue=queue)
    assert (x.dtype, x.usm_type) == (dpnp.int32, "shared")
    assert set(dpnp.asnumpy(x)) <= set(range(3, 9))
    assert dpnp.random.rand(sycl_queue=queue).shape == ()
    assert dpnp.random.randn(4, sycl_queue=queue).dtype == dpnp.float64
    assert dpnp.random.normal(1.0, 0.5, size=3, sycl_queue=queue).shape == (3,)
    with pytest.raises(TypeError, match="sycl_queue are both given"):
        dpnp.random.rand(2, device="cpu", sycl_queue=queue)


@pytest.mark.parametrize("number", [ctypes.c_int(2), ctypes.c_float(2), ctypes.c_bool(True)])
def test_numbers_of_ctypes_are_numbers_of_functions(queue, number):
    import dpctl.tensor as dpt

    x = dpt.asarray([1, 2, 3], dtype="i4", sycl_queue=queue)
    numpys = np.dtype(type(number)).type(number.value)
    for made, wanted in (
        (dpt.add(x, number), dpt.add(x, numpys)),
        (dpt.multiply(number, x), dpt.multiply(numpys, x)),
        (dpt.where(x > 1, number, x), dpt.where(x > 1, numpys, x)),
    ):
        assert made.dtype == wanted.dtype
        assert made.tolist() == wanted.tolist()


def test_arrays_of_one_element_are_numbers(queue):
    x = ht.full((1, 1), 3, dtype="i4", queue=queue)
    assert (int(x), float(x), complex(x), bool(x)) == (3, 3.0, 3 + 0j, True)
    assert int(ht.asarray(7, queue=queue)) == 7
    for shape in ((2,), (0,), (3, 4)):
        for convert in (int, float, complex, bool):
            with pytest.raises(ValueError, match="one element"):
                convert(ht.ones(shape, queue=queue))
    compat.uninstall()
    with pytest.raises(TypeError, match="0-dimensional"):
        int(x)


def test_work_of_a_queue_comes_after_the_array_that_was_exported_to_it(queue):
    import threading

    gate = threading.Event()
    one, other = (ht.Queue(queue.context, queue.device, in_order=False) for _ in range(2))
    x = ht.ones(4, queue=one)
    one.wait()
    first = one.submit_host(lambda: gate.wait(20))
    x.__dlpack__(stream=other, max_version=(1, 0))
    after = other.submit_barrier()
    was_complete = after.is_complete
    gate.set()
    after.wait()
    assert not was_complete
    assert first.is_complete


def test_memory_of_the_host_is_numpys_in_later_dpctl(queue, later_names):
    import dpctl.tensor as dpt

    host = np.arange(5)[::-1]
    made = dpt.from_dlpack(host)
    assert isinstance(made, np.ndarray)
    assert made.strides == host.strides
    x = dpt.arange(3, sycl_queue=queue)
    assert isinstance(dpt.from_dlpack(x), dpt.usm_ndarray)
    compat.install(force=True)
    assert isinstance(dpt.from_dlpack(np.arange(5)), dpt.usm_ndarray)


def test_results_that_do_not_fit_in_place_are_errors_of_both(queue):
    x = ht.ones(3, dtype="i4", queue=queue)
    half = ht.full(3, 0.5, dtype="f4", queue=queue)
    for error in (ValueError, TypeError, ht.InvalidTypeError):
        with pytest.raises(error, match="in place"):
            x += half
    with pytest.raises(ValueError, match="not supported"):
        x <<= half
    x += x
    assert x.tolist() == [2, 2, 2]
    compat.uninstall()
    with pytest.raises(TypeError, match="in place") as error:
        x += half
    assert not isinstance(error.value, ValueError)


def test_sorts_of_dpctl_tensor(queue):
    from dpctl import tensor as dpt

    host = np.array([[3.0, np.nan, 1.0], [2.0, 2.0, -1.0]])
    x = dpt.asarray(host, sycl_queue=queue)
    for kind in (None, "stable", "mergesort", "radixsort"):
        np.testing.assert_array_equal(dpt.asnumpy(dpt.sort(x, axis=0, kind=kind)), np.sort(host, 0))
        order = dpt.argsort(x, axis=-1, kind=kind)
        np.testing.assert_array_equal(dpt.asnumpy(order), np.argsort(host, kind="stable"))
    with pytest.raises(ValueError, match="bogo"):
        dpt.sort(x, kind="bogo")
    values, indices = dpt.top_k(x, 2)
    assert (dpt.asnumpy(values).tolist(), dpt.asnumpy(indices).tolist()) == ([3, 2], [0, 3])
    assert dpt.top_k(x, 1, axis=1, mode="smallest").indices.shape == (2, 1)
    assert dpt.asnumpy(dpt.isin(x, 2.0, invert=None)).sum() == 2
    assert dpt.asnumpy(dpt.unique_values(x[1])).tolist() == [-1, 2]
    assert dpt.unique_all(x).counts.shape == (5,)
    number = dpt.asarray(3, sycl_queue=queue)
    assert (dpt.sort(number).item(), dpt.argsort(number, kind="radixsort").item()) == (3, 0)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_cumulative_logsumexp(queue, dtype):
    from dpctl import tensor as dpt

    host = np.random.default_rng(1).integers(-3, 4, (5, 7)).astype(dtype)
    x = dpt.asarray(host, sycl_queue=queue)
    for axis in (0, -1):
        right = np.logaddexp.accumulate(host, axis)
        result = dpt.cumulative_logsumexp(x, axis=axis)
        np.testing.assert_allclose(dpt.asnumpy(result), right, rtol=1e-5)
        longer = dpt.cumulative_logsumexp(x, axis=axis, include_initial=True, dtype="f8")
        assert (longer.shape[axis], longer.dtype) == (host.shape[axis] + 1, np.float64)
        out = dpt.empty_like(result)
        assert dpt.cumulative_logsumexp(x, axis=axis, out=out) is out
    assert dpt.cumulative_logsumexp(x[0]).shape == (7,)
    with pytest.raises(ValueError, match="axis= is missing"):
        dpt.cumulative_logsumexp(x)
    with pytest.raises(ValueError, match="x is complex64, not real"):
        dpt.cumulative_logsumexp(dpt.astype(x[0], "c8"))
