"""Dask's arrays with hither's arrays as chunks, on the schedulers of one process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from hither._interop import arrivals
from property_tests import examples

dask = pytest.importorskip("dask", reason="Dask is not installed")
da = pytest.importorskip("dask.array", reason="Dask is not installed")

DTYPES = ("bool", "int8", "int32", "uint64", "float32", "float64", "complex64")
# Functions of a Dask or NumPy array of two dimensions, with Dask's or NumPy's module.
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "elements": lambda xp, x: xp.where(x > 1, x * 2 + 1, xp.abs(x)) - x[:1],
    "sum": lambda xp, x: x.sum(axis=0),
    "mean": lambda xp, x: x.mean(axis=1, keepdims=True),
    "spread": lambda xp, x: x.std() + x.var(ddof=0),
    "extremes": lambda xp, x: x.max(axis=0) - x.min(axis=0),
    "places": lambda xp, x: x.argmax(axis=1) + x.argmin(axis=1),
    "scan": lambda xp, x: x.cumsum(axis=0),
    "any": lambda xp, x: (x > 2).any(axis=0) | (x < 5).all(axis=0),
    "product": lambda xp, x: x @ x.T,
    "tensordot": lambda xp, x: xp.tensordot(x, x, axes=((0,), (0,))),
    "einsum": lambda xp, x: xp.einsum("ij,kj->ik", x, x),
    "join": lambda xp, x: xp.concatenate([x, x[::-1], x * 2], axis=0),
    "stack": lambda xp, x: xp.stack([x, x + 1], axis=1),
    "shape": lambda xp, x: x.T.reshape(-1)[::2],
    "take": lambda xp, x: xp.take(x, [1, 0, 1, 1], axis=0),
    "fancy": lambda xp, x: x[[2, 0, 1]][:, ::-1],
    "diagonal": lambda xp, x: xp.diagonal(x) * 2,
    "roll": lambda xp, x: xp.roll(x, 2, axis=1) + xp.pad(x, 1, mode="constant")[1:-1, 1:-1],
    "bins": lambda xp, x: xp.histogram(x, bins=5, range=(0, 9))[0],
    "digitize": lambda xp, x: xp.digitize(x, np.array([1.0, 3.0])),
}
REAL_ONLY = {"extremes", "places", "any", "bins", "digitize", "elements"}


def chunked(host: np.ndarray, chunks: Any, queue: ht.Queue) -> Any:
    return da.from_array(ht.asarray(host, queue=queue), chunks=chunks, asarray=False)


def computed(x: Any, scheduler: str = "threads") -> np.ndarray:
    result = x.compute(scheduler=scheduler)
    assert isinstance(result, ht.Array), type(result)
    return ht.asnumpy(result)


@settings(
    deadline=None,
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    name=st.sampled_from(sorted(FUNCTIONS)),
    dtype=st.sampled_from(DTYPES),
    shape=st.tuples(st.integers(3, 9), st.integers(3, 9)),
    chunks=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    seed=st.integers(0, 2**16),
)
def test_results_are_those_of_numpys_chunks(queue, name, dtype, shape, chunks, seed):
    host = np.random.default_rng(seed).integers(0, 9, shape).astype(dtype)
    if dtype == "bool" or (dtype[0] == "c" and name in REAL_ONLY):
        host = host.astype("float64")
    right = np.asarray(FUNCTIONS[name](da, da.from_array(host, chunks=chunks)).compute())
    got = computed(FUNCTIONS[name](da, chunked(host, chunks, queue)))
    assert (got.shape, got.dtype) == (right.shape, right.dtype)
    rounding = 1e-4 if right.dtype.kind in "fc" else 0
    np.testing.assert_allclose(got, right, rtol=rounding, atol=rounding)


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_chunks_stay_on_their_queue(queue, scheduler):
    x = chunked(np.arange(24.0).reshape(4, 6), (2, 3), queue)
    queues = []
    x.map_blocks(lambda block: queues.append(block.queue) or block, dtype=float).compute(
        scheduler=scheduler
    )
    assert set(queues) >= {queue}
    assert (x + 1).sum().compute(scheduler=scheduler).queue == queue


def test_assignment(queue):
    host = np.arange(30.0).reshape(5, 6)
    x, y = chunked(host, (2, 4), queue), host.copy()
    for array in (x, y):
        array[1:3, ::2] = -1
        array[array > 20] = 0
    np.testing.assert_array_equal(computed(x), y)


@pytest.mark.parametrize("boundary", ["none", "reflect", "periodic", 0.0])
def test_overlapping_chunks(queue, boundary):
    host = np.random.default_rng(0).random((9, 8))

    def smoothed(block):
        return block + ht.roll(block, 1, axis=0) if isinstance(block, ht.Array) else block

    found = da.map_overlap(
        smoothed, chunked(host, (4, 3), queue), depth=1, boundary=boundary, meta=ht.empty((0, 0))
    )
    right = da.map_overlap(
        lambda b: b + np.roll(b, 1, axis=0), da.from_array(host, chunks=(4, 3)), depth=1,
        boundary=boundary, meta=np.empty((0, 0)),
    )  # fmt: skip
    np.testing.assert_allclose(computed(found), right.compute())


def test_linear_algebra(queue):
    host = np.random.default_rng(1).random((12, 4))
    x = chunked(host, (4, 4), queue)
    q, r = da.linalg.qr(x)
    np.testing.assert_allclose(computed(q) @ computed(r), host, atol=1e-12)
    u, s, v = da.linalg.svd(x)
    np.testing.assert_allclose(computed(u) * computed(s) @ computed(v), host, atol=1e-12)
    np.testing.assert_allclose(computed(da.linalg.norm(x)), np.linalg.norm(host))


def test_transforms(queue):
    host = np.random.default_rng(2).random((6, 8))
    x = chunked(host, (2, 8), queue)
    np.testing.assert_allclose(computed(da.fft.fft(x)), np.fft.fft(host), atol=1e-12)
    np.testing.assert_allclose(computed(da.fft.irfft(da.fft.rfft(x))), host, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_systems_of_equations(queue, dtype):
    pytest.importorskip("scipy", reason="SciPy is not installed")
    random = np.random.default_rng(3)
    host = random.random((12, 12)).astype(dtype) + 12 * np.eye(12, dtype=dtype)
    right = random.random((12, 3)).astype(dtype)
    if dtype[0] == "c":
        host, right = host * (1 + 1j), right - 2j
    positive = (host @ host.conj().T).astype(dtype)
    x, b, p = (chunked(n, 4, queue) for n in (host, right, positive))
    close = {"rtol": 1e-3 if dtype == "float32" else 1e-9}
    lower, upper = np.tril(host), np.triu(host)
    solve, inverse = np.linalg.solve, np.linalg.inv
    for found, expected in (
        (da.linalg.solve(x, b), solve(host, right)),
        (da.linalg.solve(p, b, assume_a="pos"), solve(positive, right)),
        (da.linalg.solve_triangular(x, b, lower=True), solve(lower, right)),
        (da.linalg.solve_triangular(x, b[:, 0]), solve(upper, right[:, 0])),
        (da.linalg.inv(x), inverse(host)),
        (da.linalg.cholesky(p, lower=True), np.linalg.cholesky(positive)),
        (da.linalg.lstsq(x.rechunk((4, 12)), b[:, 0])[0], solve(host, right[:, 0])),
    ):
        got = computed(found)
        assert got.dtype == dtype
        np.testing.assert_allclose(got, expected, **close, atol=1e-4)
    factors = da.linalg.lu(x)
    parts = [computed(part) for part in factors]
    assert [part.dtype for part in parts] == [part.dtype for part in factors]
    np.testing.assert_allclose(parts[0] @ parts[1] @ parts[2], host, **close)
    whole = np.arange(16).reshape(4, 4) % 5
    parts = [computed(part) for part in da.linalg.lu(chunked(whole, 2, queue))]
    assert {part.dtype for part in parts} == {np.dtype("float64")}


def test_functions_that_are_replaced_compute_other_chunks_as_before():
    pytest.importorskip("scipy", reason="SciPy is not installed")
    host = np.random.default_rng(4).random((6, 6)) + 6 * np.eye(6)
    x = da.from_array(host, chunks=3)
    p, lower, upper = dask.compute(*da.linalg.lu(x))
    assert isinstance(lower, np.ndarray)
    np.testing.assert_allclose(p @ lower @ upper, host)
    np.testing.assert_allclose(da.linalg.inv(x).compute(), np.linalg.inv(host))
    np.testing.assert_allclose(da.percentile(x[0], 50).compute(), np.sort(host[0])[2:4].mean(), 1)
    for function in (da.linalg.lu, da.linalg.inv, da.percentile):
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("method", ["linear", "nearest", "lower"])
def test_percentiles(queue, method):
    host = np.arange(101.0)
    found = da.percentile(chunked(host, 101, queue), [0, 25, 50, 100], method=method)
    right = np.percentile(host, [0, 25, 50, 100], method=method)
    np.testing.assert_allclose(computed(found), right)
    several = da.percentile(chunked(host, 17, queue), [0, 50, 100], method=method)
    host_chunks = da.percentile(da.from_array(host, chunks=17), [0, 50, 100], method=method)
    result = several.compute()
    assert result.queue.equivalent(queue)
    np.testing.assert_allclose(ht.asnumpy(result), host_chunks.compute())


# -- tasks


def test_a_task_ends_with_its_elements(queue):
    """The kernel of a task runs in the thread of the task, and not in the next one's."""
    x = chunked(np.arange(8.0), 4, queue)
    ht.clear_kernel_history()
    (x * 3 + 1).map_blocks(lambda b: b, dtype=float).persist()
    assert len(ht.kernel_history()) >= 2  # without a read


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_an_error_belongs_to_its_task(queue, scheduler):
    pytest.importorskip("numba", reason="kernels need Numba")

    @ht.kernel
    def fails(a):
        i = ht.get_global_id(0)
        if a[i] > 5:
            raise ValueError("too large")
        a[i] += 1

    def check(block):
        fails(block)
        return block + 1

    seen: list[bool] = []

    def after(block):
        seen.append(True)
        return block

    x = chunked(np.arange(8.0), 8, queue).map_blocks(check, dtype=float)
    with dask.config.set({"optimization.fuse.active": False}):
        blocks = [dask.delayed(after)(b) for b in x.to_delayed().ravel()]
        with pytest.raises(ht.KernelError, match="too large"):
            dask.compute(*blocks, scheduler=scheduler, optimize_graph=False)
    assert seen == []


def test_tasks_of_threads_run_at_once(queue):
    """They wait for their results in their own threads, not in the thread of the scheduler."""
    threads: set[int] = set()
    barrier = threading.Barrier(2, timeout=60)

    def block(b):
        barrier.wait()
        threads.add(threading.get_ident())
        return b + 1

    x = chunked(np.arange(8.0), 4, queue).map_blocks(block, meta=ht.empty(0))
    np.testing.assert_array_equal(
        ht.asnumpy(x.compute(scheduler="threads", num_workers=2)), np.arange(8.0) + 1
    )
    assert len(threads) == 2


# -- tables


def test_size_counts_memory(queue):
    from dask.sizeof import sizeof

    x = ht.zeros((100, 10), queue=queue)
    assert sizeof(x) == 8000
    small = ht.sum(
        ht.ones((1000, 100), queue=queue) + 1, axis=1
    )  # keeps 800 KB while it is pending
    assert sizeof(small) == 8000
    wide = ht.broadcast_to(ht.ones((1, 10), queue=queue), (1000, 10))
    assert sizeof(wide) <= 800


def test_tokens_tell_values_and_places(queue):
    from dask.tokenize import tokenize

    x = ht.asarray([1.0, 2.0], queue=queue)
    assert tokenize(x) == tokenize(ht.asarray([1.0, 2.0], queue=queue))
    assert tokenize(x) != tokenize(ht.asarray([1.0, 3.0], queue=queue))
    assert tokenize(x) != tokenize(ht.asarray([1.0, 2.0], queue=queue, usm_type="shared"))
    assert tokenize(x) != tokenize(ht.asnumpy(x))


@pytest.mark.parametrize("x", [np.arange(12.0).reshape(3, 4), np.asfortranarray(np.ones((3, 2))),
                               np.empty((0, 3), "int8"), np.array(2 + 1j), np.arange(6)[::-2],
                               np.broadcast_to(np.float32(2), (4, 5))])  # fmt: skip
@pytest.mark.parametrize("usm_type", ["device", "shared"])
def test_messages(queue, x, usm_type):
    protocol = pytest.importorskip("distributed.protocol")
    array = ht.asarray(x, queue=queue, usm_type=usm_type)
    header, frames = protocol.serialize(array, on_error="raise")
    assert header["serializer"] == "dask"
    back = protocol.deserialize(header, frames)
    assert isinstance(back, ht.Array) and back.queue == queue and back.usm_type == usm_type
    np.testing.assert_array_equal(ht.asnumpy(back), x)
    assert back.dtype == x.dtype
    back[...] = 1  # is not the memory of the message
    np.testing.assert_array_equal(ht.asnumpy(array), x)


def test_messages_do_not_wait_for_a_task(queue):
    """A worker's queue computes one task while results of others travel."""
    protocol = pytest.importorskip("distributed.protocol")
    x = ht.arange(6, queue=queue)
    ht.synchronize(x)
    begun, gate, backs = threading.Event(), threading.Event(), []

    def task():
        begun.set()
        gate.wait(120)

    def travel():
        begun.wait(120)
        backs.append(protocol.deserialize(*protocol.serialize(x, on_error="raise")))
        backs.append(pickle.loads(pickle.dumps(x)))

    # Some queues run a task of the host in the thread that submits it.
    threads = [threading.Thread(target=lambda: queue.submit_host(task).wait())]
    threads.append(threading.Thread(target=travel))
    arrivals.set_home(queue)
    try:
        for thread in threads:
            thread.start()
        threads[1].join(30)
        assert not threads[1].is_alive(), "the messages wait for the task"
    finally:
        gate.set()
        for thread in threads:
            thread.join()
        arrivals.set_home(None)
    for back in backs:
        assert back.queue == queue
        np.testing.assert_array_equal(ht.asnumpy(back * 2), 2 * np.arange(6))


def test_arrays_of_messages_belong_to_the_workers_queue(queue):
    """The queue that carries their bytes does not matter to later work."""
    if not queue.in_order:
        pytest.skip("compiled functions need a queue in order")

    @ht.compile
    def f(x, y):
        return ht.sqrt(x * x + y)

    x = ht.arange(6.0, queue=queue)
    arrivals.set_home(queue)
    try:
        back = pickle.loads(pickle.dumps(x))
    finally:
        arrivals.set_home(None)
    for operands in ((x, back), (back, x), (back, back)):
        f(*operands)
        assert f.refusal == ""
    np.testing.assert_allclose(ht.asnumpy(f(back, x)), np.sqrt(np.arange(6.0) ** 2 + np.arange(6)))


def test_errors_in_messages():
    core = pytest.importorskip("distributed.core")
    protocol = pytest.importorskip("distributed.protocol")
    for kind in (ht.OutOfMemoryError, ht.KernelError, ht.DeviceError, ht.InvalidTypeError):
        try:
            raise kind("where", "ValueError: why", 3)
        except ht.Error as error:
            back = protocol.pickle.loads(core.error_message(error)["exception"].data)
            assert isinstance(back, kind) and back.args == error.args


ORDERS = ["import hither as ht; import dask.array as da", "import dask.array as da, hither as ht",
          "import dask; import hither as ht; import dask.array as da",
          "import distributed; import hither as ht; import dask.array as da",
          "import hither as ht; import hither.dask; import dask.array as da"]  # fmt: skip


@pytest.mark.either_mode
@pytest.mark.parametrize("imports", ORDERS)
def test_any_order_of_imports(imports):
    code = (
        f"{imports}\n"
        "from dask.array.dispatch import numel_lookup\n"
        "from dask.sizeof import sizeof\n"
        "assert 'hither' in numel_lookup.dispatch(ht.Array).__module__\n"
        "assert 'hither' in sizeof.dispatch(ht.Array).__module__\n"
        "import distributed\n"
        "from distributed.protocol.serialize import dask_serialize\n"
        "assert 'hither' in dask_serialize.dispatch(ht.Array).__module__\n"
        "print(float(da.from_array(ht.ones(6), chunks=2, asarray=False).mean().compute()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "1.0", done.stderr


# -- the backend


def test_created_arrays_have_hithers_chunks():
    import hither.dask  # noqa: F401

    with dask.config.set({"array.backend": "hither"}):
        made = [
            da.ones((4, 4), chunks=2), da.zeros(3, dtype="int8"), da.full((2, 3), 7.0),
            da.arange(1, 9, 2, chunks=2), da.empty((2, 0)),
        ]  # fmt: skip
    right = [np.ones((4, 4)), np.zeros(3, "int8"), np.full((2, 3), 7.0), np.arange(1, 9, 2),
             np.empty((2, 0))]  # fmt: skip
    for found, wanted in zip(made, right, strict=True):
        assert isinstance(found._meta, ht.Array)
        got = computed(found)
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)


def test_chunks_move_between_backends(queue):
    import hither.dask  # noqa: F401

    host = da.from_array(np.arange(10.0), chunks=4)
    x = host.to_backend("hither", queue=queue)
    assert (x + 1).compute().queue == queue
    back = x.to_backend("numpy")
    assert isinstance(back.compute(), np.ndarray)
    np.testing.assert_array_equal(back.compute(), np.arange(10.0))


def test_random_numbers_are_made_on_the_device():
    import hither.dask  # noqa: F401

    with dask.config.set({"array.backend": "hither"}):
        x = da.random.default_rng(3).normal(size=(400, 300), chunks=100)
        y = da.random.RandomState(3).uniform(0, 2, size=1000, chunks=300)
        assert isinstance(x.compute(), ht.Array) and isinstance(y.compute(), ht.Array)
        assert abs(float(x.mean().compute())) < 0.02 and abs(float(x.std().compute()) - 1) < 0.02
        assert 0.8 < float(y.mean().compute()) < 1.2
        again = da.random.default_rng(3).normal(size=(400, 300), chunks=100)
        np.testing.assert_array_equal(computed(x), computed(again))
