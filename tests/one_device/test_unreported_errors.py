"""Kernel errors that no wait and no read has raised are printed to stderr."""

from __future__ import annotations

import subprocess
import sys

import pytest

from devices import DEVICES

pytestmark = pytest.mark.either_mode


def run(script: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", "import hither as ht\n" + script],
        capture_output=True,
        text=True,
        timeout=240,
    )


_FAILING = """
@ht.kernel
def checked(x):
    i = ht.get_global_id(0)
    x[i] += 1
    assert x[i] < 3, "too much"

queue = ht.Queue({device!r})
x = ht.arange(5, queue=queue)
event = ht.launch(checked, 5, x)
"""
_TOLD = (
    "hither: an error that no wait and no read has raised: kernel checked: AssertionError: too much"
)


@pytest.mark.parametrize("device_name", DEVICES)
@pytest.mark.parametrize(
    "end",
    ["", "del x, event", "del x, event, queue", "event = None; ht.Queue(queue.device).wait()"],
)
def test_an_error_that_nobody_asks_for_is_told_in_the_end(device_name, end):
    done = run(_FAILING.format(device=device_name) + end)
    assert done.returncode == 0
    assert done.stderr.count(_TOLD) == 1 and len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize("device_name", DEVICES)
@pytest.mark.parametrize(
    "ask", ["event.wait()", "queue.wait()", "ht.asnumpy(x)", "float(ht.sum(x))"]
)
def test_an_error_that_was_raised_is_not_told_again(device_name, ask):
    script = (
        _FAILING
        + """
try:
    {ask}
except ht.KernelError:
    pass
else:
    raise SystemExit("no error")
"""
    )
    done = run(script.format(device=device_name, ask=ask))
    assert (done.returncode, done.stderr) == (0, "")
