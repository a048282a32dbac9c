"""Requirements B and E on exchange: conversions are views, for any size and protocol."""

import numpy as np
import pytest

import hither as ht


def address(x):
    return ht.UsmView(x).pointer


class Exported:
    def __init__(self, x):
        self.x = x
        self.__sycl_usm_array_interface__ = x.__sycl_usm_array_interface__


CONVERSIONS = {
    "usm_interface": lambda x: ht.asarray(Exported(x)),
    "dlpack": ht.from_dlpack,
    "buffer": lambda x: ht.asarray(memoryview(x), copy=False),
    "numpy": lambda x: ht.asarray(np.asarray(x), copy=False),
    "queue": lambda x: ht.asarray(x, queue=ht.Queue(x.queue.context, x.queue.device)),
}


@pytest.mark.usefixtures("cpu_by_default")
@pytest.mark.parametrize("nbytes", [1 << 10, 1 << 30], ids=["1KB", "1GB"])
@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_b11_conversions_take_the_same_time_at_any_size(device, conversion, nbytes):
    on_the_host = ":cpu:" in str(device)
    if conversion in ("buffer", "numpy") and not on_the_host:
        pytest.skip("the host cannot access its memory")
    kind = "shared" if on_the_host else "device"
    x = ht.empty(nbytes // 8, usm_type=kind, device=device)  # its pages are never accessed
    before = ht.counters()
    y = CONVERSIONS[conversion](x)
    after = ht.counters()
    moved = ("bytes_to_device", "bytes_to_host", "launches")
    assert [after[name] for name in moved] == [before[name] for name in moved]
    assert (address(y), y.shape) == (address(x), x.shape)


def test_b19_dlpack_to_and_from_numpy():
    n = np.arange(12.0).reshape(3, 4)
    x = ht.from_dlpack(n)
    assert address(x) == n.ctypes.data
    assert np.from_dlpack(x).ctypes.data == n.ctypes.data
    for view in (x, x[::-1], x.T, x[1]):
        kind, number = view.__dlpack_device__()
        assert (kind, number) == np.from_dlpack(view).__dlpack_device__()
        back = ht.from_dlpack(np.from_dlpack(view))
        assert back.__dlpack_device__() == (kind, number)
        assert address(back) == address(view)
    assert ht.from_dlpack(x).__dlpack_device__() == x.__dlpack_device__()


def test_b19_dlpack_keeps_the_device(device):
    x = ht.reshape(ht.arange(12.0, device=device), (3, 4))
    for view in (x, x[::-1], x.T, x[1]):
        back = ht.from_dlpack(view)
        assert back.__dlpack_device__() == view.__dlpack_device__()
        assert (back.device, address(back)) == (device, address(view))
        assert np.array_equal(ht.asnumpy(back), ht.asnumpy(view))


def test_b21_arrays_of_one_context_are_combined_after_collocate(sub_devices):
    context = ht.Context(sub_devices)
    first, second = (ht.Queue(context, device) for device in sub_devices)
    a, b = (ht.ones(3, queue=queue) for queue in (first, second))
    with pytest.raises(ht.PlacementError, match="collocate"):
        ht.add(a, b)
    near = b.collocate(a)
    assert near.queue == first and address(near) == address(b)
    assert (a + near).queue == first
    assert ht.asnumpy(a + near).tolist() == [2, 2, 2]


def test_e04_without_data_the_buffer_is_used(device):
    if ":cpu:" not in str(device):
        pytest.skip("its memory is not the host's")

    class Buffered(bytearray):
        """Exports an interface without `data`, and a buffer."""

        @property
        def __sycl_usm_array_interface__(self):
            return {
                "shape": (2, 3),
                "typestr": "<f8",
                "version": 1,
                "syclobj": str(device),
                "offset": 1,
            }

    source = Buffered(np.arange(7.0).tobytes())
    x = ht.asarray(source)
    assert x.usm_type == "host" and x.queue == device.default_queue
    assert ht.asnumpy(x).tolist() == [[1, 2, 3], [4, 5, 6]]
    x *= 2
    assert np.frombuffer(source)[1:].tolist() == [2, 4, 6, 8, 10, 12]
    with pytest.raises(BufferError):
        source.clear()  # the buffer is exported

    class Unreachable:
        """Exports the same interface and no buffer."""

        __sycl_usm_array_interface__ = source.__sycl_usm_array_interface__

    with pytest.raises(ht.InvalidValueError, match=r"\['data'\]: is missing"):
        ht.asarray(Unreachable())
