"""Fixtures of all test folders."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator

import pytest

import hither as ht
from devices import DEVICES
from hither import compat
from patience import comes_true
from property_tests import IS_EAGER, examples

# JAX would take three quarters of a GPU's memory, in each process of the tests.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

# The examples of a test depend on the test alone, not on chance nor on what was imported before it.
with contextlib.suppress(ImportError):
    from hypothesis import settings

    settings.register_profile("hither", deadline=None, derandomize=True, max_examples=examples(100))
    settings.load_profile("hither")


SYCL_DEVICES = {name for name in DEVICES if not name.startswith(("native_cpu", "cuda"))}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quarter", type=int, choices=range(4),
                     help="run only this quarter of the cases that take long")  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """HITHER_EAGER=1 repeats no test that laziness cannot change: all of tests/no_device, and what
    is marked either_mode. --quarter leaves out other cases; see without_other_quarters()."""
    chosen = [item for item in items if not IS_EAGER or is_changed_by_laziness(item)]
    quarter = config.getoption("--quarter")
    if quarter is not None:
        chosen = without_other_quarters(chosen, quarter)
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def is_changed_by_laziness(item: pytest.Item) -> bool:
    return not (item.get_closest_marker("either_mode") or "no_device" in item.path.parts)


def without_other_quarters(items: list[pytest.Item], quarter: int) -> list[pytest.Item]:
    """Keeps every fourth case on SYCL devices and of offloaded functions, which compile slowly,
    and of all tests where HITHER_EAGER=1 repeats them. tests/seeds, which shows that the
    requirements hold on two back ends, stays complete, and so do tests without cases."""

    def is_quartered(item: pytest.Item) -> bool:
        if "seeds" in item.path.parts or getattr(item, "callspec", None) is None:
            return False
        return IS_EAGER or "offload" in item.path.parts or is_on_sycl(item)

    quartered = [item for item in items if is_quartered(item)]
    left_out = set(quartered) - set(quartered[quarter::4])
    return [item for item in items if item not in left_out]


def is_on_sycl(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    return callspec is not None and any(
        isinstance(p, str) and p in SYCL_DEVICES for p in callspec.params.values()
    )


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> ht.Device:
    """Every root device that runs kernels, one after the other."""
    return ht.Device(request.param)


@pytest.fixture
def queue(device: ht.Device) -> ht.Queue:
    """The default queue of every device."""
    return device.default_queue


@pytest.fixture(autouse=True)
def no_failure_is_left() -> None:
    """Failures that earlier tests have left in default queues are not those of this test."""
    for name in DEVICES:
        while True:
            try:
                ht.Device(name).default_queue.wait()
                break
            except ht.KernelError:
                continue


@pytest.fixture
def cpu_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the CPU the default device, for tests that need memory of the host."""
    monkeypatch.setenv("HITHER_DEVICE", "native_cpu:cpu:0")


@pytest.fixture
def compat_names() -> Iterator[None]:
    """Makes hither provide the packages that programs import."""
    compat.install(force=True)
    yield
    compat.uninstall()


@pytest.fixture
def later_names(compat_names: None) -> None:
    """The same, with the behaviour of later dpctl releases."""
    compat.install(force=True, flavour="dpctl-0.21")


@pytest.fixture
def sub_devices() -> list[ht.Device]:
    """Two sub-devices of the CPU: two devices whose queues are not equivalent."""
    cpu = ht.Device("cpu")
    if cpu.max_compute_units < 2:
        pytest.skip("needs a CPU of two compute units")
    return cpu.create_sub_devices(partition=[1, 1])


@pytest.fixture(autouse=True)
def nothing_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every allocation of a test is freed when the test ends."""
    before = ht.counters()["live_allocations"]

    def is_freed() -> bool:
        return ht.counters()["live_allocations"] <= before

    yield
    request.node.funcargs.clear()  # pytest would keep what fixtures made until after this check
    if request.node.get_closest_marker("numba_leaks"):
        return
    if not is_freed():
        gc.collect()  # cycles; not after every test: with Numba in memory it takes longer than they
        gc.freeze()  # what is in memory now takes no time the next time
    # Work under way keeps its memory.
    assert comes_true(is_freed), "the test leaked USM allocations"
