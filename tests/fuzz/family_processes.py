"""Random small scripts, each in its own process: forks, spawned workers, threads, pending work at
exit, signals, and exhausted memory.

One script in ten has a new interpreter. The others are forks of an interpreter that has imported
hither, which is several times faster.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from . import scripts
from .difference import Difference
from .program_shrink import changed

Program = dict[str, Any]
DEVICES = True
_SECONDS = 240
HANG_SECONDS = _SECONDS + 60  # a script that does not end is reported with its text

_HEAD = """
import atexit, contextlib, multiprocessing, os, signal, sys, threading, time
import numpy as np
import hither as ht

queue = ht.Queue(os.environ["HITHER_DEVICE"], in_order={in_order})
n = {n}
host = np.arange(n, dtype=np.float64)
x = ht.asarray(host, queue=queue)
kept = []
"""
_KERNEL = """
@ht.kernel
def triple(a):
    a[ht.get_global_id(0)] *= 3.0

def long(a):
    i = ht.get_global_id(0)
    for k in range(20_000):
        a[i] = a[i] * 0.5 + 1.0
long = ht.kernel(long)
"""
# The actions of scripts. Each leaves x unchanged.
_ACTIONS = {
    "pending": "kept.append(ht.sqrt(x) * 2 + x)",
    "read": "assert np.array_equal(ht.asnumpy(x * 2 + 1), host * 2 + 1)",
    "sum": "assert float(ht.sum(x)) == host.sum()",
    "evaluate": "ht.evaluate(x * 3)",
    "launch": "kept.append(x + 0); ht.evaluate(kept[-1]); triple[n](kept[-1])",
    "launch and read": "y = x + 0; triple[n](y); assert np.array_equal(ht.asnumpy(y), host * 3)",
    "long launch": "kept.append(x + 0); ht.evaluate(kept[-1]); long[n](kept[-1])",
    "host task": "kept.append(queue.submit_host(lambda: time.sleep(0.01)))",
    "failing kernel": """
y = x + 0
try:
    failing[n](y)
    ht.asnumpy(y)
except ht.KernelError as error:
    assert "intended" in str(error)
else:
    assert n == 0
try:
    queue.wait()
except ht.KernelError:
    pass
""",
    "cycle": "cycle = [x * 5]; cycle.append(cycle)",
    "other queue": "kept.append(ht.ones(100, queue=ht.Queue(queue.device, in_order=False)) + 1)",
    "sub-device": """
if queue.device.filter_string.startswith("native_cpu") and queue.device.max_compute_units > 1:
    part = queue.device.create_sub_devices(partition=[1])[0]
    assert float(ht.sum(ht.ones(1000, device=part))) == 1000
""",
    "thread": """
def compute():
    assert float(ht.sum(ht.asarray(host, queue=queue) + 1)) == host.sum() + n
thread = threading.Thread(target=compute)
thread.start()
thread.join()
""",
    "daemon": """
def for_ever():
    while True:
        with contextlib.suppress(MemoryError):  # of "memory"
            ht.asnumpy(ht.asarray(host, queue=queue) * 2)
threading.Thread(target=for_ever, daemon=True).start()
""",
    "at exit": "atexit.register(lambda: ht.asnumpy(x + 1))",
    "fork": """
child = os.fork()
if child == 0:
    ok = np.array_equal(ht.asnumpy(x + 1), host + 1) and float(ht.sum(ht.ones(5000) * 2)) == 1e4
    os._exit(0 if ok else 9)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
""",
    "forked pool": """
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(summed, [10, 1000]) == [45.0, 499500.0]
""",
    "spawned pool": """
with multiprocessing.get_context("spawn").Pool(1) as pool:
    assert pool.map(summed, [10, 1000]) == [45.0, 499500.0]
""",
    "pickle": """
import pickle
assert np.array_equal(ht.asnumpy(pickle.loads(pickle.dumps(x))), host)
""",
    "handler": """
seen = []
signal.signal(signal.SIGUSR1, lambda *_: seen.append(float(ht.sum(x))))
os.kill(os.getpid(), signal.SIGUSR1)
while not seen:
    time.sleep(0.001)
assert seen == [host.sum()]
""",
    "trim": "ht.asnumpy(x * 7); ht.trim_pools(queue.context)",
    "memory": """
import resource
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limits = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000, limits[1]))
held = []
try:
    for _ in range(100):
        held.append(ht.ones(1_000_000 * 2, queue=queue) + len(held))
        ht.synchronize(held[-1])
except MemoryError as error:
    held.clear()
    resource.setrlimit(resource.RLIMIT_AS, limits)
    # A small allocation that fails next to the arrays has no size.
    assert any(c.isdigit() for c in str(error)) or "bad_alloc" in str(error), str(error)
else:
    raise AssertionError("1.6 GB where 300 MB are left")
del held
resource.setrlimit(resource.RLIMIT_AS, limits)
assert float(ht.sum(ht.ones(1000, queue=queue))) == 1000
""",
}  # fmt: skip
# How scripts end: the statement, the exit code, and the end of stderr.
_ENDS: dict[str, tuple[str, int, str]] = {
    "falls off": ("", 0, ""),
    "exit 3": ("sys.exit(3)", 3, ""),
    "_exit 5": ("os._exit(5)", 5, ""),
    "raises": ("raise ValueError('intended')", 1, "ValueError: intended"),
    "terminated": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)", -signal.SIGTERM, ""),
    "interrupted": ("os.kill(os.getpid(), signal.SIGINT); time.sleep(60)", -signal.SIGINT,
                    "KeyboardInterrupt"),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL); time.sleep(60)", -signal.SIGKILL, ""),
    "interrupted kernel": ("""
@ht.kernel
def endless(a, begun):
    ht.atomic.exch(begun, 0, a[0] + 1.0)
    while a[0] >= 0.0:
        a[0] *= 1.0
y, begun = ht.full(1, -1.0, queue=queue), ht.zeros(1, queue=queue)
endless[1](y, begun)
y += 1.0
ht.synchronize(y, begun)
memory = np.asarray(begun)
def interrupt():
    while memory[0] == 0.0:  # other work of the queue may come first
        time.sleep(0.001)
    for _ in range(20):
        time.sleep(0.015)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    endless[1](y, begun)
    queue.wait()  # an out-of-order queue returns from the launch
except KeyboardInterrupt:
    pass
try:
    ht.asnumpy(y)
except ht.KernelError:
    sys.exit(4)
""", 4, ""),
}  # fmt: skip
_NEEDS_KERNELS = {"launch", "launch and read", "long launch", "failing kernel"}
_CPU_ONLY = {"fork", "forked pool", "memory", "sub-device", "interrupted kernel"}
_MODULE = """
def summed(n):
    import hither
    return float(hither.sum(hither.arange(n, dtype=hither.float64)))
"""
_FAILING = """
@ht.kernel
def failing(a):
    assert a[ht.get_global_id(0)] < 0, "intended"
    a[0] = 1.0
"""
FEATURES = frozenset(
    [f"action:{name}" for name in _ACTIONS]
    + [f"end:{name}" for name in _ENDS]
    + ["interpreter:new", "interpreter:forked"]
)


def make(rng: random.Random, device: str) -> Program:
    def possible(names: Iterable[str]) -> list[str]:
        return [n for n in names if device.startswith("native_cpu") or n not in _CPU_ONLY]

    actions = [rng.choice(possible(_ACTIONS)) for _ in range(rng.randint(1, 5))]
    ends = possible(_ENDS)
    return {
        "actions": actions, "end": rng.choice(ends), "n": rng.choice((1, 100, 5000, 300_000)),
        "in_order": rng.random() < 0.7, "eager": rng.random() < 0.2, "new": rng.random() < 0.1,
    }  # fmt: skip


def _source(program: Program) -> str:
    actions = program["actions"]
    parts = [_HEAD.format(n=program["n"], in_order=program["in_order"])]
    if _NEEDS_KERNELS & set(actions):
        parts.append(_KERNEL + _FAILING)
    parts.append("from fuzzed_worker import summed\nif __name__ == '__main__':")
    ending, _, _ = _ENDS[program["end"]]
    body = "\n".join([*(_ACTIONS[name].strip() for name in actions), "print('done', flush=True)",
                      ending.strip()])  # fmt: skip
    parts += ["    " + line for line in body.splitlines()]
    return "\n".join(parts) + "\n"


def _uses_kernels(program: Program) -> bool:
    return program["end"] == "interrupted kernel" or bool(_NEEDS_KERNELS & set(program["actions"]))


def run(program: Program, device: str) -> None:
    _ending, code, last = _ENDS[program["end"]]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "fuzzed.py"
        script.write_text(_source(program))
        (Path(folder) / "fuzzed_worker.py").write_text(_MODULE)
        variables = {
            "HITHER_DEVICE": device, "HITHER_EAGER": str(int(program["eager"])),
            # The first write of a process reads the whole folder, which is large at developers'.
            "HITHER_CACHE_DIR": f"{tempfile.gettempdir()}/hither-fuzz-processes-{os.getuid()}",
            "HITHER_CACHE_SIZE": "30000000",
        }  # fmt: skip
        try:
            if program["new"]:
                done = scripts.run_new(script, variables, _SECONDS)
            else:
                kernels = _uses_kernels(program)
                done = scripts.run_forked(script, variables, _SECONDS, kernels=kernels)
        except subprocess.TimeoutExpired as error:
            raise Difference(
                f"the script does not end\n{error.stderr!r}\n{_source(program)}"
            ) from None
    stderr = done.stderr.strip()
    ok = done.code == code and done.stdout == "done\n"
    ok = ok and (stderr.endswith(last) if last else not stderr)
    # At most one traceback, for an exception of the script, and no exceptions in destructors.
    ok = ok and stderr.count("Traceback") <= bool(last) and "Exception ignored" not in stderr
    if not ok or "hither:" in stderr:
        raise Difference(
            f"exit code {done.code}, not {code}, stdout {done.stdout!r}, stderr:\n{stderr}\n"
            f"{_source(program)}"
        )


def shrink(program: Program) -> Iterator[Program]:
    actions = program["actions"]
    for n in range(len(actions)):
        yield changed(program, actions=actions[:n] + actions[n + 1 :])
    plain = {"end": "falls off", "n": 1, "in_order": True, "eager": False, "new": True}
    for part, simple in plain.items():
        if program[part] != simple:
            yield changed(program, **{part: simple})


def features(program: Program) -> Iterable[str]:
    yield f"end:{program['end']}"
    yield "interpreter:" + ("new" if program["new"] else "forked")
    yield from (f"action:{name}" for name in program["actions"])
