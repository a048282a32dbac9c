"""hither uses dpctl's queues, contexts, memory and programs, and dpctl uses hither's."""

from __future__ import annotations

import ctypes
import gc
import operator
import pathlib

import numpy as np
import pytest

import hither as ht

ht.devices()  # before dpctl looks for them
dpctl = pytest.importorskip("dpctl", reason="dpctl is not installed")
pytest.importorskip("dpctl.memory")
pytest.importorskip("dpctl.program")

PROPERTIES = [[], ["in_order"], ["enable_profiling"], ["in_order", "enable_profiling"]]


@pytest.fixture
def dpctl_queue(sycl_device):
    """A dpctl queue on the same device."""
    return dpctl.SyclQueue(sycl_device.filter_string)


def test_both_name_a_device_alike(sycl_device):
    there = dpctl.SyclDevice(sycl_device.filter_string)
    assert there.name == sycl_device.info("name")
    assert there.max_compute_units == sycl_device.max_compute_units
    assert ht.Queue(dpctl.SyclQueue(there)).device == sycl_device
    assert ht.Queue(there).device == sycl_device


def of_hither(queue):
    """A queue of hither or dpctl, as dpctl's queue."""
    return dpctl.SyclQueue(queue._get_capsule())


# -- queues


@pytest.mark.parametrize("properties", PROPERTIES, ids=lambda p: "+".join(p) or "none")
def test_queues_of_dpctl(sycl_device, properties):
    there = dpctl.SyclQueue(sycl_device.filter_string, property=properties)
    queue = ht.Queue(there)
    assert queue.device == sycl_device
    assert queue.context == ht.Context.default(sycl_device)
    assert queue.in_order is ("in_order" in properties)
    assert queue.enable_profiling is ("enable_profiling" in properties)
    assert ht.Queue(there) == queue == ht.default_queue(there)
    assert ht.Queue(of_hither(there)) == queue
    assert ht.zeros(3, queue=there).queue == queue
    with ht.device_context(there):
        assert ht.current_queue() == queue


def test_the_properties_of_a_queue_of_dpctl_stay(dpctl_queue):
    assert ht.Queue(dpctl_queue, in_order=False).in_order is False
    with pytest.raises(ht.InvalidValueError, match="keeps its properties"):
        ht.Queue(dpctl_queue, in_order=True)
    own = ht.Queue(dpctl_queue.sycl_context, dpctl_queue.sycl_device)
    assert own.in_order and own.context == ht.Queue(dpctl_queue).context


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("profiling", [True, False])
def test_queues_of_hither(sycl_device, in_order, profiling):
    queue = ht.Queue(sycl_device, in_order=in_order, enable_profiling=profiling)
    there = of_hither(queue)
    assert there.sycl_device.filter_string == sycl_device.filter_string
    assert (there.is_in_order, there.has_enable_profiling) == (in_order, profiling)
    assert there == of_hither(queue)
    assert ht.Queue(there) == queue


def test_queues_of_other_devices_are_not_sycls():
    queue = ht.Queue("native_cpu")
    with pytest.raises(TypeError):
        of_hither(queue)
    with pytest.raises((TypeError, ValueError)):
        dpctl.SyclContext(queue.context._get_capsule())
    with pytest.raises((TypeError, ValueError)):
        dpctl.memory.as_usm_memory(ht.zeros(3, queue=queue))


def test_a_capsule_keeps_its_queue(sycl_device):
    capsule = ht.Queue(sycl_device, in_order=False)._get_capsule()
    gc.collect()
    there = dpctl.SyclQueue(capsule)
    del capsule
    gc.collect()
    there.wait()
    assert not there.is_in_order
    unused = ht.Queue(sycl_device)._get_capsule()
    del unused


def test_a_capsule_is_used_once(sycl_device, dpctl_queue):
    capsule = ht.Queue(sycl_device)._get_capsule()
    dpctl.SyclQueue(capsule)
    memory = ht.MemoryUSMShared(16, queue=sycl_device)
    fields = {**memory.__sycl_usm_array_interface__, "syclobj": dpctl_queue._get_capsule()}
    assert ht.UsmView(Shown(fields)).pointer == memory.pointer


def test_queues_that_nobody_holds_are_forgotten(sycl_device):
    there = dpctl.SyclQueue(sycl_device.filter_string)
    first = ht.Queue(there)
    first.submit_barrier().wait()
    del first
    gc.collect()
    again = ht.Queue(there)
    assert again == ht.Queue(there) and again.device == sycl_device


# -- contexts and sub-devices


def test_contexts_go_both_ways(sycl_device, dpctl_queue):
    default = ht.Context.default(sycl_device)
    assert ht.Context(dpctl_queue.sycl_context) == default
    assert dpctl.SyclContext(default._get_capsule()) == dpctl_queue.sycl_context
    own = ht.Context(sycl_device)
    there = dpctl.SyclContext(own._get_capsule())
    assert there != dpctl_queue.sycl_context and ht.Context(there) == own
    queue = ht.Queue(dpctl.SyclQueue(there, dpctl.SyclDevice(sycl_device.filter_string)))
    assert queue.context == own and queue.device == sycl_device
    x = ht.arange(5, queue=queue) + 1
    assert ht.UsmView(dpctl.memory.as_usm_memory(x)).queue.context == own


def test_parts_of_a_device(sycl_device):
    if sycl_device.max_compute_units < 2:
        pytest.skip("needs two compute units")
    whole = dpctl.SyclDevice(sycl_device.filter_string)
    first, second = whole.create_sub_devices(partition=[1, 1])
    queue = ht.Queue(dpctl.SyclQueue(first))
    assert queue.device.parent_device == sycl_device and queue.device.max_compute_units == 1
    assert ht.Queue(dpctl.SyclQueue(first)).device == queue.device
    assert ht.Queue(dpctl.SyclQueue(second)).device != queue.device
    np.testing.assert_array_equal(ht.asnumpy(ht.arange(5, queue=queue) + 1), np.arange(1, 6))

    several = dpctl.SyclContext([first, second])
    context = ht.Context(several)
    assert len(context.devices) == 2 and queue.device in context.devices
    memory = dpctl.memory.MemoryUSMShared(16, queue=dpctl.SyclQueue(several, second))
    assert ht.UsmView(memory).queue.context == context
    # A context of several devices: the pointer says which one.
    shown = memory.__sycl_usm_array_interface__
    assert ht.UsmView(Shown({**shown, "syclobj": several})).queue.context == context
    with pytest.raises(ht.ExchangeError, match="not bound"):
        ht.UsmView(Shown({**shown, "data": (16, False), "syclobj": several}))

    sub_device = sycl_device.create_sub_devices(partition=[1, 1])[0]
    there = of_hither(ht.Queue(sub_device))
    assert there.sycl_device.max_compute_units == 1
    assert ht.Queue(there).device == sub_device
    assert ht.Queue(dpctl.SyclQueue(there.sycl_context, there.sycl_device)).device == sub_device


# -- memory


class Shown:
    def __init__(self, fields):
        self.__sycl_usm_array_interface__ = fields


KINDS = ["Device", "Shared", "Host"]


@pytest.mark.parametrize("kind", KINDS)
def test_memory_of_dpctl(dpctl_queue, kind):
    memory = getattr(dpctl.memory, f"MemoryUSM{kind}")(64, queue=dpctl_queue)
    view = ht.UsmView(memory)
    assert (view.pointer, view.usm_type) == (memory._pointer, kind.lower())
    assert view.queue == ht.Queue(dpctl_queue)
    info = ht.pointer_info(memory._pointer, view.queue.context)
    assert (info.usm_type, info.base, info.device) == (
        kind.lower(), memory._pointer, view.queue.device,
    )  # fmt: skip
    memory.copy_from_host(np.arange(64, dtype=np.uint8))
    x = ht.asarray(memory)
    assert x.usm_type == kind.lower() and ht.UsmView(x).pointer == memory._pointer
    x += 1
    np.testing.assert_array_equal(memory.copy_to_host(), np.arange(1, 65, dtype=np.uint8))


@pytest.mark.parametrize("kind", KINDS)
def test_memory_of_hither(sycl_queue, kind):
    memory = getattr(ht, f"MemoryUSM{kind}")(64, queue=sycl_queue)
    there = dpctl.memory.as_usm_memory(memory)
    assert there._pointer == memory.pointer
    assert there.get_usm_type() == kind.lower()
    assert ht.Queue(there.sycl_queue) == sycl_queue
    there.copy_from_host(np.full(64, 7, np.uint8))
    assert bytes(memory) == b"\x07" * 64


def test_every_form_of_syclobj_of_dpctl(dpctl_queue):
    memory = dpctl.memory.MemoryUSMShared(64, queue=dpctl_queue)
    fields = memory.__sycl_usm_array_interface__
    forms = (
        dpctl_queue, dpctl_queue.sycl_context, dpctl_queue.sycl_device, dpctl_queue._get_capsule(),
        dpctl_queue.sycl_context._get_capsule(), dpctl_queue.sycl_device.filter_string,
    )  # fmt: skip
    for syclobj in forms:
        view = ht.UsmView(Shown({**fields, "syclobj": syclobj}))
        assert view.pointer == memory._pointer
        assert view.queue.context == ht.Queue(dpctl_queue).context


def test_memory_of_another_context_stays_apart(sycl_device, dpctl_queue):
    device = dpctl.SyclDevice(sycl_device.filter_string)
    own = dpctl.SyclContext(ht.Context(sycl_device)._get_capsule())
    apart = dpctl.SyclQueue(own, device)
    near, far = (dpctl.memory.MemoryUSMDevice(64, queue=q) for q in (dpctl_queue, apart))
    assert ht.UsmView(far).queue == ht.Queue(apart)
    with pytest.raises(ht.PlacementError, match="contexts differ"):
        ht.asarray(near) + ht.asarray(far)
    for operate in (operator.add, operator.matmul):
        with pytest.raises(ht.PlacementError, match=r"argument 2 \(dpctl\.memory\.\S*Device\) on"):
            operate(ht.asarray(near), far)
    outside = np.zeros(64, np.uint8).ctypes.data
    with pytest.raises(ht.ExchangeError, match="not bound to the context"):
        ht.UsmView(Shown({**near.__sycl_usm_array_interface__, "data": (outside, False)}))


def test_a_shape_beyond_the_allocation_is_refused(dpctl_queue):
    if dpctl_queue.backend != dpctl.backend_type.opencl:
        pytest.skip("Level Zero's extents are not asked for")
    memory = dpctl.memory.MemoryUSMDevice(64, queue=dpctl_queue)
    fields = memory.__sycl_usm_array_interface__
    for wrong in ({"shape": (1 << 20,)}, {"offset": 1 << 20}, {"shape": (2,), "strides": (-1,)}):
        with pytest.raises(ht.InvalidValueError, match="reach"):
            ht.UsmView(Shown({**fields, **wrong}))


# -- programs

SOURCE = """
__kernel void axpy(__global float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
"""


def test_a_kernel_of_dpctl_on_arrays_of_hither(sycl_queue):
    if sycl_queue.backend != "opencl":
        pytest.skip("dpctl builds OpenCL C for OpenCL alone")
    there = of_hither(sycl_queue)
    axpy = dpctl.program.create_program_from_source(there, SOURCE).get_sycl_kernel("axpy")
    n = 1 << 16
    x = ht.arange(n, dtype="float32", queue=sycl_queue) * 2  # pending still
    y = ht.ones(n, dtype="float32", queue=sycl_queue)
    for _ in range(3):
        arguments = [dpctl.memory.as_usm_memory(x), dpctl.memory.as_usm_memory(y)]
        there.submit(axpy, [*arguments, ctypes.c_float(0.5)], [n])
        y += 1  # after it, on the same queue
    np.testing.assert_array_equal(ht.asnumpy(y), 1 + 3 * (np.arange(n, dtype=np.float32) + 1))


def test_spirv_of_dpctl_on_arrays_of_hither(sycl_queue):
    file = pathlib.Path(dpctl.__file__).parent / "tests" / "input_files" / "multi_kernel.spv"
    if not file.exists():
        pytest.skip("dpctl came without its tests")
    there = of_hither(sycl_queue)
    program = dpctl.program.create_program_from_spirv(there, file.read_bytes())
    x, y, z = (ht.arange(64, dtype="int32", queue=sycl_queue) + i for i in range(3))
    memories = [dpctl.memory.as_usm_memory(a) for a in (x, y, z)]
    there.submit(program.get_sycl_kernel("add"), memories, [64]).wait()
    np.testing.assert_array_equal(ht.asnumpy(z), np.asarray(x) + np.asarray(y))
