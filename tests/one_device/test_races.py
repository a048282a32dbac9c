"""HITHER_CHECK=races: data races of kernels are errors."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.either_mode

_HEAD = """
import numpy as np
import hither as ht
x, y, h = ht.arange(8.0), ht.zeros(8), ht.zeros(2, dtype="int64")
@ht.kernel
def k(a, b):
    i = ht.get_global_id(0)
    l = ht.get_local_id(0)
"""


def run(body: str, call: str, check: str = "races") -> subprocess.CompletedProcess:
    """Runs a kernel with this body, and `call`."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return subprocess.run(
        [sys.executable, "-c", f"{_HEAD}{lines}{call}\nprint(ht.asnumpy(y).tolist())"],
        capture_output=True, text=True, timeout=240,
        env=os.environ | {"HITHER_CHECK": check, "HITHER_DEVICE": "native_cpu"},
    )  # fmt: skip


_GROUPS = "k[ht.NdRange(8, 4)](x, y)"
_EXCHANGE = "t = ht.local.array(4, ht.float64)\nt[l] = a[i]\nht.barrier()\nb[i] = t[3 - l]"
RACES = {
    "two writes": ("b[i // 2] = a[i]", "k(x, y)", "(0,) wrote element [0] of b", "(1,) writes it"),
    "a read after a write": (
        "if i:\n    a[i] = a[i - 1]",
        "k(x, y)",
        "(1,) wrote element [1] of a",
        "(2,) r",
    ),
    "a write after a read": (
        "b[i] = a[7]\na[i] = 0",
        "k(x, y)",
        "(0,) read element [7] of a",
        "(7,) writes it",
    ),
    "an update": (
        "b[int(a[i]) % 2] += 1",
        "k(x, h)",
        "(0,) wrote element [0] of b",
        "(2,) reads it",
    ),
    "no barrier": (_EXCHANGE.replace("ht.barrier()", "pass"), _GROUPS, "] of t at", "(2,) wr"),
    "a barrier of another group": (
        "b[l] = 1\nht.barrier()",
        _GROUPS,
        "(0,) wrote element [0] of b",
        "(4,) w",
    ),
    "slices": (
        "b[i:i + 2] = 1",
        "k[ht.Range(7)](x, y)",
        "(0,) wrote element [1] of b",
        "(1,) writes it",
    ),
    "two names of one array": (
        "b[i] = a[7]",
        "k(x, x[:])",
        "(0,) read element [7] of a",
        "(7,) writes it",
    ),
    "an atomic and another": (
        "ht.atomic.add(b, 0, 1)\nb[0] = 2",
        "k(x, y)",
        "element [0] of b",
        "(1,)",
    ),
    "two dimensions": (
        "b[i % 2, 1] = 1",
        "k[8](x, ht.zeros((2, 3)))",
        "wrote element [0, 1] of b",
        "(2,) wr",
    ),
}
RACES["readers of two sub-groups"] = (
    "v = 0\nif l == 0:\n    v = a[0]\nif l == 32:\n    v = a[0]\n    a[0] = 1\nb[i] = v",
    "k[ht.NdRange(64, 64)](ht.zeros(64), ht.zeros(64))", "(0,) read element [0] of a", "(32,) wr",
)  # fmt: skip
NONE = {
    "own elements": ("b[i] = a[i] + a[i]", "k(x, y)"),
    "reads of one element": ("b[i] = a[0]", "k(x, y)"),
    "atomics": ("ht.atomic.add(b, int(a[i]) % 2, 1)", "k(x, h)"),
    "references": ("ht.AtomicRef(b, int(a[i]) % 2).fetch_add(1)", "k(x, h)"),
    "a barrier": (_EXCHANGE, _GROUPS),
    "a barrier for arguments": ("b[i] = 1\nht.barrier()\na[i] = b[i // 4 * 4]", _GROUPS),
    "a sub-group's barrier": (_EXCHANGE.replace("ht.barrier()",
                              "ht.group_barrier(ht.get_sub_group())"), _GROUPS),
    "narrow indices": (
        "ht.atomic.add(b, a[i], 1)", "k(ht.arange(8, dtype='uint8'), ht.zeros(256))"),
    "atomic loads and reads": ("b[i] = ht.atomic.load(a, 0) if i == 0 else a[0]", "k(x, y)"),
    "a lock": (
        "while ht.atomic.cas(a, 0, 0, 1) != 0:\n    pass\nb[0] += 1\nht.atomic.exch(a, 0, 0)",
        "k(ht.zeros(8, dtype='int64'), y)"),
    "the last group reads all": (
        "last = ht.local.array(1, ht.int64)\nif l == 0:\n    b[i] = 1\n    ht.mem_fence()\n"
        "    last[0] = ht.atomic.add(a, 0, 1)\nht.barrier()\nif last[0] == 1 and l == 1:\n"
        "    b[7] = b[0] + b[4]", "k[ht.NdRange(8, 4)](ht.zeros(1, dtype='int64'), y)"),
    "private arrays": ("p = ht.private.array(2, ht.float64)\np[0] = i\nb[i] = p[0]", "k(x, y)"),
    "a counter of finished groups": (
        "b[i] = 1\nht.atomic_fence(0, 0)\nif ht.atomic.add(a, 0, 1.0) == 7.0:\n"
        "    for j in range(8):\n        b[i] += b[j]", "k(ht.zeros(1), y)"),
}  # fmt: skip


@pytest.mark.parametrize("name", RACES)
def test_races_are_errors(name):
    body, call, first, second = RACES[name]
    done = run(body, call)
    assert done.returncode == 1 and "KernelError: k: data race of" in done.stderr, done.stderr
    assert first in done.stderr and second in done.stderr, done.stderr
    assert "at <string>:" in done.stderr


@pytest.mark.parametrize("name", NONE)
def test_programs_without_races_have_their_results(name):
    body, call = NONE[name]
    checked, compiled = run(body, call), run(body, call, check="")
    assert checked.returncode == compiled.returncode == 0, checked.stderr + compiled.stderr
    assert checked.stdout == compiled.stdout


def test_indices_outside_of_an_array_are_index_errors():
    done = run("b[i] = 1", "k[12](x, y)")
    assert "IndexError: index 8 is out of bounds" in done.stderr and "data race" not in done.stderr


def test_the_line_of_an_access_through_a_reference_is_the_kernels():
    done = run("if i:\n    a[0] = 1\nelse:\n    ht.AtomicRef(a, 0).store(2.0)", "k(x, y)")
    assert "(0,) wrote element [0] of a at <string>:12" in done.stderr, done.stderr


def test_kernels_of_code_without_a_module_are_checked():
    script = """exec('@ht.kernel\\ndef k(x):\\n    x[0] = ht.get_global_id(0)', names := {"ht": ht})
names["k"](x)"""
    assert "data race" in run("pass", script).stderr
