"""Requirements A1, A8, A11, B1 to B6, B16, B17, B23: the queues that libraries run on."""

from __future__ import annotations

import contextvars

import numpy as np
import pytest

import hither as ht
from hither._libraries import host_call

MATRIX = np.array([[2.0, 1.0], [1.0, 3.0]])


@pytest.fixture
def submitted(monkeypatch):
    """The queues of library calls on the host or on the device, one for each call."""
    queues = []
    begins = host_call.HostCall.__init__
    is_new = True

    def begin(*arguments, **keywords):
        nonlocal is_new
        begins(*arguments, **keywords)
        is_new = True  # a device's library may need several submissions

    def note(owner, name):
        original = getattr(owner, name)

        def noted(queue, *arguments, **keywords):
            nonlocal is_new
            if is_new or queues[-1] != queue:
                queues.append(queue)
            is_new = False
            return original(queue, *arguments, **keywords)

        monkeypatch.setattr(owner, name, noted)

    monkeypatch.setattr(host_call.HostCall, "__init__", begin)
    note(host_call, "in_order_of")
    note(ht.Queue, "submit_native")
    return queues


def test_b06_the_documents_lapack(gpu, submitted):
    names = {"lapack_oneAPI": ht.lapack, "gpu": gpu, "a": ht.asarray(MATRIX, queue=gpu["gpu:1"])}
    with ht.device_context(gpu["gpu:2"]), ht.shared_queues.current(gpu["gpu:2"]):
        exec('lapack = lapack_oneAPI(queue = gpu["gpu:1"])\nu, s, vh = lapack.svd(a)', names)
    assert names["lapack"].queue == gpu["gpu:1"]
    assert submitted == [gpu["gpu:1"]]
    assert all(names[n].queue == gpu["gpu:1"] for n in ("u", "s", "vh"))
    np.testing.assert_allclose(ht.asnumpy(names["s"]), np.linalg.svd(MATRIX).S)


def test_b06_the_documents_lapack_on_a_queue_by_dpctls_name():
    from hither.compat import dpctl as c_dpctl

    names = {"lapack_oneAPI": ht.lapack, "c_dpctl": c_dpctl}
    exec('lapack = lapack_oneAPI(queue = c_dpctl.SyclQueue("cpu"))', names)
    u, s, vh = names["lapack"].svd(MATRIX)
    assert u.queue == s.queue == vh.queue == names["lapack"].queue
    np.testing.assert_allclose(ht.asnumpy(s), np.linalg.svd(MATRIX).S)


@pytest.mark.parametrize("library", ["blas", "lapack", "linalg", "fft"])
def test_b01_every_function_of_a_library_takes_a_queue(queue, library):
    compute = ht.Queue(queue.context, queue.device)
    a, v = ht.asarray(MATRIX, queue=queue), ht.asarray([1.0, 2.0, 3.0], queue=queue)
    w, pair = ht.asarray([3.0, 1.0, 2.0], queue=queue), ht.asarray([1.0, 2.0], queue=queue)
    arguments = {
        "axpy": (2, v, w), "scal": (2, v), "ger": (1, v, w), "asum": (v,), "nrm2": (v,),
        "iamax": (v,), "dot": (v, w), "dotc": (v, w), "gemv": (a, pair), "symv": (a, pair),
        "trsv": (a, pair), "syrk": (a,), "herk": (a,), "cross": (v, w), "outer": (v, w),
        "vecdot": (v, w), "tensordot": (a, a), "matrix_power": (a, 3), "matmul": (a, a),
        "gemm": (a, a), "symm": (a, a), "hemm": (a, a), "trmm": (a, a), "trsm": (a, a),
        "solve": (a, a), "lstsq": (a, a), "solve_triangular": (a, a), "fftfreq": (5,),
        "rfftfreq": (5,),
    }  # fmt: skip
    module = getattr(ht, library)
    for name in module.__all__:
        if name == "lu_solve":
            result = module.lu_solve(module.lu_factor(a), a, queue=compute)
        else:
            result = getattr(module, name)(*arguments.get(name, (a,)), queue=compute)
        for array in result if isinstance(result, tuple) else (result,):
            assert array.queue == compute, name
        bound = getattr(module(queue=compute), name)
        if name != "lu_solve":
            result = bound(*arguments.get(name, (a,)))
        for array in result if isinstance(result, tuple) else (result,):
            assert array.queue == compute, name


def test_b02_b03_b04_a_library_uses_its_packages_default_queue(gpu, submitted):
    queues, others = ht.QueueManager(), ht.QueueManager()
    lapack, other = ht.lapack(queue=queues), ht.lapack(queue=others)
    a = {name: ht.asarray(MATRIX, queue=q) for name, q in gpu.items()}
    queues.set_default_queue(gpu["gpu:1"])
    others.set_default_queue(gpu["gpu:2"])
    lapack.inv(a["gpu:1"])
    other.inv(a["gpu:2"])
    with queues.current(gpu["gpu:2"]):
        lapack.inv(a["gpu:2"])
        assert lapack.queue == gpu["gpu:2"]
        context = contextvars.Context()
        context.run(lapack.inv, a["gpu:1"])
    assert submitted == [gpu[f"gpu:{i}"] for i in (1, 2, 2, 1)]
    with pytest.raises(ht.PlacementError, match="cannot access"):
        lapack.inv(a["gpu:2"])


def test_b05_computation_follows_data(gpu, submitted):
    a = {name: ht.asarray(MATRIX, queue=q) for name, q in gpu.items()}
    for name, q in gpu.items():
        assert ht.lapack.inv(a[name]).queue == q
        assert ht.lapack().inv(a[name]).queue == q
        assert ht.fft.fft(a[name]).queue == q
    assert submitted == [q for q in gpu.values() for _ in range(3)]
    with pytest.raises(ht.PlacementError, match="not equivalent"):
        ht.lapack.solve(*a.values())
    moved = a["gpu:2"].collocate(a["gpu:1"])
    assert ht.lapack.solve(a["gpu:1"], moved).queue == gpu["gpu:1"]


def test_a11_a_device_context_gives_host_arrays_a_queue(gpu, submitted):
    with ht.device_context(gpu["gpu:2"]):
        assert ht.lapack.inv(MATRIX).queue == gpu["gpu:2"]
        assert ht.lapack().queue == gpu["gpu:2"]
        assert ht.fft.fft(MATRIX).queue == gpu["gpu:2"]
        assert ht.blas.gemm(MATRIX, MATRIX).queue == gpu["gpu:2"]
        assert ht.random.default_rng(1).random(3).queue == gpu["gpu:2"]
        assert ht.fft.fftfreq(5).queue == gpu["gpu:2"]
    assert submitted == [gpu["gpu:2"]] * 2


def test_b16_host_data_are_computed_on_the_given_queue(queue):
    inverse = ht.lapack(queue=queue).inv(MATRIX)
    assert inverse.queue == queue
    np.testing.assert_allclose(ht.asnumpy(inverse), np.linalg.inv(MATRIX))
    assert ht.fft(queue=queue).fft(memoryview(np.ones(4))).queue == queue


def test_b17_a_library_bound_to_a_queue_needs_no_global_state(gpu):
    q = gpu["gpu:2"]
    random, linalg, fft = ht.random(queue=q), ht.linalg(queue=q), ht.fft(queue=q)
    a = random.default_rng(1).normal(size=(5, 5))
    results = [
        linalg.inv(a),
        linalg.trace(a),
        fft.fft(a),
        fft.fftfreq(3),
        linalg.matrix_power(a, 3),
    ]
    assert all(r.queue == q for r in [a, *results])
    q.wait()  # pending work holds memory


def test_b23_a_queue_of_the_same_context_computes(queue, submitted):
    other = ht.Queue(queue.context, queue.device, in_order=False)
    a = ht.asarray(MATRIX, queue=queue) + 0.0
    assert ht.lapack.inv(a, queue=other).queue == other
    assert submitted and all(q == other for q in submitted)
    submitted.clear()
    assert ht.fft.fft(a, queue=other).queue == other
    assert submitted and all(q == other for q in submitted)


def test_a14_results_take_the_strongest_usm_type(queue):
    for first, second, strongest in (
        ("host", "host", "host"),
        ("host", "shared", "shared"),
        ("device", "host", "device"),
    ):
        a = ht.asarray(MATRIX, queue=queue, usm_type=first)
        b = ht.asarray(MATRIX, queue=queue, usm_type=second)
        assert ht.lapack.solve(a, b).usm_type == strongest
        assert ht.blas.gemm(a, b).usm_type == strongest
        assert ht.fft.fft(a).usm_type == first


def test_e02_arrays_of_other_packages_are_read_in_place(queue):
    class Foreign:
        def __init__(self, array):
            self.__sycl_usm_array_interface__ = array.__sycl_usm_array_interface__
            self.array = array

    x = ht.asarray(MATRIX, queue=queue, usm_type="shared")
    np.testing.assert_allclose(ht.asnumpy(ht.lapack.inv(Foreign(x))), np.linalg.inv(MATRIX))
    call = host_call.HostCall("test", Foreign(x))
    address = call.run(lambda view: view.ctypes.data)
    assert address == x.__sycl_usm_array_interface__["data"][0]
