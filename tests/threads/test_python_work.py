"""Waits release the GIL while Python host tasks are pending; otherwise they would deadlock."""

from __future__ import annotations

import subprocess
import sys

# A host task of Python occupies the queue until a timer opens its gate; the call has to wait
# for it.
PROGRAM = """
import sys, threading, time
import hither as ht

queue = ht.Queue(sys.argv[1])
x = ht.asarray([[3.0, 1.0], [2.0, 4.0]], queue=queue)
index = ht.asarray([[0, 1], [1, 0]], queue=queue)
memory = ht.MemoryUSMShared(32, queue=queue)
escaped = ht.reshape(ht.asarray(memory, copy=False, dtype=None), (32,))
profiled = ht.Queue(sys.argv[1], in_order=False, enable_profiling=True)
ht.synchronize(x, index)

complex_ones = ht.ones(4, dtype="complex64", queue=queue)

def trim_and_drop():  # the pool's lock is not held by who waits
    dropped = escaped + 1
    ht.evaluate(dropped)
    del dropped
    trimming = threading.Thread(target=ht.trim_pools, args=(queue.context,))
    trimming.start()
    time.sleep(0.02)
    for _ in range(3):
        ht.evaluate(ht.ones(4, queue=queue))
    trimming.join()

def waits_for_python(call):
    print(call, flush=True)
    started, gate = threading.Event(), threading.Event()

    def task():
        started.set()
        gate.wait()

    if call == "times":
        event = profiled.submit_host(task)
        threading.Timer(0.05, gate.set).start()
        assert event.profiling_end >= event.profiling_start >= event.profiling_submit
        return
    other = threading.Thread(target=queue.submit_host, args=(task,))
    other.start()
    started.wait()
    threading.Timer(0.05, gate.set).start()
    eval(call)
    other.join()

for call in sys.argv[2:]:
    waits_for_python(call)
"""

CALLS = [
    "times",
    "ht.take(x, index, axis=0)",
    "ht.take_along_axis(x, index)",
    "ht.repeat(x, index[0], axis=0)",
    "ht.concat([x, x])",
    "ht.stack([x, x])",
    "ht.roll(x, 1, 0)",
    "escaped + 1",
    "-escaped",
    "ht.add(escaped, escaped)",
    "ht.sum(escaped)",
    "ht.matmul(escaped, escaped)",
    "ht.copy(escaped)",
    "ht.astype(escaped, 'float32')",
    "2.0 in x",
    "x[x[:, 0] > 0, index[0]]",
    "ht.searchsorted(escaped, escaped)",
    "ht.cumulative_sum(escaped)",
    "ht.diff(escaped)",
    "ht.from_dlpack(escaped, copy=True)",
    "escaped.__dlpack__(copy=True)",
    "escaped.imag",
    "complex_ones.real.__sycl_usm_array_interface__",
    "memory.tobytes()",
    "queue.copy(memory, bytes(32)).wait()",
    "ht.explain(escaped + 1)",
    "x.to_device(profiled)",
    "trim_and_drop()",
]


def test_waiting_calls_let_python_work_run(device):
    """One process makes all calls. The last one that it prints is the one that did not end."""
    program = [sys.executable, "-c", PROGRAM, device.filter_string, *CALLS]
    subprocess.run(program, timeout=120, check=True)
