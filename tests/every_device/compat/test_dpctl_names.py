"""Programs that were written for dpctl and dpnp, under hither's names."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp
from hither import compat

pytestmark = pytest.mark.usefixtures("compat_names")


def test_enumerations_are_words_of_hither(device):
    import dpctl

    assert type(device.backend) is dpctl.backend_type
    assert device.device_type == dpctl.device_type.cpu or device.device_type.name == "gpu"
    assert f"{device.backend}:{device.device_type}:" in device.filter_string
    assert device in dpctl.get_devices(backend=device.backend, device_type=device.device_type)
    assert type(device.global_mem_cache_type) is dpctl.global_mem_cache_type
    assert dpctl.SyclEvent().execution_status == dpctl.event_status_type.complete


def test_uninstall_takes_the_names_of_objects_back(device):
    assert type(device.backend) is not str
    assert hasattr(device, "get_filter_string")
    compat.uninstall()
    assert type(device.backend) is str
    assert not hasattr(device, "get_filter_string")
    assert not hasattr(ht.Event(), "execution_status")


def test_devices_name_themselves(device):
    import dpctl

    for backend in (True, False):
        for kind in (True, False):
            text = device.get_filter_string(include_backend=backend, include_device_type=kind)
            assert dpctl.SyclDevice(text) == device, text
    assert dpctl.SyclDevice(str(device.get_device_id())) == device
    assert device.default_selector_score > 0
    assert device.max_read_image_args >= 0
    assert device.image_2d_max_width >= 0
    assert device.get_unpartitioned_parent_device() == device
    with pytest.raises(TypeError, match="not a device"):
        device.can_access_peer("cpu")


def test_platforms(device):
    import dpctl

    platform = device.sycl_platform
    assert platform == dpctl.SyclPlatform(device.filter_string)
    assert platform in dpctl.get_platforms()
    assert hash(platform) == hash(dpctl.SyclPlatform(device))
    assert device in platform.get_devices()
    assert device in platform.get_devices(device_type=device.device_type)
    assert platform.backend == device.backend
    with pytest.raises(ValueError, match="abc"):
        dpctl.SyclPlatform("abc")


def test_queues_know_what_dpctls_know(device, queue):
    import dpctl

    assert queue.get_sycl_device() == device
    assert queue.get_sycl_context().get_devices() == [device]
    there = (dpctl.SyclContext(device), device)
    assert dpctl.get_device_cached_queue(there) == dpctl.get_device_cached_queue(there)
    a, b = bytearray(b"abcdef"), dpctl.memory.MemoryUSMHost(6, queue=queue)
    queue.memcpy(b, a, 6)
    queue.memcpy_async(a, b"xyz", 3).wait()
    assert bytes(b) == b"abcdef"
    assert a == b"xyzdef"
    with pytest.raises(dpctl.SyclQueueCreationError):
        dpctl.SyclQueue("no such device")
    with pytest.raises(TypeError, match="context and a device"):
        dpctl.SyclQueue(None, None)
    with pytest.raises(ValueError, match=r"property=4\.5"):
        dpctl.SyclQueue(device, property=4.5)


def test_queues_of_later_dpctl_are_out_of_order(device, later_names):
    import dpctl

    assert not dpctl.SyclQueue(device).is_in_order
    assert dpctl.SyclQueue(device, property="in_order").is_in_order
    compat.install(force=True)
    assert dpctl.SyclQueue(device).is_in_order


def test_memory_is_in_place_where_it_is_of_the_kind(queue):
    from dpctl.memory import MemoryUSMDevice, MemoryUSMShared, as_usm_memory

    x = ht.arange(24, dtype="uint8", queue=queue, usm_type="shared")
    part = ht.reshape(x, (4, 6))[1:3, ::-2]
    memory = MemoryUSMShared(part)
    assert memory.nbytes == 11  # from element 7 to element 17
    memory.copy_from_host(bytes(11))
    assert ht.asnumpy(x).tolist() == [*range(7), *[0] * 11, *range(18, 24)]
    assert as_usm_memory(memory) is memory and memory.get_usm_type() == "shared"
    assert as_usm_memory(x).pointer == x._pointer == memory.pointer - 7
    with pytest.raises(ValueError, match="is shared USM, not device; pass copy=True"):
        MemoryUSMDevice(x)
    copied = MemoryUSMDevice(x, copy=True)
    assert copied.get_usm_type() == copied.get_usm_type(queue) == "device"
    assert bytes(copied) == bytes(as_usm_memory(x))
    assert MemoryUSMShared(x[:0]).nbytes == 0


def test_memory_outlives_the_array_that_it_came_from(queue):
    from dpctl.memory import as_usm_memory

    memory = as_usm_memory(ht.full(1000, 7, dtype="uint8", queue=queue))
    ht.full(1000, 9, dtype="uint8", queue=queue).synchronize()
    assert bytes(memory) == b"\7" * 1000


def test_memory_can_be_pickled(queue):
    from dpctl.memory import MemoryUSMHost

    memory = MemoryUSMHost(4, queue=queue)
    memory.copy_from_host(b"abcd")
    again = pickle.loads(pickle.dumps(memory))
    assert type(again) is type(memory)
    assert bytes(again) == b"abcd"
    assert again.pointer != memory.pointer


def test_results_in_fortran_order_and_in_given_arrays(queue):
    import dpctl.tensor as dpt

    x = dpt.ones((3, 4), order="F", sycl_queue=queue)
    assert x.flags.fnc
    assert dpt.add(x, x, order="C").flags.c_contiguous
    assert dpt.add(x, x, order="A").flags.f_contiguous
    assert dpt.asarray(ht.arange(6, queue=queue).reshape(2, 3), order="F").flags.f_contiguous
    out = dpt.zeros((3, 4), sycl_queue=queue)
    assert dpt.add(x, 1, out=out) is out
    assert float(dpt.sum(out)) == 24
    with pytest.raises(ValueError, match="is needed, got out=float64"):
        dpt.equal(x, 1, out=out)
    with pytest.raises(ValueError, match="has shape"):
        dpt.sum(x, axis=0, out=out)
    with pytest.raises(ValueError, match="'Q' is none of"):
        dpt.add(x, 1, order="Q")
    with pytest.raises(ValueError, match="'Q' is none of"):
        dpt.add(x, 1, out=out, order="Q")
    order = dpt.reshape(dpt.arange(6, sycl_queue=queue), (2, 3), order="F")
    assert ht.asnumpy(order).tolist() == [[0, 2, 4], [1, 3, 5]]


def test_full_casts_numbers_as_numpys_does(queue):
    import dpctl.tensor as dpt

    assert ht.asnumpy(dpt.full(2, 1.5, dtype="i4", sycl_queue=queue)).tolist() == [1, 1]
    with pytest.raises(OverflowError):
        dpt.full(2, 300, dtype="i1", sycl_queue=queue)
    value = dpt.asarray(2.5, sycl_queue=queue)
    assert ht.asnumpy(dpt.full((1, 2), value)).tolist() == [[2.5, 2.5]]


def test_arrays_over_memory_with_strides(queue):
    import dpctl.tensor as dpt

    x = dpt.usm_ndarray((2, 3), "i4", strides=(1, 2), buffer_ctor_kwargs={"queue": queue})
    x[...] = dpt.reshape(dpt.arange(6, dtype="i4", sycl_queue=queue), (2, 3))
    flat = dpt.usm_ndarray(6, "i4", buffer=x.usm_data)
    assert ht.asnumpy(flat).tolist() == [0, 3, 1, 4, 2, 5]
    assert ht.asnumpy(dpt.usm_ndarray(2, "i4", buffer=flat[2:], offset=1)).tolist() == [4, 2]
    with pytest.raises(ValueError, match="too small for strides"):
        dpt.usm_ndarray(3, "i4", strides=(-1,), buffer_ctor_kwargs={"queue": queue})
    empty = dpt.usm_ndarray((0, 2), "i4", strides=(2, 1), buffer_ctor_kwargs={"queue": queue})
    assert empty.shape == (0, 2)
    with pytest.raises(ValueError, match="'other' is neither USM"):
        dpt.usm_ndarray(3, "i4", strides=(1,), buffer="other")


def test_shapes_may_be_numbers_of_numpy(queue):
    import dpctl.tensor as dpt

    three = np.int64(3)
    assert dpt.zeros(three, order="F", sycl_queue=queue).shape == (3,)
    assert dpt.usm_ndarray(three, "i4", buffer_ctor_kwargs={"queue": queue}).shape == (3,)
    assert dpt.reshape(dpt.zeros((1, 3), sycl_queue=queue), three, order="F").shape == (3,)


def test_elements_put_and_taken(queue):
    import dpctl.tensor as dpt

    x = dpt.arange(5, sycl_queue=queue)
    true = dpt.asarray([1, 0, 1, 0, 1], sycl_queue=queue)
    assert ht.asnumpy(dpt.extract(true, x)).tolist() == [0, 2, 4]
    dpt.place(x, true, dpt.asarray([10, 20], sycl_queue=queue))
    assert ht.asnumpy(x).tolist() == [10, 1, 20, 3, 10]
    dpt.put(x, dpt.asarray([-1, 7], sycl_queue=queue), dpt.asarray([5, 6], sycl_queue=queue))
    assert int(x[4]) in (5, 6)
    far = dpt.asarray([-9, 9], sycl_queue=queue)
    assert ht.asnumpy(dpt.take(x, far, mode="clip")).tolist() == [10, int(x[4])]
    y = dpt.zeros((2, 3), sycl_queue=queue)
    columns = dpt.asarray([[2], [0]], sycl_queue=queue)
    dpt.put_along_axis(y, columns, dpt.ones((2, 1), sycl_queue=queue), axis=1)
    assert ht.asnumpy(y).tolist() == [[0, 0, 1], [1, 0, 0]]


def test_axes_that_are_not_there(queue):
    import dpctl.tensor as dpt

    x, at = dpt.zeros((2, 3), sycl_queue=queue), dpt.asarray([0], sycl_queue=queue)
    along = dpt.asarray([[0], [0]], sycl_queue=queue)
    for axis in (2, -3):
        for call in (
            lambda axis=axis: dpt.put(x, at, dpt.ones(1, sycl_queue=queue), axis=axis),
            lambda axis=axis: dpt.put_along_axis(x, along, dpt.ones_like(along), axis=axis),
            lambda axis=axis: dpt.take(x, at, axis=axis),
            lambda axis=axis: dpt.take_along_axis(x, along, axis=axis),
        ):
            with pytest.raises(IndexError, match=f"axis {axis} is out of range for 2 dim"):
                call()
    assert not dpt.any(x)


def test_projections_of_infinite_numbers_keep_the_sign_of_the_imaginary_part(queue):
    import dpctl.tensor as dpt

    x = [complex(np.inf, -1), complex(1, np.inf), complex(np.nan, -np.inf), 1 - 2j]
    found = ht.asnumpy(dpt.proj(dpt.asarray(x, dtype="c8", sycl_queue=queue)))
    assert found.dtype == np.complex64
    assert found.real.tolist() == [np.inf] * 3 + [1]
    assert found.imag.tolist() == [0, 0, 0, -2]
    assert np.signbit(found.imag).tolist() == [True, False, True, True]


def test_reductions_of_numbers_that_exp_and_squares_cannot_take(queue):
    import dpctl.tensor as dpt

    x = dpt.asarray([[1000.0, 1000.0], [-np.inf, -np.inf]], sycl_queue=queue)
    expected = [1000 + np.log(2), -np.inf]
    assert np.allclose(ht.asnumpy(dpt.logsumexp(x, axis=1)), expected)
    y = dpt.asarray([3e200, 4e200], sycl_queue=queue)
    assert np.isclose(float(dpt.reduce_hypot(y)), 5e200)
    assert dpt.logsumexp(y, dtype="i4").dtype == np.int32


def test_closeness(queue):
    import dpctl.tensor as dpt

    x = dpt.asarray([1.0, np.inf, np.nan], sycl_queue=queue)
    assert not dpt.allclose(x, x)
    assert dpt.allclose(x, x, equal_nan=True)
    assert not dpt.allclose(x[:2], dpt.asarray([1.0, -np.inf], sycl_queue=queue))
    assert dpt.allclose(x[:1], x[:1] + 1e-9)
    for dtype, a, b in (("u4", 200_000, 200_001), ("u8", 1 << 62, (1 << 62) + 1)):
        one, other = (dpt.asarray([v], dtype=dtype, sycl_queue=queue) for v in (a, b))
        assert dpt.allclose(one, other)
    far = [dpt.asarray([v], dtype="i1", sycl_queue=queue) for v in (100, -100)]
    assert not dpt.allclose(*far, atol=60)


def test_strides_and_numpy_values_of_later_dpctl(queue, later_names):
    import dpctl.tensor as dpt

    x = dpt.zeros((3, 4), dtype="i4", sycl_queue=queue)
    assert x.strides == (4, 1)
    x[0] = np.arange(4)  # the target decides: a host value is copied to it
    assert ht.asnumpy(x[0]).tolist() == [0, 1, 2, 3]
    z = dpt.astype(x, "c16") + 1j
    assert ht.asnumpy(z.real).tolist() == ht.asnumpy(x).tolist()
    z.imag = x
    assert ht.asnumpy(z[0]).tolist() == [0, 1 + 1j, 2 + 2j, 3 + 3j]
    assert ht.asnumpy(x.view("i2")).shape == (3, 8)
    assert hnp.shares_memory(x, x[1:]) and not hnp.shares_memory(x[:, 0], x[:, 1])
    compat.uninstall()
    assert x.strides == (16, 4)


def test_time_of_a_block(device):
    import dpctl
    import dpctl.tensor as dpt

    queue = dpctl.SyclQueue(device, property="enable_profiling")
    timer = dpctl.SyclTimer(time_scale=1e3)
    with timer(queue):
        dpt.sum(dpt.ones(100_000, sycl_queue=queue)).synchronize()
    host, on_device = timer.dt
    assert host > 0
    assert on_device >= 0
    with pytest.raises(ValueError, match="no profiling"):
        timer(dpctl.SyclQueue(device))


def test_arrays_of_dpnp(queue):
    import dpnp

    x = dpnp.array([[1, 2], [3, 4]], dtype=dpnp.float32, sycl_queue=queue)
    assert isinstance(x, dpnp.ndarray)
    assert isinstance(x.asnumpy(), np.ndarray)
    assert dpnp.array_equal(dpnp.sqrt(x * x), x)
    assert dpnp.float32 is np.float32
    assert dpnp.array_equal(dpnp.true_divide(x, 2), dpnp.arctan2(x, x) * 0 + x / 2)
    fortran = dpnp.array(np.ones((2, 3), order="F"), sycl_queue=queue)
    assert fortran.flags.fnc


def test_order_of_a_queue_and_kinds_of_memory(queue):
    import dpctl.utils

    order = dpctl.utils.SequentialOrderManager[queue]
    order.add_event_pair(queue.submit_barrier(), [queue.submit_barrier()])
    order.wait()
    assert order.num_submitted_events == 0
    with pytest.raises(ValueError, match="none of device"):
        dpctl.utils.validate_usm_type("other")
    with pytest.raises(TypeError, match="not a list"):
        dpctl.utils.get_execution_queue({})
    assert dpctl.utils.get_execution_queue([queue, None]) is None
