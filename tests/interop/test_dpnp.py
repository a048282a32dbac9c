"""Arrays of dpnp are hither's without a copy, and hither's are dpnp's."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import hither as ht

ht.devices()  # before dpnp looks for them
dpnp = pytest.importorskip("dpnp", reason="dpnp is not installed")
import dpctl  # noqa: E402

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float32", "float64", "complex64", "complex128"]  # fmt: skip
KINDS = ["device", "shared", "host"]
MOVED = ("bytes_to_device", "bytes_to_host", "launches")


def address(x):
    fields = x.__sycl_usm_array_interface__
    return fields["data"][0] + fields["offset"] * np.dtype(fields["typestr"]).itemsize


def moved():
    now = ht.counters()
    return [now[name] for name in MOVED]


@pytest.fixture
def there(sycl_device):
    """A queue of dpctl's, out of order as its queues are by default."""
    return dpctl.SyclQueue(sycl_device.filter_string)


@pytest.mark.parametrize("nbytes", [1 << 10, 1 << 30], ids=["1KB", "1GB"])
@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_dpnp_keep_their_address(there, kind, nbytes):
    d = dpnp.empty(nbytes // 8, dtype="float64", usm_type=kind, sycl_queue=there)
    before = moved()
    x = ht.asarray(d)
    assert moved() == before
    assert address(x) == address(d)
    assert (x.shape, x.dtype, x.usm_type) == (d.shape, d.dtype, kind)
    assert x.queue == ht.Queue(there)
    assert moved() == before


@pytest.mark.parametrize("nbytes", [1 << 10, 1 << 30], ids=["1KB", "1GB"])
@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_hither_keep_their_address(sycl_queue, kind, nbytes):
    x = ht.empty(nbytes // 8, dtype="float64", usm_type=kind, queue=sycl_queue)
    before = moved()
    d = dpnp.asarray(x)
    assert moved() == before
    assert address(d) == address(x)
    assert (d.shape, d.dtype, d.usm_type) == (x.shape, x.dtype, kind)
    assert ht.Queue(d.sycl_queue) == sycl_queue


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trips(sycl_queue, dtype):
    n = np.arange(24).reshape(2, 3, 4).astype(dtype)
    x = ht.asarray(n, queue=sycl_queue)
    for view, right in ((x, n), (x[::-1, 1:], n[::-1, 1:]), (x.T, n.T), (x[1, 2, 3], n[1, 2, 3]),
                        (x[:, :, ::2], n[:, :, ::2]), (x[2:], n[2:])):  # fmt: skip
        d = dpnp.asarray(view)
        np.testing.assert_array_equal(dpnp.asnumpy(d), right)
        back = ht.asarray(d)
        assert (back.dtype, back.shape, back.queue) == (view.dtype, view.shape, sycl_queue)
        np.testing.assert_array_equal(ht.asnumpy(back), right)
        if view.size:
            assert address(back) == address(d) == address(view)


def test_views_of_dpnp(there):
    d = dpnp.arange(24, sycl_queue=there).reshape(4, 6)
    for view in (d, d[::-1], d[1:, ::2], d.T, d[:, ::-3], d[2, 3], d[4:]):
        x = ht.asarray(view)
        assert x.shape == view.shape
        np.testing.assert_array_equal(ht.asnumpy(x), dpnp.asnumpy(view))
    x = ht.asarray(d[1:3])
    x *= 100
    np.testing.assert_array_equal(dpnp.asnumpy(d)[1:3], np.arange(6, 18).reshape(2, 6) * 100)


def test_read_only_stays_read_only(there, sycl_queue):
    d = dpnp.arange(3, sycl_queue=there)
    d.flags.writable = False
    assert not ht.asarray(d).flags["WRITEABLE"]
    x = ht.broadcast_to(ht.arange(3, queue=sycl_queue), (2, 3))
    assert not dpnp.asarray(x).flags.writable


# -- who keeps what alive


def test_an_array_of_hither_lives_as_long_as_dpnp_has_it(sycl_queue):
    x = ht.arange(5, queue=sycl_queue)
    gone = weakref.ref(x)
    d = dpnp.asarray(x)
    del x
    gc.collect()
    assert gone() is not None
    np.testing.assert_array_equal(dpnp.asnumpy(d), np.arange(5))
    del d
    gc.collect()
    assert gone() is None


def test_an_array_of_dpnp_lives_as_long_as_hither_has_it(there):
    class Held(dpnp.ndarray):
        """One that can be referenced weakly."""

    d = Held(5, dtype="int64", sycl_queue=there)
    d[:] = 3
    gone = weakref.ref(d)
    x = ht.asarray(d)[1:]
    del d
    gc.collect()
    assert gone() is not None
    np.testing.assert_array_equal(ht.asnumpy(x), [3, 3, 3, 3])
    del x
    gc.collect()
    ht.asarray(1)  # what was lent goes back at the next call
    assert gone() is None


# -- the order of both libraries' work


def slow(there, n=400):
    """dpnp's work that goes on when this returns: n**3 multiplications, then ones."""
    a = dpnp.full((n, n), 1 / n, dtype="float64", sycl_queue=there)
    for _ in range(6):
        a = a @ a
    return a * n


@pytest.mark.parametrize("properties", [[], ["in_order"]], ids=["out_of_order", "in_order"])
def test_work_of_dpnp_comes_before(sycl_device, properties):
    there = dpctl.SyclQueue(sycl_device.filter_string, property=properties)
    for _ in range(5):
        x = ht.asarray(slow(there))
        np.testing.assert_allclose(ht.asnumpy(x + 1), 2)
        d = dpnp.zeros((400, 400), sycl_queue=there)
        x = ht.asarray(d)
        d += slow(there)  # after x was made
        np.testing.assert_allclose(ht.asnumpy(x * 2), 2)
        d += slow(there)
        assert float(x[7, 9]) == pytest.approx(2)
        d += slow(there)
        np.testing.assert_allclose(np.asarray(x), 3)


def test_work_of_dpnp_on_arrays_of_hither_comes_before(sycl_queue):
    there = dpctl.SyclQueue(sycl_queue._get_capsule())
    x = ht.zeros((400, 400), queue=sycl_queue)
    d = dpnp.asarray(x)
    elsewhere = ht.Queue(sycl_queue.context, sycl_queue.device)
    for i in range(1, 5):
        d += slow(there)
        seen = [ht.asnumpy(x), np.asarray(x), ht.asnumpy(ht.asarray(x, queue=elsewhere) + 0)][i % 3]
        np.testing.assert_allclose(seen, i)
        x += 1
        d -= 1
    d += slow(there)
    assert float(x[3, 3]) == pytest.approx(5)


def test_work_of_hither_comes_before(there):
    for _ in range(5):
        d = dpnp.zeros(1 << 18, sycl_queue=there)
        x = ht.asarray(d)
        for _ in range(10):
            x += 1
        d *= 2
        np.testing.assert_array_equal(dpnp.asnumpy(d), np.full(1 << 18, 20.0))


# -- computing together


def test_functions_of_hither_take_arrays_of_dpnp(there):
    d = dpnp.arange(6, dtype="float64", sycl_queue=there)
    x = ht.asarray(d)
    for result in (ht.add(d, 1), x + 1, x + dpnp.ones(6, sycl_queue=there), ht.sqrt(d) ** 2 + 1):
        assert isinstance(result, ht.Array) and result.queue == ht.Queue(there)
        np.testing.assert_allclose(ht.asnumpy(result), np.arange(6) + 1)


def test_arrays_of_dpnp_are_indices(there):
    x = ht.arange(5, queue=there)
    picked, mask = (dpnp.asarray(i, sycl_queue=there) for i in ([3, 1], [True, False] * 2 + [True]))
    assert ht.asnumpy(x[picked]).tolist() == [3, 1]
    assert ht.asnumpy(x[mask]).tolist() == [0, 2, 4]
    assert int(x[dpnp.asarray(2, sycl_queue=there)]) == 2
    x[picked] = 7
    assert ht.asnumpy(x).tolist() == [0, 7, 2, 7, 4]


def test_clip_takes_bounds_of_dpnp(there):
    x = dpnp.arange(6, dtype="float32", sycl_queue=there)
    clipped = ht.clip(ht.asarray(x), x[::-1] * 0 + 2, dpnp.full_like(x, 3))
    np.testing.assert_array_equal(ht.asnumpy(clipped), [2, 2, 2, 3, 3, 3])


def test_refused_arrays_of_dpnp_are_not_called_hithers(sycl_device):
    d = dpnp.ones(
        3, sycl_queue=dpctl.SyclQueue(sycl_device.filter_string, property="enable_profiling")
    )
    x = ht.ones(3, queue=sycl_device.default_queue)
    for call in (
        lambda: x.__setitem__(..., d),
        lambda: ht.linalg.solve(ht.eye(3, queue=x.queue), d),
    ):
        with pytest.raises(ht.PlacementError, match="not equivalent") as refused:
            call()
        assert "hither.Array" not in str(refused.value)


def test_queues_that_are_not_equivalent_are_refused(there, sycl_queue):
    d = dpnp.arange(6.0, sycl_queue=there)
    x = ht.arange(6.0, queue=sycl_queue)  # in order, which dpctl's is not
    with pytest.raises(ht.PlacementError, match="properties differ"):
        ht.asarray(d) + x
    before = moved()[:2]
    both = ht.asarray(d, queue=sycl_queue) + x
    np.testing.assert_array_equal(ht.asnumpy(both), np.arange(6.0) * 2)
    assert moved()[:2] == [before[0], before[1] + both.nbytes]


@pytest.fixture(scope="module")
def axpy():
    pytest.importorskip("numba", reason="kernels in Python need Numba")

    @ht.kernel
    def axpy(a, x, y):
        i = ht.get_global_id(0)
        y[i] += a * x[i]

    return axpy


@pytest.mark.parametrize("properties", [[], ["in_order"]], ids=["out_of_order", "in_order"])
def test_kernels_run_on_arrays_of_dpnp(axpy, sycl_device, properties):
    there = dpctl.SyclQueue(sycl_device.filter_string, property=properties)
    x = dpnp.ones((400, 400), sycl_queue=there).reshape(-1)
    y = dpnp.zeros(160000, sycl_queue=there)
    before = moved()[:2]
    for i in range(1, 4):
        y += slow(there).reshape(-1)
        axpy[ht.Range(160000)](2.0, x, y)
        y *= 1
        np.testing.assert_allclose(dpnp.asnumpy(y), 3 * i)
    assert moved()[:2] == before
    event = ht.launch(axpy, ht.Range(160000), 1.0, x, y)
    event.wait()
    np.testing.assert_allclose(dpnp.asnumpy(y), 10)


def test_a_kernel_runs_in_the_queue_of_its_arrays(axpy, there):
    x, y = (dpnp.ones(8, sycl_queue=there) for _ in range(2))
    with pytest.warns(UserWarning, match="no effect"), ht.device_context("native_cpu"):
        axpy[ht.Range(8)](2.0, x, y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), np.full(8, 3.0))
    own = ht.Context(there.sycl_device)
    apart = dpctl.SyclQueue(dpctl.SyclContext(own._get_capsule()), there.sycl_device)
    with pytest.raises(ht.PlacementError, match="contexts differ"):
        axpy[ht.Range(8)](2.0, x, dpnp.ones(8, sycl_queue=apart))
    with pytest.raises(ht.PlacementError):
        axpy[ht.Range(8)](2.0, x, np.ones(8))


def test_data_move_between_devices(there):
    d = dpnp.arange(6.0, sycl_queue=there)
    x = ht.asarray(d, queue="native_cpu")
    assert x.device == ht.Device("native_cpu")
    np.testing.assert_array_equal(ht.asnumpy(x), np.arange(6.0))
    np.testing.assert_array_equal(ht.asnumpy(ht.from_dlpack(d)), np.arange(6.0))
    back = dpnp.asarray(ht.asarray(x, queue=there))
    assert back.sycl_queue == there
    np.testing.assert_array_equal(dpnp.asnumpy(back), np.arange(6.0))
    np.testing.assert_array_equal(dpnp.asnumpy(dpnp.asarray(ht.asnumpy(x))), np.arange(6.0))


# -- DLPack


@pytest.mark.parametrize("kind", KINDS)
def test_dlpack_names_the_device_and_keeps_addresses(sycl_queue, kind):
    x = ht.arange(24, dtype="float32", usm_type=kind, queue=sycl_queue) * 2  # pending
    x = x.reshape((4, 6))[1:, ::2]
    there = dpctl.SyclDevice(sycl_queue.device.filter_string)
    assert x.__dlpack_device__() == (14, there.get_device_id())
    before = moved()[:2]
    d = dpnp.from_dlpack(x)
    assert address(d) == address(x)
    assert (d.shape, d.dtype, d.usm_type) == (x.shape, x.dtype, kind)
    assert d.sycl_device == there
    assert moved()[:2] == before
    np.testing.assert_array_equal(dpnp.asnumpy(d), np.arange(24).reshape(4, 6)[1:, ::2] * 2)
    d += 1
    d.sycl_queue.wait()
    assert float(x[0, 0]) == 13
    again = ht.from_dlpack(d)
    assert address(again) == address(x) and again.device == sycl_queue.device


def test_a_capsule_alone_is_read_where_its_memory_is(there):
    d = dpnp.arange(6, dtype="int64", sycl_queue=there)

    class Bare:
        def __dlpack_device__(self):
            return tuple(map(int, d.__dlpack_device__()))

        def __dlpack__(self, **keywords):
            return d.__dlpack__(**keywords)

    there.wait()
    x = ht.from_dlpack(Bare())
    assert address(x) == address(d) and x.device == ht.Device(there.sycl_device)
    np.testing.assert_array_equal(ht.asnumpy(x), np.arange(6))


def test_the_host_gets_memory_that_it_reaches_and_else_a_copy(sycl_queue):
    x = ht.arange(6.0, usm_type="shared", queue=sycl_queue)
    n = np.from_dlpack(x, device="cpu")
    assert n.ctypes.data == address(x)
    np.testing.assert_array_equal(n, np.arange(6))
    copied = np.from_dlpack(x, device="cpu", copy=True)
    assert copied.ctypes.data != address(x)
    np.testing.assert_array_equal(copied, np.arange(6))


def test_what_dlpack_cannot_say_is_refused(sycl_queue):
    own = ht.Queue(ht.Context(sycl_queue.device), sycl_queue.device)
    x = ht.ones(3, queue=own)
    with pytest.raises(BufferError, match="not the platform's default context"):
        x.__dlpack__()
    assert np.from_dlpack(x, device="cpu").sum() == 3
    y = ht.ones(3, queue=sycl_queue)
    with pytest.raises(BufferError, match="is not supported"):
        y.__dlpack__(dl_device=(14, 99))
    with pytest.raises(TypeError, match="queue of SYCL"):
        y.__dlpack__(stream="x")
    assert y.__dlpack__(stream=dpctl.SyclQueue(sycl_queue.device.filter_string)) is not None


@pytest.mark.parametrize("keep", [np.s_[:5], np.s_[5:], np.s_[::2], np.s_[::-1], np.s_[3:4]],
                         ids=str)  # fmt: skip
@pytest.mark.parametrize("take", [ht.asarray, ht.from_dlpack, ht.UsmView])
def test_a_view_does_not_bound_the_allocation(there, keep, take):
    whole = dpnp.arange(10, dtype="float64", sycl_queue=there)
    part = ht.asarray(whole[keep])
    for other in (np.s_[:], np.s_[5:], np.s_[3:8], np.s_[::-1], np.s_[8:]):
        seen = take(whole[other])
        if take is not ht.UsmView:
            np.testing.assert_array_equal(np.asarray(seen), np.arange(10.0)[other])
    np.testing.assert_array_equal(np.asarray(part), np.arange(10.0)[keep])


def test_halves_of_one_array_are_operands(there):
    whole = dpnp.arange(10, dtype="float64", sycl_queue=there)
    np.testing.assert_array_equal(np.asarray(ht.add(whole[:5], whole[5:])), np.arange(5, 15, 2.0))


def test_writes_are_seen_through_overlapping_views(there):
    whole = dpnp.zeros(10, dtype="float64", sycl_queue=there)
    a, b = ht.asarray(whole[:5]), ht.asarray(whole[3:8])
    a += 1
    b *= 3
    a += 1
    seen = ht.asarray(whole)
    np.testing.assert_array_equal(np.asarray(seen), [2, 2, 2, 4, 4, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(dpnp.asnumpy(whole), [2, 2, 2, 4, 4, 0, 0, 0, 0, 0])


def test_what_no_allocation_holds_is_refused(there):
    memory = dpctl.memory.MemoryUSMDevice(64, queue=there)

    class Beyond:
        __sycl_usm_array_interface__ = memory.__sycl_usm_array_interface__ | {"shape": (65,)}

    with pytest.raises(ht.InvalidValueError, match="reach bytes 0 to 65 of an allocation of 64"):
        ht.UsmView(Beyond())
