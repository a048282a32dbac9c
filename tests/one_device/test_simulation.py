"""HITHER_SIMULATE=1: kernels run as Python functions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.either_mode

PROGRAM = Path(__file__).parent / "simulated_kernels.py"


def run(*arguments: str, simulate: str = "1", given: str = "") -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, timeout=240, input=given,
        env=os.environ | {"HITHER_SIMULATE": simulate},
    )  # fmt: skip


def test_results_equal_those_of_compiled_kernels():
    simulated, compiled = run(str(PROGRAM)), run(str(PROGRAM), simulate="0")
    assert simulated.returncode == compiled.returncode == 0, simulated.stderr
    assert simulated.stdout == compiled.stdout
    assert len(simulated.stdout.splitlines()) == 12


def of_kernel(body: str, call: str, given: str = "") -> subprocess.CompletedProcess:
    """Runs a kernel with this body, and the call of `k` for the array x = [0, 1, 2, 3]."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    program = (
        "import numpy as np\nimport hither as ht\n"
        "x = ht.asarray(np.arange(4.0))\n"
        f"@ht.kernel\ndef k(a):\n    i = ht.get_global_id(0)\n{lines}\n{call}\n"
    )
    return run("-c", program, given=given)


def test_print_works():
    done = of_kernel("print('item', i, a[i])", "k(x)")
    assert done.stdout == "item 0 0.0\nitem 1 1.0\nitem 2 2.0\nitem 3 3.0\n"


@pytest.mark.parametrize("call", ["k(x)", "k[ht.NdRange(4, 2)](x)"], ids=["range", "groups"])
def test_the_debugger_works(call):
    done = of_kernel(
        "if i == 2:\n    breakpoint()\na[i] = 7", f"{call}\nprint(x)", "p float(a[i] + i)\nc\n"
    )
    assert "(Pdb) 4.0" in done.stdout
    assert "[7. 7. 7. 7.]" in done.stdout


def test_groups_share_threads():
    done = of_kernel(
        "import threading\nht.barrier()\nseen.add(threading.current_thread())",
        "seen = set()\nk[ht.NdRange(16, 4)](x)\nprint(len(seen), any(t.is_alive() for t in seen))",
    )
    assert done.stdout == "4 False\n"


def test_an_exception_is_the_kernels_with_a_note():
    done = of_kernel("a[i + 2] = 1", "k(x)")
    assert done.returncode == 1
    assert "IndexError: index 4 is out of bounds" in done.stderr
    assert "in kernel k, work-item (2,)" in done.stderr
    assert ", in k\n" in done.stderr


def test_items_that_wait_in_different_functions_are_named():
    body = (
        "if i % 2:\n    ht.barrier()\n"
        "else:\n    a[i] = ht.group_reduce(ht.get_group(), a[i], 'add')"
    )
    done = of_kernel(body, "k[ht.NdRange(4, 4)](x)")
    assert "KernelError: k: the items of a group wait for each other in different" in done.stderr
    assert "(0,) in reduce, (1,) in barrier" in done.stderr


def test_undefined_elements_show():
    done = of_kernel("a[i] = ht.local.array(4, ht.float64)[0]", "k[ht.NdRange(4, 4)](x)\nprint(x)")
    assert done.stdout == "[nan nan nan nan]\n"


WRONG = {
    "k[ht.NdRange(4, 3)](x)": "InvalidValueError: k: local size (3,) does not divide global size",
    "k()": "InvalidTypeError: k: argument a is missing",
    "k(x, 1)": "InvalidTypeError: k: takes 1 arguments, 2 given",
    "k(x, b=1)": "InvalidTypeError: k: has no parameter b",
    "k(np.ones(4))": "PlacementError: k: ",
    "k[1.5](x)": "InvalidTypeError: range: 1.5 is not a range",
    "k(ht.zeros((1, 1, 1, 1)))": "InvalidValueError: k: its first array has 4 dimensions",
}


@pytest.mark.parametrize("call", WRONG)
def test_wrong_launches_are_refused(call):
    done = of_kernel("a[i] = 1", call)
    assert done.returncode == 1
    assert WRONG[call] in done.stderr


def test_barriers_need_groups():
    done = of_kernel("ht.barrier()", "k(x)")
    assert "needs work-groups: launch the kernel over a hither.NdRange" in done.stderr
