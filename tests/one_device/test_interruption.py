"""Ctrl-C while a kernel runs that does not end, or only after hours, and in waits for devices."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from devices import DEVICES

pytestmark = pytest.mark.either_mode

_START = """
import os, signal, threading, time
import numpy as np
import hither as ht

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it

@ht.kernel
def endless(x, last):
    i = ht.get_global_id(0)
    while x[i] < last:
        x[i] *= 1.0
    x[i] += 1

@ht.kernel
def until_told(told, begun):
    ht.atomic.exch(begun, 0, 1.0)
    while ht.atomic.load(told, 0) == 0.0:
        pass

def pause(seconds):
    # In parts: a process that was stopped meanwhile still gives its other threads their time.
    for _ in range(20):
        time.sleep(seconds / 20)

def wait_for_begin_of_kernel(memory):
    while memory[0] == 0.0:
        time.sleep(0.001)

def interrupt_later(seconds=0.5):
    signals = lambda: (pause(seconds), os.kill(os.getpid(), signal.SIGINT))
    threading.Thread(target=signals).start()

def check_is_interrupted(work, seconds=0.5):
    try:
        interrupt_later(seconds)
        work()
        time.sleep(10)  # where KeyboardInterrupt comes at the latest
    except KeyboardInterrupt:
        return
    raise SystemExit("no KeyboardInterrupt")

def check_has_ended(read):
    try:
        read()
    except ht.KernelError as error:
        assert "Ctrl-C" in str(error) and isinstance(error, KeyboardInterrupt)
    else:
        raise SystemExit("the kernel was not ended")

def check_all_is_well(queue):
    x = ht.zeros(8, queue=queue)
    endless[8](x, 0.0)
    assert ht.asnumpy(x).tolist() == [1.0] * 8
"""
_INTERRUPTED = """
queue = ht.Queue("native_cpu", in_order={in_order})
check_all_is_well(queue)
x = ht.ones({n}, queue=queue)
ht.launch(endless, {n}, x, 0.0).wait()  # compiled
for _ in range({times}):
    x = ht.zeros({n}, queue=queue)
    ht.synchronize(x)
    check_is_interrupted(lambda: ht.launch(endless, {n}, x, 5.0).wait())
    check_has_ended(lambda: ht.asnumpy(x))
    check_all_is_well(queue)
"""


def run(script: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", _START + script], env={**os.environ, **variables},
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("n", "in_order", "times"),
    [(1, True, 3), (200_000, True, 2), (1, False, 2), (200_000, False, 1)],
)
def test_ctrl_c_ends_an_endless_kernel(n, in_order, times):
    done = run(_INTERRUPTED.format(n=n, in_order=in_order, times=times))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "wait",
    [
        "queue.wait()",
        "ht.asarray(np.arange(3.0), queue=queue)",
        "ht.asarray([1.0, 2.0], queue=queue)",
        "float(ht.sum(small + 1))",
        "ht.copy(exported)",
        "small[1:].__setitem__(0, exported)",
        "ht.asnumpy(small * 2)",
        "small.tolist(), (small @ small).tolist()",
    ],
)
def test_ctrl_c_ends_a_wait_for_another_threads_kernel(wait):
    # The thread that sends the signal needs the GIL, which the main thread must not hold while it
    # waits, even if what it has to do is short.
    done = run(f"""
queue = ht.Queue("native_cpu")
check_all_is_well(queue)
told, begun = ht.zeros(1, queue=queue), ht.zeros(1, queue=queue)
small, exported = ht.ones(3, queue=queue), ht.ones(1, queue=queue)
view, memory = np.asarray(exported), np.asarray(begun)
ht.synchronize(small, told)
{wait}  # compiles; Ctrl-C during a compilation does not end a wait after it
launching = threading.Thread(target=lambda: until_told[1](told, begun))
launching.start()
wait_for_begin_of_kernel(memory)
interrupt_later()
try:
    {wait}
    time.sleep(10)
except (KeyboardInterrupt, ht.KernelError):
    pass
launching.join()
check_all_is_well(queue)
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("in_order", [True, False])
def test_ctrl_c_ends_array_operations(in_order):
    # Without an end they would take hours.
    done = run(f"""
queue = ht.Queue("native_cpu", in_order={in_order})
check_all_is_well(queue)
n = 2_000_000
x, into = ht.linspace(0, 1, n, queue=queue), ht.zeros((), queue=queue)
ht.synchronize(x)  # else x would be what is interrupted
for number, seconds in enumerate((0.05, 0.1, 0.2, 0.4, 0.8)):
    function = (ht.sin, ht.cos, ht.tanh, ht.sinh, ht.exp)[number]  # each has to be compiled
    y = ht.sum(function(x[:, None] * ht.exp(-x)))
    check_is_interrupted(lambda: (into.__setitem__(..., y), ht.synchronize(into)), seconds)
    check_all_is_well(queue)
    assert float(ht.max(x)) == 1.0
check_has_ended(lambda: float(y))
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_ctrl_c_counts_for_all_that_a_wait_of_a_queue_runs():
    """The kernel that runs when Ctrl-C comes, and the ones after it."""
    done = run("""
@ht.kernel
def long(x):
    i = ht.get_global_id(0)
    for k in range(20_000):
        x[i] = x[i] * 0.5 + 1.0
queue = ht.Queue("native_cpu", in_order=False)
check_all_is_well(queue)
xs = [ht.zeros(300_000, queue=queue) for _ in range(1 + queue.device.max_compute_units)]
x = ht.zeros(1, queue=queue)
for y in xs:
    ht.synchronize(y)
    long[y.size](y)
ht.synchronize(x)
endless[1](x, 5.0)
check_is_interrupted(queue.wait, 0.3)
check_has_ended(lambda: ht.asnumpy(x))
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_ctrl_c_counts_during_a_compilation():
    # The signals come at all fractions of the time that such a compilation takes here, and again
    # until one was seen to stop it.
    done = run("""
queue = ht.Queue("native_cpu")
check_all_is_well(queue)

def chain(seed):
    y = ht.ones(3, queue=queue)
    ht.synchronize(y)
    for step in np.random.default_rng(seed).integers(0, 4, 60):
        y = (ht.sin, ht.cos, ht.tanh, ht.exp)[step](y) + float(step)
    return y

first, start = chain(0), time.perf_counter()
ht.synchronize(first)
duration, refused = time.perf_counter() - start, 0
for attempt in range(1, 121):
    y = chain(attempt)
    check_is_interrupted(lambda: ht.synchronize(y), duration * (attempt % 12) / 12)
    try:
        ht.asnumpy(y)
    except ht.KernelError as error:
        refused += "before the kernel was launched" in str(error)
    check_all_is_well(queue)
    if refused and attempt >= 12:
        break
print(refused > 0)
""", HITHER_DISK_CACHE="0")  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_handlers_of_other_libraries_are_chained():
    # faulthandler's restores the one that it found and raises the signal again, as LLVM's does.
    # It would crash if it printed a thread that is just ending.
    done = run("""
import faulthandler
queue = ht.Queue("native_cpu")
check_all_is_well(queue)
for _ in range(3):
    x = ht.zeros(1, queue=queue)
    nothing = open(os.devnull, "w")
    faulthandler.register(signal.SIGINT, file=nothing, chain=True, all_threads=False)
    check_is_interrupted(lambda: endless[1](x, 5.0))
    check_all_is_well(queue)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_handler_of_the_programs_own_lets_the_kernel_go_on():
    done = run("""
caught = []
signal.signal(signal.SIGINT, lambda *_: caught.append(1))

queue = ht.Queue("native_cpu")
told, begun = ht.zeros(1, queue=queue), ht.zeros(1, queue=queue)
of_told, of_begun = np.asarray(told), np.asarray(begun)

def interrupt_and_tell():
    wait_for_begin_of_kernel(of_begun)
    os.kill(os.getpid(), signal.SIGINT)
    pause(0.3)  # in which the kernel would be ended
    of_told[0] = 1.0

threading.Thread(target=interrupt_and_tell).start()
until_told[1](told, begun)
ht.synchronize(begun)  # would raise the kernel's error
assert of_told[0] == 1.0
while not caught:
    time.sleep(0.01)
""")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_forked_child_can_be_interrupted_too():
    done = run("""
queue = ht.Queue("native_cpu")
check_all_is_well(queue)
child = os.fork()
x = ht.zeros(1, queue=queue)
interrupt_later()
try:
    endless[1](x, 5.0)
    time.sleep(10)
except KeyboardInterrupt:
    if child == 0:
        os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
""")
    assert done.returncode == 0, done.stderr


def test_a_child_forked_right_after_a_long_wait_can_be_interrupted():
    done = run("""
@ht.kernel
def long(x):
    for k in range(300_000_000):
        x[0] = x[0] * 0.5 + 1.0

queue = ht.Queue("native_cpu")
check_all_is_well(queue)
x = ht.zeros(1, queue=queue)
long[1](x)
child = os.fork()  # hither's handler of SIGINT is still installed
interrupt_later()
try:
    endless[1](x, 5.0)
    time.sleep(10)
except KeyboardInterrupt:
    if child == 0:
        os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("device", [d for d in DEVICES if ":gpu:" in d])
def test_ctrl_c_ends_the_wait_for_a_kernel_that_goes_on(device, in_order):
    done = run(f"""
@ht.kernel
def long(x, n):
    for k in range(n):
        x[0] = x[0] * 0.5 + 1.0

queue = ht.Queue("{device}", in_order={in_order})
x, large, n = ht.zeros(1, queue=queue), ht.zeros(100_000, queue=queue), 1000

@ht.kernel
def writes(large, x):
    large[ht.get_global_id(0)] = x[0]

def launch():
    return ht.launch(long, 1, x, n)

writes[1](large, x)
ht.asnumpy(x), x.item(), launch().wait()  # compiled
taken = 0.0
while taken < 2:
    n *= 4
    start = time.perf_counter()
    launch().wait()
    taken = time.perf_counter() - start

def wait_for_large():
    writes[100_000](large, x)
    ht.asnumpy(large)

ready = ht.ones(100_000, queue=queue)
ht.synchronize(ready)
waits = [queue.wait, lambda: event.wait(), lambda: ht.synchronize(x), lambda: x.item(),
         lambda: ht.asnumpy(x), lambda: print(x), wait_for_large]
if queue.in_order:
    waits.append(lambda: ht.asnumpy(ready))  # its copy is after the kernel
for number, wait in enumerate(waits):
    event = launch()
    check_is_interrupted(wait, 0.2)
    if event.is_complete:
        raise SystemExit(f"wait {{number}} lasted as long as the kernel")
    assert abs(x.item() - 2) < 1e-9 and event.is_complete
assert ht.asnumpy(large).tolist() == [2.0] * 100_000
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
