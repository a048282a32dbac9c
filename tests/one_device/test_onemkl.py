"""hither's libraries with oneMKL on SYCL devices: supported calls, order, absence of oneMKL."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import hither as ht
from hither import _hither
from hither._libraries.onemkl import fft, lapack, plugin

DEVICES = [d.filter_string for d in ht.devices() if ht.blas_name(d).startswith("oneMKL")]
pytestmark = pytest.mark.skipif(not DEVICES, reason="no SYCL device with oneMKL")
DTYPES = ["float32", "float64", "complex64", "complex128"]


@pytest.fixture
def as_without_dpctl(monkeypatch):
    """Other tests of the process may have imported it; their threads have ended."""
    for module in (lapack, fft):
        monkeypatch.setattr(module, "may_wait", plugin.is_there)


@pytest.fixture(params=["in_order", "out_of_order"])
def queue(request, as_without_dpctl):
    device = ht.Device(DEVICES[0])
    if request.param == "in_order":
        return device.default_queue
    return ht.Queue(device, in_order=False)


@pytest.fixture
def no_host_library(monkeypatch):
    """NumPy's and SciPy's functions of the host fail: what is computed comes from oneMKL."""

    def fail(*_args, **_options):
        pytest.fail("computed on the host")

    for name in ("svd", "qr", "cholesky", "inv", "det", "slogdet", "eigh", "eigvalsh", "solve"):
        monkeypatch.setattr(np.linalg, name, fail)
    libraries = [np.fft]
    try:
        import scipy.fft

        libraries.append(scipy.fft)
    except ImportError:
        pass
    for library in libraries:
        for name in ("fftn", "ifftn", "rfftn", "irfftn"):
            monkeypatch.setattr(library, name, fail)


def random(seed, shape, dtype):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def close(x, y, dtype):
    eps = np.finfo(dtype).eps
    x, y = ht.asnumpy(x), np.asarray(y)
    assert x.dtype == np.dtype(dtype) and x.shape == y.shape
    assert np.linalg.norm(x.astype(np.complex128) - y) <= 256 * eps * max(1, np.linalg.norm(y))


# -- products


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_of_every_layout_launch_no_kernel(queue, dtype):
    for m, n, k in ((1, 1, 1), (3, 5, 7), (64, 32, 16), (1, 9, 100), (130, 1, 33)):
        a, b = random(1, (m, k), dtype), random(2, (k, n), dtype)
        exact = a.astype(np.complex128) @ b.astype(np.complex128)
        x, y = (ht.asarray(v, queue=queue) for v in (a, b))
        xt, yt = (ht.asarray(np.ascontiguousarray(v.T), queue=queue).T for v in (a, b))
        before = ht.counters()["launches"]
        for left in (x, xt):
            for right in (y, yt):
                close(left @ right, exact, dtype)
        assert ht.counters()["launches"] == before
        wide = ht.zeros((m, 2 * k), dtype=dtype, queue=queue)
        wide[:, k:] = x
        close(wide[:, k:] @ y, exact, dtype)
        wide[:, ::2] = x
        close(wide[:, ::2] @ y, exact, dtype)


@pytest.mark.parametrize("shapes", [
    ((4, 3, 5), (4, 5, 2)), ((4, 3, 5), (5, 2)), ((3, 5), (4, 5, 2)),
    ((2, 1, 3, 5), (1, 6, 5, 2)), ((2, 6, 3, 5), (2, 6, 5, 2)), ((2, 1, 3, 5), (7, 5, 2)),
])  # fmt: skip
def test_products_of_stacks(queue, shapes):
    a, b = (random(i, shape, np.float32) for i, shape in enumerate(shapes))
    x, y = (ht.asarray(v, queue=queue) for v in (a, b))
    close(x @ y, a.astype(np.float64) @ b, np.float32)
    close(x[::-1] @ y, a[::-1].astype(np.float64) @ b, np.float32)  # the other way round
    moved = ht.asarray(np.ascontiguousarray(np.moveaxis(a, 0, -1)), queue=queue)
    close(ht.moveaxis(moved, -1, 0) @ y, a.astype(np.float64) @ b, np.float32)


def test_stacks_whose_matrices_overlap(queue):
    n = np.arange(20.0)
    host = np.lib.stride_tricks.sliding_window_view(n, (4,))[:9].reshape(9, 4, 1)
    x = ht.asarray(n, queue=queue)
    windows = ht.stack([x[i : i + 4] for i in range(9)])[..., None]
    close(windows @ windows.mT, host @ host.transpose(0, 2, 1), np.float64)


def test_half_precision_is_summed_in_single_precision(queue):
    a, b = random(1, (8, 2000), np.float16), random(2, (2000, 8), np.float16)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    got = ht.asnumpy(ht.asarray(a, queue=queue) @ ht.asarray(b, queue=queue))
    assert got.dtype == np.float16
    np.testing.assert_allclose(got, exact, rtol=2**-10, atol=1e-3)


def test_products_are_in_order_and_wait_for_nothing(queue):
    gate = threading.Event()
    x = ht.ones((64, 64), queue=queue)
    shared = ht.zeros((64, 64), queue=queue)
    shared += x
    held = queue.submit_host(gate.wait)
    y = shared @ x
    if queue.in_order:  # behind the host's task
        z = y @ x
        event = queue.submit_barrier()
        assert not event.is_complete
    gate.set()
    held.wait()
    for _ in range(20):
        y = y @ x * (1 / 64)
        y += 1
        y -= 1
    np.testing.assert_allclose(ht.asnumpy(y), 64)
    if queue.in_order:
        np.testing.assert_allclose(ht.asnumpy(z), 64 * 64)


# -- factorizations


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("stack", [(), (1,), (3, 1)], ids=str)
def test_factorizations_are_onemkls(queue, no_host_library, dtype, stack):
    n = 70
    a = random(3, (*stack, n, n), dtype) + (30 * np.eye(n)).astype(dtype)
    x = ht.asarray(a, queue=queue)
    assert (x @ ht.lapack.inv(x)).queue == queue
    close(x @ ht.lapack.inv(x), np.broadcast_to(np.eye(n), a.shape), dtype)
    b = random(4, (n, 5), dtype)
    close(x @ ht.lapack.solve(x, ht.asarray(b, queue=queue)),
          np.broadcast_to(b, (*stack, n, 5)), dtype)  # fmt: skip
    hermitian = x @ ht.conj(x).mT
    lower = ht.lapack.cholesky(hermitian)
    close(lower @ ht.conj(lower).mT, ht.asnumpy(hermitian), dtype)
    upper = ht.lapack.cholesky(hermitian, upper=True)
    close(ht.conj(upper).mT @ upper, ht.asnumpy(hermitian), dtype)
    values, vectors = ht.lapack.eigh(hermitian)
    close(vectors * values[..., None, :] @ ht.conj(vectors).mT, ht.asnumpy(hermitian), dtype)
    sign, logarithm = ht.lapack.slogdet(hermitian)
    twice = 2 * ht.sum(ht.log(ht.real(ht.linalg.diagonal(lower))), axis=-1)
    np.testing.assert_allclose(ht.asnumpy(logarithm), ht.asnumpy(twice), rtol=1e-4)
    np.testing.assert_allclose(ht.asnumpy(sign), 1, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (70, 50), (50, 70), (2, 80, 64)], ids=str)
def test_singular_values_and_qr_are_onemkls(queue, no_host_library, dtype, shape):
    a = random(5, shape, dtype)
    x = ht.asarray(np.ascontiguousarray(np.swapaxes(a, -1, -2)), queue=queue).mT  # not dense
    u, s, vh = ht.lapack.svd(x, full_matrices=False)
    close(u * s[..., None, :].astype(dtype) @ vh, a, dtype)
    full = ht.lapack.svd(x)
    assert full.U.shape[-1] == shape[-2] and full.Vh.shape[-1] == shape[-1]
    unit = np.broadcast_to(np.eye(shape[-2]), full.U.shape)
    close(ht.conj(full.U).mT @ full.U, unit, dtype)
    np.testing.assert_allclose(ht.asnumpy(ht.lapack.svdvals(x)), ht.asnumpy(s), rtol=1e-4)
    for mode in ("reduced", "complete"):
        q, r = ht.lapack.qr(x, mode=mode)
        close(q @ r, a, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rank", [3, 5])
@pytest.mark.parametrize("shape", [(70, 5), (7, 5), (5, 7), (5, 5)], ids=str)
def test_least_squares_are_onemkls(queue, no_host_library, dtype, shape, rank):
    left, right = random(5, (shape[0], rank), dtype), random(6, (rank, shape[1]), dtype)
    a = ((left + 4 * np.eye(*left.shape)) @ (right + 4 * np.eye(*right.shape))).astype(dtype)
    for columns in ((), (2,)):
        b = random(7, (shape[0], *columns), dtype)
        x, y = (ht.asarray(value, queue=queue) for value in (a, b))
        found = ht.lapack.lstsq(x, y, rtol=1e-4)
        solution, residuals, expected_rank, values = np.linalg.lstsq(a, b, 1e-4)
        assert int(found.rank) == expected_rank == rank and found.rank.dtype == np.int32
        assert found.solution.shape == solution.shape and found.solution.queue == queue
        assert found.residuals.shape == residuals.shape
        close(x @ found.solution, a @ solution, dtype)
        close(ht.linalg.vector_norm(found.solution), np.linalg.norm(solution), values.dtype)
        close(found.residuals, residuals, residuals.dtype)
        close(found.singular_values, values, values.dtype)


def test_what_cannot_be_factorized_is_an_error_at_the_call(queue):
    x = ht.ones((70, 70), queue=queue)
    with pytest.raises(np.linalg.LinAlgError, match="inv: Singular"):
        ht.lapack.inv(x)
    with pytest.raises(ht.LinAlgError, match="cholesky: Matrix is not positive definite"):
        ht.lapack.cholesky(-x)
    assert float(ht.lapack.det(x)) == 0
    sign, logarithm = ht.lapack.slogdet(x)
    assert float(sign) == 0 and float(logarithm) == -np.inf
    stack = ht.asarray(np.stack([np.eye(70), np.ones((70, 70)), np.eye(70)]), queue=queue)
    with pytest.raises(ht.LinAlgError, match="Singular"):
        ht.lapack.inv(stack)
    np.testing.assert_array_equal(ht.asnumpy(ht.lapack.det(stack)), [1, 0, 1])


# -- transforms


@pytest.mark.parametrize("dtype", DTYPES)
def test_transforms_are_onemkls(queue, dtype):
    for shape, axes in (((1,), (0,)), ((31,), (0,)), ((6, 5, 8), (0, 2)), ((3, 4, 5, 6), None)):
        a = random(6, shape, dtype)
        x = ht.asarray(a, queue=queue)
        wide = "complex64" if np.dtype(dtype).char in "fF" else "complex128"
        close(ht.fft.fftn(x, axes=axes), np.fft.fftn(a, axes=axes), wide)
        close(ht.fft.ifftn(x, axes=axes, norm="ortho"),
              np.fft.ifftn(a, axes=axes, norm="ortho"), wide)  # fmt: skip
        if a.dtype.kind == "f":
            close(ht.fft.rfftn(x, axes=axes), np.fft.rfftn(a, axes=axes), wide)
        if shape[-1] > 1:
            real = "float32" if wide == "complex64" else "float64"
            close(ht.fft.irfftn(x, axes=axes), np.fft.irfftn(a, axes=axes), real)


def test_transforms_use_no_library_of_the_host(queue, no_host_library):
    x = ht.asarray(random(7, (4, 32), np.float64), queue=queue)
    close(ht.fft.irfft(ht.fft.rfft(x)), ht.asnumpy(x), np.float64)
    close(ht.fft.ifft(ht.fft.fft(x)), ht.asnumpy(x).astype(complex), np.complex128)


def test_a_plan_is_not_taken_for_a_queue_that_is_gone(queue):
    host = random(8, (64,), np.complex128)
    expected = np.fft.fft(host)
    for i in range(8):
        context = ht.Context(queue.device)
        own = ht.Queue(context, queue.device, in_order=bool(i % 2))
        close(ht.fft.fft(ht.asarray(host, queue=own)), expected, np.complex128)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_singular_values_of_what_is_not_finite(queue, bad, capfd):
    a = np.eye(64)
    a[1, 2] = bad
    for function in (ht.linalg.svdvals, ht.linalg.svd):
        with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
            function(ht.asarray(a, queue=queue))
    assert "ERROR" not in "".join(capfd.readouterr())


def test_plans_end_after_their_last_transform(queue):
    """More lengths than the plan cache holds, without waits."""
    generator = np.random.default_rng(0)
    hosts = [generator.random(20000 + i) for i in range(40)]
    spectra = [ht.fft.rfft(ht.asarray(x, queue=queue)) for x in hosts]
    for x, spectrum in zip(hosts, spectra, strict=True):
        np.testing.assert_allclose(ht.asnumpy(spectrum), np.fft.rfft(x), atol=1e-7)


def test_calls_from_many_threads(queue):
    from concurrent.futures import ThreadPoolExecutor

    host = random(9, (70, 70), np.float64) + 30 * np.eye(70)
    x = ht.asarray(host, queue=queue)

    def work(i):
        y = ht.lapack.inv(x + i) @ (x + i)
        return ht.asnumpy(y), ht.asnumpy(ht.fft.ifft(ht.fft.fft(x[i])))

    with ThreadPoolExecutor(4) as pool:
        for i, (one, row) in enumerate(pool.map(work, range(12))):
            np.testing.assert_allclose(one, np.eye(70), atol=1e-10)
            np.testing.assert_allclose(row, host[i], atol=1e-12)


# -- the plugin


def test_what_onemkl_refuses_is_told(queue):
    plan = ctypes.c_void_p()
    lengths = (ctypes.c_int64 * 1)(-3)
    plugin.call("plan", ctypes.byref(plan), True, False, 1, lengths, 1)
    x = ht.zeros(3, dtype="complex64", queue=queue)
    with pytest.raises(ht.DeviceError, match=r"transform: .+"):
        queue.submit_native(
            lambda native, at: plugin.call("transform", plan, native, False, at, at), writes=[x]
        )
    plugin.call("end_plan", plan)
    with pytest.raises(ht.DeviceError, match="does not support the type e"):
        plugin.call("potrf", 0, ctypes.c_char(b"e"), 1, 0, True, 1, 0, 0, 0)


@pytest.mark.parametrize("filter_string", DEVICES)
def test_with_dpctl_the_host_does_what_onemkl_would_wait_for_on_cpus(filter_string):
    """See tests/interop/test_threads_with_dpnp.py for what would happen."""
    pytest.importorskip("dpctl", reason="dpctl is not installed")
    code = (
        "import importlib.util, sys, hither as ht\n"
        "from hither._libraries.onemkl import fft, lapack\n"
        "assert importlib.util.find_spec('dpctl')\n"
        "a = ht.ones((70, 70), device=sys.argv[1])\n"
        "takes = lambda: (bool(lapack.library_for('inv', (a,))), fft.takes((a,)))\n"
        "assert takes() == (True, True)\n"
        "ht.compat.install(force=True)\n"  # hither's dpctl
        "import dpctl\n"
        "assert takes() == (True, True)\n"
        "ht.compat.uninstall()\n"
        "import dpctl\n"
        "expected = (a.device.device_type != 'cpu',) * 2\n"
        "assert takes() == expected\n"
        "ht.compat.install(force=True)\n"  # threads of dpctl's may be at work still
        "assert takes() == expected\n"
        "assert ht.blas_name(a.device).startswith('oneMKL')\n"
    )
    subprocess.run(
        [sys.executable, "-c", code, filter_string], check=True, timeout=300,
        env=os.environ | {"HITHER_ONEMKL": "1"},
    )  # fmt: skip


def test_without_onemkl_the_host_and_kernels_do_it():
    code = (
        "import hither as ht, numpy as np\n"
        f"a = ht.ones((70, 70), device={DEVICES[0]!r}) + 70 * ht.eye(70, device={DEVICES[0]!r})\n"
        "assert ht.blas_name(a.device) == ''\n"
        "assert float((a @ a)[0, 0]) == 71.0**2 + 69\n"
        "np.testing.assert_allclose(ht.asnumpy(ht.lapack.inv(a) @ a), np.eye(70), atol=1e-12)\n"
        "assert abs(ht.asnumpy(ht.fft.fft(a))[0, 0] - 140) < 1e-9\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
        env=os.environ | {"HITHER_ONEMKL": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    info = subprocess.run(
        [sys.executable, "-m", "hither", "info"], capture_output=True, text=True, timeout=300,
        env=os.environ | {"HITHER_ONEMKL": "0"},
    )  # fmt: skip
    assert 'pip install "hither[onemkl]"' in info.stdout


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_sparse_products_of_many_elements(queue, dtype, index):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    a = scipy_sparse.random_array((900, 700), density=0.2, format="csr", rng=1).astype(dtype)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 2j)
    x = random(2, (701,), dtype)
    parts = [ht.asarray(v.astype(t), queue=queue) for v, t in
             ((a.data, dtype), (a.indices, index), (a.indptr, index))]  # fmt: skip
    whole = ht.asarray(x, queue=queue)
    result = _hither.library_sparse_product(*parts, whole[1:], np.dtype(dtype))
    close(result + 1, a @ x[1:] + 1, dtype)
    few = [parts[0][:9], parts[1][:9], parts[2] * 0]
    assert _hither.library_sparse_product(*few, whole[1:], np.dtype(dtype)) is None
