"""Where the arrays of offloaded functions are, on devices that cannot reach the host's memory: the
CPU stands for one under HITHER_STRICT_USM=1."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are ready

PREAMBLE = """
import json
import numba
import numpy as np
import hither as ht

@numba.njit
def serial_sum(x):
    s = 0.0
    for i in range(x.size):
        s += x[i]
    return s

@numba.njit
def listing_3_2(x, y):
    a = 0.5
    serial_sum(x)
    y = a * x + y
    print("I do not need anything from the device")
    r = np.sum(y)
    return r

@numba.njit
def writes_both(x, y):
    y += 0.5 * x
    n = y.size
    x += y
    for i in numba.prange(n):
        y[i] *= 2
    return y.sum()

@numba.njit
def host_between(x, y):
    y += 1
    y[0] = serial_sum(y)
    x += y
    return x.sum()

@numba.njit
def overlapping(x, y):
    for i in numba.prange(y.size):
        y[i] = x[i] + 1

def moved(f, x, y):
    expected = x.copy(), y.copy()
    result = f(*expected)
    with ht.device_context("cpu"):
        f(x.copy(), y.copy())
        before = ht.counters()
        same = f(x, y) == result
        after = ht.counters()
    assert same, (f, result)
    assert np.array_equal(x, expected[0]) and np.array_equal(y, expected[1])
    return [after[k] - before[k] for k in ("bytes_to_device", "bytes_to_host")]
"""


def run(code, tmp_path):
    """The value of `found` after `code`, in a process with strict USM."""
    target = tmp_path / "found.json"
    end = f"\njson.dump(found, open({str(target)!r}, 'w'))\n"
    file = tmp_path / "program.py"
    file.write_text(PREAMBLE + code + end)
    environment = {**os.environ, "HITHER_STRICT_USM": "1"}
    done = subprocess.run(
        [sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(target.read_text())


def test_arrays_move_once_where_the_host_leaves_them_alone(tmp_path):
    found = run(
        """
x, y = np.arange(1000.0), np.ones(1000)
found = [moved(f, x.copy(), y.copy()) for f in (listing_3_2, writes_both)]
""",
        tmp_path,
    )
    # Two arrays go there; nothing was written, so that nothing comes back, or both were.
    assert found == [[16000, 0], [16000, 16000]]


def test_the_host_sees_what_regions_wrote_and_regions_what_it_wrote(tmp_path):
    found = run(
        """
found = moved(host_between, np.arange(1000.0), np.ones(1000))
""",
        tmp_path,
    )
    assert found[1] >= 8000


def test_arrays_that_overlap_share_a_copy(tmp_path):
    found = run(
        """
base = np.arange(100.0).reshape(10, 10)
with ht.device_context("cpu"):
    overlapping(base[2], base[:, 3])  # they share one element
found = base.tolist()
""",
        tmp_path,
    )
    expected = np.arange(100.0).reshape(10, 10)
    row = expected[2].copy()
    expected[:, 3] = row + 1
    # The iteration that reads the common element may run before or after the one that writes it.
    assert found[3][3] in (expected[3, 3], expected[2, 3] + 1)
    expected[3, 3] = found[3][3]
    assert found == expected.tolist()


def test_the_report_says_what_moved(tmp_path):
    found = run(
        """
x, y = np.arange(1000.0), np.ones(1000)
with ht.device_context("cpu"):
    writes_both(x, y)
uses = [use for p in ht.offload_report(writes_both).parfors for use in p.uses]
found = [sum(u.bytes_to_device for u in uses), sum(u.bytes_to_host for u in uses)]
""",
        tmp_path,
    )
    assert found == [16000, 16000]


def test_nothing_moves_where_the_device_reaches_the_hosts_memory():
    @numba.njit
    def f(x):
        x += 1
        return x.sum()

    x = np.ones(100_000)
    with ht.device_context("cpu"):
        f(x)
        before = ht.counters()
        f(x)
        after = ht.counters()
    for name in ("bytes_to_device", "bytes_to_host"):
        assert after[name] == before[name]


def test_arrays_that_a_function_makes_are_usm_and_are_returned():
    @numba.njit
    def f(x):
        y = x * 2
        return y + x

    x = np.ones(1_000_000)
    with ht.device_context("cpu") as queue:
        gc.collect()  # what earlier tests left in cycles
        before = ht.counters()["live_allocations"]
        result = f(x)
        assert ht.counters()["live_allocations"] == before + 1
        assert ht.pointer_info(result.ctypes.data, queue.context).usm_type == "shared"
    np.testing.assert_array_equal(result, 3.0)
    del result
    assert ht.counters()["live_allocations"] == before


CACHED = """
import sys
import numba
import numpy as np
import hither as ht
FACTOR = float(sys.argv[1])

@numba.njit
def scaled(a):
    return a * FACTOR

@numba.njit(cache=True)
def f(x):
    for i in numba.prange(x.size):
        x[i] = scaled(x[i])
    return x.sum()

with ht.device_context("cpu"):
    found = f(np.ones(1000))
    (sibling,) = f._hither_callees.values()
    print(found, sum(sibling.stats.cache_hits.values()), len(ht.offload_report(f).parfors),
          ht.counters()["compiles"])
"""


@pytest.mark.skipif(os.environ.get("HITHER_EAGER") == "1", reason="the same either way, and slow")
def test_host_code_is_kept_on_disk_and_changes_in_what_it_names_are_noticed(tmp_path):
    file = tmp_path / "cached.py"
    file.write_text(CACHED)
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "numba"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    def call(factor):
        command = [sys.executable, str(file), factor]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, cwd=Path.cwd()
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert call("2.0")[:3] == ["2000.0", "0", "2"]
    assert call("2.0") == ["2000.0", "1", "2", "0"]
    assert call("3.0")[:2] == ["3000.0", "0"]


PLAIN = """
import sys
import numba
import numpy as np

@numba.njit(cache=True)
def total(x):
    s = 0.0
    for i in range(x.size):
        s += x[i]
    return s

if sys.argv[1] == "hither":
    import hither as ht
    x = ht.ones(3, usm_type="shared")
    with ht.device_context("cpu"):
        total(x)
    print(total(x))
else:
    sys.modules["hither"] = None  # as if it were not installed
    print(total(np.ones(3)))
"""


@pytest.mark.skipif(os.environ.get("HITHER_EAGER") == "1", reason="the same either way, and slow")
def test_programs_without_hither_can_read_numbas_cache(tmp_path):
    file = tmp_path / "plain.py"
    file.write_text(PLAIN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    for who in ("hither", "hither", "Numba"):
        command = [sys.executable, str(file), who]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, cwd=Path.cwd()
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["3.0"]


CALLER = """
import sys
import numba
import numpy as np
import hither as ht

@numba.njit(cache=True)
def inner(x):
    return np.sin(x) + 2.0

@numba.njit(cache=True)
def outer(x):
    return inner(x)[0]

with ht.device_context("cpu"):
    for name in sys.argv[1:]:
        print(np.ravel(globals()[name](np.zeros(10000)))[0])
"""


@pytest.mark.skipif(os.environ.get("HITHER_EAGER") == "1", reason="the same either way, and slow")
def test_files_of_a_caller_have_the_regions_of_a_callee_that_was_itself_loaded(tmp_path):
    file = tmp_path / "caller.py"
    file.write_text(CALLER)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    for names in (["inner"], ["outer"], ["outer"], ["inner", "outer"]):
        command = [sys.executable, str(file), *names]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, cwd=Path.cwd()
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["2.0"] * len(names)


def test_small_regions_stay_on_the_host(tmp_path):
    found = run(
        """
def moved_below(limit, n):
    x, y = np.arange(float(n)), np.ones(n)
    with ht.device_context("cpu", keep_below=limit):
        writes_both(x, y)  # compiles
        before = ht.counters()
        writes_both(x, y)
        after = ht.counters()
    return after["bytes_to_device"] - before["bytes_to_device"]

found = [moved_below(0, 99), moved_below(100, 99), moved_below(100, 100), moved_below(None, 9)]
""",
        tmp_path,
    )
    assert found[1] == 0
    assert found[0] > 0 and found[2] > 0 and found[3] > 0  # None is 0 on a CPU


def test_a_limit_of_small_regions_is_a_count():
    for wrong, error in ((-1, ValueError), (2.5, TypeError)):
        with pytest.raises(error, match=r"keep_below|integer"):
            ht.device_context("cpu", keep_below=wrong)


def test_copies_that_others_overlap_are_merged_before_any_is_used(tmp_path):
    """The second region's arrays overlap each other and the first region's results."""
    found = run(
        """
@numba.njit
def f(a, b, c, d):
    a[:] = a + 1.0
    for i in numba.prange(10):
        b[i] = b[i] + 100
        d[i] = d[i] * 2
        c[i + 10] = c[i + 10] + 7

def views(base):
    return base[0:100], base[10:30], base[20:40], base[90:120]

expected, given = np.arange(200.0), np.arange(200.0)
f(*views(expected))
with ht.device_context("cpu"):
    f(*views(given))
found = [expected.tolist(), given.tolist()]
""",
        tmp_path,
    )
    assert found[0] == found[1]


def test_memory_that_may_be_freed_is_brought_back_at_once(tmp_path):
    found = run(
        """
@numba.njit
def f(x, n):
    with numba.objmode(y="float64[::1]"):
        y = np.ones(n)
    for i in numba.prange(y.size):
        y[i] += 1
    m = y.size
    for i in numba.prange(x.size):
        x[i] += m
    return x.sum()

with ht.device_context("cpu"):
    found = [f(np.ones(1000), 2_000_000) for _ in range(5)]
""",
        tmp_path,
    )
    assert found == [2_000_001_000.0] * 5


def test_who_catches_an_exception_sees_what_regions_wrote(tmp_path):
    found = run(
        """
@numba.njit
def callee(x, k):
    for i in numba.prange(x.size):
        x[i] += 1
    n = len(range(0, 5, k))
    for i in numba.prange(x.size):
        x[i] += n

@numba.njit
def caller(x, k):
    try:
        callee(x, k)
    except Exception:
        return x[0]
    return -1.0

with ht.device_context("cpu"):
    found = [caller(np.ones(1000), 0), caller(np.ones(1000), 1)]
""",
        tmp_path,
    )
    assert found == [2.0, -1.0]


def test_only_what_regions_wrote_comes_back(tmp_path):
    found = run(
        """
import threading

@numba.njit(nogil=True)
def one_more(x):
    for i in numba.prange(x.size):
        x[i] += 1

@numba.njit
def twice(x, other):
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += 1
    with numba.objmode():
        other[:] = 7.0
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += 1

def half(part):
    with ht.device_context("cpu"):
        start.wait()
        for _ in range(20):
            one_more(part)

base = np.zeros((50, 40))
with ht.device_context("cpu"):
    twice(base[1::2, ::-2], base[0])
    one_more(np.zeros(4)[::2])
x, start = np.zeros(200_000), threading.Barrier(2)
threads = [threading.Thread(target=half, args=(x[k::2],)) for k in (0, 1)]
[t.start() for t in threads]
[t.join() for t in threads]
found = [base[7].tolist(), base[0].tolist(), base[2].tolist(), int((x != 20).sum())]
""",
        tmp_path,
    )
    assert found == [[0.0, 2.0] * 20, [7.0] * 40, [0.0] * 40, 0]


def test_device_memory_is_no_argument_of_code_for_the_host(tmp_path):
    found = run(
        """
@numba.njit
def total(x):
    return x.sum()

@numba.njit(parallel=False)
def serial(x):
    return x[0]

x = ht.arange(10, dtype="float64", usm_type="device", device="cpu")
found = []
with ht.device_context("cpu"):
    found.append(total(x))
for rule, f in ((None, total), ("host", serial)):
    try:
        if rule is None:
            f(x)
        else:
            with ht.device_context("cpu", on_serial=rule):
                f(x)
        found.append("ran")
    except numba.TypingError as error:
        found.append("usm_type='shared'" in str(error))
first, second = ht.Device("cpu").create_sub_devices(partition=[1, 1])
y = ht.arange(10, dtype="float64", queue=ht.Queue(first), usm_type="device")
try:
    with ht.device_context(ht.Queue(second)):
        total(y)
    found.append("ran")
except ht.PlacementError as error:
    found.append("to_device" in str(error))
""",
        tmp_path,
    )
    assert found == [45.0, True, True, True]
