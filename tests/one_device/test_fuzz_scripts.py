"""Scripts of random programs run in forks of an interpreter as they do in new interpreters."""

from __future__ import annotations

import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from fuzz import scripts

pytestmark = pytest.mark.either_mode

DESCRIBED = """
import os, sys, threading
import hither as ht

print(__name__, __file__, sys.argv, sys.path[0], os.environ["HITHER_EAGER"])
print(threading.current_thread() is threading.main_thread(), len(os.listdir("/proc/self/task")))
print(sys.stdout.line_buffering, sys.flags.ignore_environment, sys.warnoptions)
import local
x = ht.ones(100, device="native_cpu")
ht.clear_kernel_history()
y = x + 1
print(len(ht.kernel_history()), float(ht.sum(y)))
"""
# The ends of scripts, each with its exit code.
ENDS = {
    "": 0,
    "sys.exit(3)": 3,
    "os._exit(5)": 5,
    "raise ValueError('intended')": 1,
    "os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)": -signal.SIGTERM,
    "signal.signal(signal.SIGINT, signal.default_int_handler); "
    "os.kill(os.getpid(), signal.SIGINT); time.sleep(60)": -signal.SIGINT,
    "os.abort()": -signal.SIGABRT,
}
HEAD = """
import atexit, os, signal, sys, threading, time
import hither as ht

atexit.register(lambda: print("at exit", flush=True))
x = ht.ones(1000, device="native_cpu") + 1
ht.evaluate(x)
kept = x + 1
thread = threading.Thread(target=lambda: print("thread", flush=True))
thread.start()
thread.join()
print("an error", file=sys.stderr)
"""
FORKED = {
    "hither": partial(scripts.run_forked, kernels=False),
    "kernels": partial(scripts.run_forked, kernels=True),
}


def written(folder: Path, text: str) -> Path:
    script = folder / "script.py"
    script.write_text(text)
    return script


@pytest.mark.parametrize("forked", FORKED)
@pytest.mark.parametrize("eager", ["0", "1"])
def test_a_fork_is_in_the_state_of_a_new_interpreter(forked, eager, tmp_path):
    (tmp_path / "local.py").write_text("print('a module of the folder')")
    script = written(tmp_path, DESCRIBED)
    variables = {"HITHER_EAGER": eager}
    new = scripts.run_new(script, variables, 60)
    assert new.code == 0, new.stderr
    assert f"\n{eager} 200.0\n" in new.stdout
    # The BLAS of NumPy starts threads at its import, and again after a fork when it needs them.
    state = new.stdout.replace(new.stdout.split("\n")[1], "True 1")
    assert FORKED[forked](script, variables, 60) == new._replace(stdout=state)


@pytest.mark.parametrize("forked", FORKED)
@pytest.mark.parametrize("end", ENDS)
def test_a_fork_ends_as_a_new_interpreter(forked, end, tmp_path):
    script = written(tmp_path, HEAD + end)
    ended = FORKED[forked](script, {}, 60)
    assert ended.code == ENDS[end]
    assert ended.stderr.startswith("an error\n")
    assert ended.stderr.count("Traceback") == (end.startswith("raise") or "SIGINT" in end)
    handlers = "" if "_exit" in end or "SIGTERM" in end or "abort" in end else "at exit\n"
    assert ended.stdout == "thread\n" + handlers


@pytest.mark.parametrize("end", ["time.sleep(100)", "os.fork() or time.sleep(3)"])
def test_a_fork_that_takes_too_long_is_reported(end, tmp_path):
    script = written(tmp_path, f"import os, time\n{end}")
    begun = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):  # also while a child of the script has stdout
        scripts.run_forked(script, {}, 0.5, kernels=False)
    assert time.monotonic() - begun < 20
    script = written(tmp_path, "print(1)")
    assert scripts.run_forked(script, {}, 60, kernels=False) == (0, "1\n", "")
