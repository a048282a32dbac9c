"""The interpreter ends while daemon threads are inside hither: the process ends normally."""

from __future__ import annotations

import subprocess
import sys

import pytest

from devices import DEVICES


def ends_in_peace(program: str, timeout: float = 120) -> str:
    """The output of the program, which must exit with 0 and an empty stderr."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


WORK = {
    "expressions": "x = ht.ones(100000)\n    ht.evaluate(x * 1.00001 + 1)",
    "kernels": "k(shared)",
    "reads": "float(ht.sum(ht.sin(shared) * 2))",
    "copies": "queue.copy(target, source)",
    "host tasks": "queue.submit_host(lambda: None).wait()",
    "waits": "queue.submit_barrier(); queue.wait()",
}
PROGRAM = """
import threading, time
import hither as ht

@ht.kernel
def k(x):
    x[ht.get_global_id(0)] += 1

queue = ht.Queue("cpu", in_order={in_order})
shared = ht.zeros(100000, queue=queue)
source, target = (ht.MemoryUSMShared(1 << 16, queue=queue) for _ in range(2))
running = threading.Semaphore(0)

def once():
    {work}

def work():
    once()
    running.release()
    while True:
        once()

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
for _ in range(2):
    running.acquire()
time.sleep(0.05)
print("main ends")
"""


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("name", WORK)
def test_daemon_threads_inside_hither_do_not_abort(name, in_order):
    program = PROGRAM.format(work=WORK[name], in_order=in_order)
    assert ends_in_peace(program) == "main ends\n"


def test_daemon_threads_that_compile_do_not_abort():
    program = """
import threading
import hither as ht

started = threading.Event()

def work():
    x = ht.zeros(10)
    while True:
        @ht.kernel
        def k(x):
            x[ht.get_global_id(0)] += 1
        started.set()
        k(x)

threading.Thread(target=work, daemon=True).start()
started.wait()
print("main ends")
"""
    assert ends_in_peace(program) == "main ends\n"


COMPILES = """
import random, threading, time
import numpy as np
import hither as ht

x = ht.asarray(np.linspace(0, 1, 100))
compiled = threading.Event()

def work(seed):
    choose = random.Random(seed)
    while True:
        y = x
        for _ in range(choose.randrange(1, 9)):
            y = getattr(ht, choose.choice(["sin", "exp", "sqrt", "tanh", "log1p"]))(y) * x + y
        ht.asnumpy(y)
        compiled.set()

for seed in range(3):
    threading.Thread(target=work, args=(seed,), daemon=True).start()
compiled.wait()
time.sleep({wait})
"""


# LLVM's options are static objects. Exit destroyed them while threads compiled: one process of
# eight ended by a segmentation fault.
@pytest.mark.parametrize("wait", [0.02, 0.05, 0.08, 0.11, 0.14, 0.17])
def test_exit_waits_for_threads_in_llvm(wait, monkeypatch):
    monkeypatch.setenv("HITHER_DISK_CACHE", "0")
    ends_in_peace(COMPILES.format(wait=wait))


OPENCL = [name for name in DEVICES if name.startswith("opencl:")]
needs_opencl = pytest.mark.skipif(not OPENCL, reason="no OpenCL device that runs kernels")
# A build takes a tenth of a second or more, all of it in OpenCL's compiler.
BUILDS = """
import threading, time
{first}
import hither as ht

queue = ht.Queue("{device}")
ht.sycl.Program("__kernel void f() {{}}", queue=queue)
lines = "".join(f"x[{{i}}] = sin(x[{{7 * i}}] / {{i + 1}});" for i in range(60))
started = threading.Event()

def build(number):
    while True:
        number += 1
        started.set()
        code = f"__kernel void f(__global float* x) {{{{ x[0] += {{number}}; {{lines}} }}}}"
        ht.sycl.Program(code, queue=queue)

for thread in range(2):
    threading.Thread(target=build, args=(1000 * thread,), daemon=True).start()
started.wait()
time.sleep({wait})
"""


@needs_opencl
@pytest.mark.parametrize("first", ["", "import numba"])
@pytest.mark.parametrize("wait", [0, 0.05, 0.2])
def test_daemon_threads_inside_opencls_compiler_do_not_abort(first, wait):
    program = BUILDS.format(first=first, device=OPENCL[0], wait=wait) + "print('main ends')\n"
    assert ends_in_peace(program) == "main ends\n"


@needs_opencl
@pytest.mark.parametrize("name", WORK)
def test_daemon_threads_inside_opencl_do_not_abort(name):
    program = PROGRAM.format(work=WORK[name], in_order=False).replace('"cpu"', f'"{OPENCL[0]}"')
    assert ends_in_peace(program) == "main ends\n"


def test_a_host_task_may_outlive_the_interpreter():
    program = (
        "import time, hither as ht\n"
        "q = ht.Queue('cpu', in_order=False)\n"
        "q.submit_host(lambda: time.sleep(0.3))\n"
        "q.submit_host(lambda: None)\n"
        "print('main ends')\n"
    )
    assert ends_in_peace(program, 60) == "main ends\n"


def test_arrays_print_themselves_when_nothing_can_be_imported_any_more():
    program = (
        "import hither as ht\n"
        "class Last:\n"
        "    def __init__(self): self.x = ht.arange(3); self.printer = print\n"
        "    def __del__(self): self.printer(self.x, repr(self.x), float(self.x[1]))\n"
        "last = Last()\n"
        "last.me = last\n"
    )
    assert ends_in_peace(program, 60) == "[0 1 2] Array([0, 1, 2]) 1.0\n"
