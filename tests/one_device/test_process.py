"""Forks, exits with pending work, and environment variables."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PREAMBLE = "import os, sys, threading, numpy as np, hither as ht\n"


def run(code, timeout=120, **environment):
    """The output of a program in its own process, which must exit with 0 and an empty stderr.

    On the CPU: a forked child has no use of a GPU that its parent used.
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PREAMBLE + code],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, "HITHER_DEVICE": "native_cpu:cpu:0", **environment},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


FORK = """
x = ht.asarray(np.arange(1_000_000.0))
assert float(ht.sum(x)) == 499999500000.0   # the workers have started
pending = ht.sqrt(x) * ht.sqrt(x)
@ht.kernel
def triple(a):
    a[ht.get_global_id(0)] *= 3
triple(x); triple(x)
pid = os.fork()
if pid == 0:
    ok = np.allclose(ht.asnumpy(pending), np.arange(1e6))
    ok = ok and float(ht.sum(ht.ones(5_000_000) * 2)) == 1e7
    triple(x)
    ok = ok and float(x[1]) == 27.0
    q = ht.Queue("cpu", in_order=False)
    ok = ok and float(ht.sum(ht.ones(1000, queue=q))) == 1000
    os._exit(0 if ok else 1)
status = os.waitpid(pid, 0)[1]
print(status, float(x[1]), float(ht.sum(pending)) > 0)
"""


def test_a_forked_child_goes_on_computing():
    pytest.importorskip("numba")
    assert run(FORK) == "0 9.0 True"


def test_the_first_kernel_of_a_process_knows_every_function():
    pytest.importorskip("numba")
    code = """
@ht.kernel
def add(x):
    ht.atomic.add(x, 0, 1)
x = ht.zeros(1)
add[5](x)
print(float(x[0]))
"""
    assert run(code) == "5.0"


def test_children_forked_while_other_threads_compute():
    """fork() waits until the other threads have left hither, so that no lock stays locked."""
    code = """
q = ht.Queue("cpu")
host = np.arange(300_000.0)
x = ht.asarray(host, queue=q)
def compute(work):
    while True:
        work()
def failing():
    try:
        ht.ones(3, queue=q) + ht.ones(2, queue=q)
    except ValueError:
        pass
for work in (lambda: ht.asnumpy(ht.asarray(host, queue=q) * 2), lambda: float(ht.sum(x)), failing,
             lambda: ht.asnumpy(ht.sort(ht.asarray(host[::-1], queue=q)))):
    threading.Thread(target=compute, args=(work,), daemon=True).start()
for _ in range(25):
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        os._exit(not (np.array_equal(ht.asnumpy(x + 1), host + 1) and float(ht.sum(x)) > 0))
    assert os.waitpid(pid, 0)[1] == 0
print("ok", flush=True)
os._exit(0)
"""
    assert run("import signal" + code) == "ok"


def test_fork_does_not_wait_for_an_endless_kernel():
    pytest.importorskip("numba")
    code = """
import time
@ht.kernel
def endless(a):
    a[1] = 2.0
    while a[0] >= 0.0:
        a[0] *= 1.0
a = ht.ones(2)
memory = np.from_dlpack(a)
threading.Thread(target=lambda: endless[1](a), daemon=True).start()
while memory[1] != 2.0:
    time.sleep(0.001)
begun = time.monotonic()
pid = os.fork()
if pid == 0:
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
assert time.monotonic() - begun < 20
print("ok", flush=True)
os._exit(0)
"""
    assert run(code) == "ok"


def test_fork_while_tasks_run_on_other_threads():
    """The child gets the results of short ones, and errors of long ones."""
    code = """
import time
q = ht.Queue("cpu", in_order=False)
x = ht.arange(1000.0, queue=q)
x.synchronize()
def start(seconds):
    begun = threading.Event()
    def work():
        begun.set()
        time.sleep(seconds)
    event = q.submit_host(work)
    begun.wait()
    return event
for seconds, error in ((0.5, "None"), (30, "DeviceError")):
    event = start(seconds)
    pid = os.fork()
    if pid == 0:
        signal.alarm(25)
        found = "None"
        for _ in range(2):
            try:
                event.wait()
            except ht.Error as caught:
                assert "wait for the queue before fork()" in str(caught)
                found = type(caught).__name__
        os._exit(not (found == error and float(ht.sum(x)) == 499500))
    assert os.waitpid(pid, 0)[1] == 0, seconds
print("ok", flush=True)
os._exit(0)
"""
    assert run("import signal" + code) == "ok"


def test_fork_in_a_host_task_does_not_wait_for_itself():
    # Out of order, another thread may run the task. The one that waits for it then holds up the
    # fork for two seconds. In order, nothing does: the fork is quick, if not at the first attempt
    # on a machine that has other work.
    code = """
import time
for in_order, longest in ((True, 1.5), (False, 20)):
    taken = []
    def fork():
        begun = time.monotonic()
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
        taken.append(time.monotonic() - begun)
    queue = ht.Queue("cpu", in_order=in_order)
    while len(taken) < 5 and min(taken, default=longest) >= longest:
        queue.submit_host(fork).wait()
    print(min(taken) < longest, flush=True)
"""
    assert run(code) == "True\nTrue"


def test_worker_processes_by_fork():
    code = """
import multiprocessing
x = ht.asarray(np.arange(100_000.0))
ht.synchronize(x * 2)
def total(i):
    return float(ht.sum(x * i))
with multiprocessing.get_context("fork").Pool(3) as pool:
    print(pool.map(total, range(3)))
"""
    assert run(code) == "[0.0, 4999950000.0, 9999900000.0]"


def test_the_process_ends_with_work_pending():
    code = """
q = ht.Queue("cpu", in_order=False)
big = [ht.ones(3_000_000, queue=q) for _ in range(4)]
for _ in range(5):
    big = [ht.sqrt(x + 1) for x in big]
ht.evaluate(*big)
never = ht.ones(1000) + 1
print("left")
"""
    assert run(code) == "left"


def test_threads_that_compute_do_not_hold_up_the_end():
    code = """
def work():
    x = ht.ones(1000)
    while True:
        x = x * 1.0
        ht.synchronize(x)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
import time
time.sleep(0.2)
print("left")
"""
    assert run(code) == "left"


def test_arrays_of_globals_and_cycles_live_to_the_end():
    code = """
class Holder: pass
h = Holder(); h.self = h; h.x = ht.ones(1000) + 1
ht._kept = ht.ones(10) + 1
sys._kept = ht.zeros(3)
import ctypes  # an extension that keeps a reference for ever
ctypes.pythonapi.Py_IncRef(ctypes.py_object(ht.Device()))
print("left")
"""
    assert run(code) == "left"


def test_the_pool_keeps_no_more_than_its_limit():
    code = """
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")
ht.synchronize(ht.ones(1 << 20, dtype=ht.uint8))  # compiled before anything is measured
before = resident()
for n in (32, 64, 96, 128):
    x = ht.ones(n << 20, dtype=ht.uint8); ht.synchronize(x); del x
ht.synchronize(ht.ones(10))
print((resident() - before) >> 20)
"""
    assert int(run(code, HITHER_POOL_LIMIT="0")) < 32
    assert int(run(code, HITHER_POOL_LIMIT=str(1 << 30))) >= 128


def test_device_memory_out_of_reach():
    code = """
x = ht.asarray([1.0, 2.0])
for f in (lambda: np.asarray(x), lambda: memoryview(ht.MemoryUSMDevice(8))):
    try: f()
    except Exception as e: print(type(e).__name__, end=" ")
print(ht.asnumpy(x * 2), np.asarray(ht.asarray([3.0], usm_type="shared")))
"""
    words = run(code, HITHER_STRICT_USM="1").split(" ", 2)
    assert all(word.endswith("Error") for word in words[:2])
    assert words[2] == "[2. 4.] [3.]"
