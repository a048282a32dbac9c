"""What hither.numpy lacks runs by NumPy on the host: results, policies, warnings, arguments."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp
from hither._array.host_fallback import run_on_host


@pytest.fixture
def x(queue):
    return ht.asarray(np.arange(12.0).reshape(3, 4), queue=queue)


def on_host(x):
    """A function that NumPy computes."""
    return hnp.subtract.reduce(x, axis=1)


def test_results_are_arrays_on_the_queue(x, queue):
    result = on_host(x)
    assert isinstance(result, ht.Array) and result.queue == queue
    assert result.usm_type == x.usm_type
    assert result.tolist() == np.subtract.reduce(ht.asnumpy(x), axis=1).tolist()


def test_an_error_forbids_it_in_a_block(x):
    with ht.host_fallback("error"):
        with pytest.raises(ht.UnsupportedError, match=r"subtract.reduce: hither does not compute"):
            on_host(x)
        with ht.host_fallback("silent"):
            on_host(x)
        assert float(hnp.sum(x)) == 66
        with pytest.raises(NotImplementedError):
            on_host(x)
    on_host(x)
    with pytest.raises(ht.InvalidValueError, match=r"'loud' is none of 'warn', 'error', 'silent'"):
        ht.host_fallback("loud")


def test_written_arguments_are_written_back(x):
    n = ht.asnumpy(x)
    rows = [0, 2, 2]
    np.add.at(n, rows, 1.5)
    hnp.add.at(x, rows, 1.5)
    assert x.tolist() == n.tolist()
    hnp.add.at(x[:, 1], ht.asarray([1, 1], queue=x.queue), x[0, :2])
    np.add.at(n[:, 1], [1, 1], n[0, :2])
    assert x.tolist() == n.tolist()
    assert hnp.negative.at(x, ([0], [1])) is None
    assert float(x[0, 1]) == -n[0, 1]


def test_out_is_filled_and_returned(x, queue):
    out = ht.zeros(3, queue=queue)
    assert hnp.subtract.reduce(x, 1, out=out) is out
    assert out.tolist() == np.subtract.reduce(ht.asnumpy(x), 1).tolist()


def test_callbacks_get_arrays_of_hither(x, queue):
    seen = []

    def first(values, axis):
        seen.append(values)
        return values[:, 0]

    result = np.lib.array_utils.normalize_axis_tuple(0, 1)
    assert result == (0,)
    assert (
        hnp.apply_along_axis(lambda line: line * 2, 1, x).tolist() == (ht.asnumpy(x) * 2).tolist()
    )
    half = hnp.vectorize(lambda number: number / 2)
    assert half(x).queue == queue and half(x).tolist() == (ht.asnumpy(x) / 2).tolist()
    hnp.apply_over_axes(first, x, 1)
    assert isinstance(seen[0], ht.Array)


def test_the_history_shows_what_ran_on_the_host(x, queue):
    ht.clear_kernel_history()
    doubled = x * 2
    ht.synchronize(doubled)
    on_host(doubled)
    ht.synchronize(doubled + 1)
    history = ht.kernel_history()
    place = next(i for i, r in enumerate(history) if r.source == "host")
    record = history[place]
    assert record.name == "numpy.subtract.reduce" and record.items == 12
    assert record.device == queue.device.filter_string and record.seconds > 0
    assert history[place - 1].source != "host" and history[place + 1].source != "host"
    for _ in range(300):  # more than the history holds
        ht.synchronize(doubled + 1)
    assert all(record.source != "host" for record in ht.kernel_history())
    on_host(doubled)
    ht.synchronize(doubled + 1)
    assert [record.source == "host" for record in ht.kernel_history()[-2:]] == [True, False]
    ht.clear_kernel_history()
    assert ht.kernel_history() == []


def test_explain_shows_what_ran_on_the_host(x, queue):
    made = on_host(x)
    device = queue.device.filter_string
    line = f"host: numpy.subtract.reduce has run over 12 elements of {device}; "
    assert ht.explain(made).startswith(line)
    assert ht.explain(made).endswith("already evaluated\n")
    if "kernel" in ht.explain(x + 1):  # lazily
        text = ht.explain(ht.sqrt(made + 1) * made)
        assert text.count("host: ") == 1 and text.startswith(line)
        first, second = on_host(x), on_host(x)
        steps = [line.split()[0] for line in ht.explain(first + second).splitlines()]
        assert steps == ["host:", "host:", "kernel"]
    assert "host" not in ht.explain(x + 1)
    changed = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    hnp.put(changed, [0], [5.0])
    np.add.at(changed, [0, 0], 1.0)
    both = hnp.divmod(x, 2)
    assert all("host" not in ht.explain(part) for part in both)


def test_callbacks_receive_arrays(x, queue):
    kinds = []

    def norm(row):
        kinds.append((type(row), row.queue))
        return ht.sum(row)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = run_on_host("apply_along_axis", np.apply_along_axis, (norm, 1, x))
    assert ht.asnumpy(result).tolist() == ht.asnumpy(x).sum(1).tolist()
    assert set(kinds) == {(ht.Array, queue)}
    assert "numpy.apply_along_axis" in ht.explain(result)


def test_policies_belong_to_a_thread(x):
    from concurrent.futures import ThreadPoolExecutor

    with ht.host_fallback("error"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(on_host, x).result().shape == (3,)


@pytest.mark.either_mode
def test_memory_of_the_host_is_not_copied_and_not_warned_about(cpu_by_default):
    x = ht.arange(1000.0)
    ht.synchronize(x)
    before = ht.counters()["bytes_to_host"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hnp.subtract.reduce(x)
    assert ht.counters()["bytes_to_host"] == before


PROGRAM = """
import warnings
import hither as ht, hither.numpy as np
x = np.arange(1000.0, usm_type="device")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(3):
        np.subtract.reduce(x)
    np.divide.reduce(x + 1)
    with ht.host_fallback("silent"):
        np.power.reduce(x[:3])
print([(w.category.__name__, str(w.message).split(":")[0], str(w.message)) for w in caught])
"""


def run(program, **environment):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


@pytest.mark.either_mode
def test_copies_warn_once_for_each_function():
    done = run(PROGRAM, HITHER_STRICT_USM="1", HITHER_DEVICE="native_cpu:cpu:0")
    assert done.returncode == 0, done.stderr
    caught = eval(done.stdout)
    assert [c[:2] for c in caught] == [
        ("PerformanceWarning", "numpy.subtract.reduce runs on the host"),
        ("PerformanceWarning", "numpy.divide.reduce runs on the host"),
    ]
    assert "8008 bytes were copied between native_cpu:cpu:0 and the host" in caught[0][2]


@pytest.mark.either_mode
def test_the_environment_sets_the_policy():
    program = "import hither.numpy as np; np.subtract.reduce(np.arange(3))"
    done = run(program, HITHER_HOST_FALLBACK="error")
    assert "UnsupportedError: subtract.reduce" in done.stderr
    done = run(program, HITHER_HOST_FALLBACK="never")
    assert "HITHER_HOST_FALLBACK: 'never' is none of" in done.stderr


WARNINGS = """
import warnings, numpy, scipy.special, hither.numpy as np

x = np.asarray([1.0, 2.0, 3.0])
calls = [lambda: np.subtract.reduce(x), lambda: np.hypot.reduceat(x, [0, 2]),
         lambda: np.vectorize(abs)(x), lambda: scipy.special.jv(0, x),
         lambda: numpy.negative.at(x, [1]), lambda: scipy.special.xlogy.reduce(x)]
for call in calls:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    print(str(found[0].message).partition(" ")[0], found[0].filename)
"""


@pytest.mark.either_mode
def test_warnings_name_the_function_and_the_line_that_calls():
    pytest.importorskip("scipy")
    variables = os.environ | {"HITHER_STRICT_USM": "1", "HITHER_DEVICE": "native_cpu"}
    found = subprocess.run(
        [sys.executable, "-c", WARNINGS], env=variables, capture_output=True, text=True, check=True
    )
    names = ("numpy.subtract.reduce", "numpy.hypot.reduceat", "numpy.vectorize",
             "scipy.special.jv", "numpy.negative.at", "scipy.special.xlogy.reduce")  # fmt: skip
    assert found.stdout.splitlines() == [f"{name} <string>" for name in names]


def test_vectorized_functions_of_rows_receive_arrays(x, queue):
    kinds = []

    @hnp.vectorize(signature="(n)->(),(n)")
    def split(row):
        kinds.append((type(row), row.queue))
        return row.sum(), row * 2

    with ht.host_fallback("silent"):
        sums, doubled = split(x)
    assert set(kinds) == {(ht.Array, queue)} and sums.queue == queue
    assert sums.tolist() == x.sum(axis=1).tolist() and doubled.tolist() == (x * 2).tolist()
    with ht.host_fallback("error"):
        assert callable(hnp.vectorize(otypes=[float])(abs))  # a decorator computes nothing


@pytest.mark.filterwarnings("ignore::hither.errors.PerformanceWarning")
def test_methods_of_ufuncs_of_scipy(x):
    special = pytest.importorskip("scipy.special")
    for function in (special, importlib.import_module("hither.scipy.special")):
        y = ht.copy(x[0]) + 1
        function.gamma.at(y, [1, 3])
        assert y.tolist() == [1, 1, 3, 6]
        expected = special.xlogy.reduce(ht.asnumpy(x), axis=1)
        result = function.xlogy.reduce(x, axis=1)
        np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-12)
    with pytest.raises(AttributeError, match="no attribute 'sorted'"):
        function.gamma.numpy_ufunc.sorted  # noqa: B018
