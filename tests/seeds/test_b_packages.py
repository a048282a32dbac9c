"""Requirements B2, B4, B6: packages that let their users choose the queue, as printed."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import hither as ht

PACKAGES = Path(__file__).parents[2] / "examples" / "packages"


@pytest.fixture
def packages(monkeypatch):
    """The example packages, imported afresh."""
    monkeypatch.syspath_prepend(str(PACKAGES))
    names = [path.stem for path in PACKAGES.glob("*.py")]
    yield lambda name: __import__(name)
    ht.shared_queues.set_default_queue(None)
    for name in names:
        sys.modules.pop(name, None)


def run(listing, names, gpu):
    for name in gpu:
        listing = listing.replace(f'"{name}"', f"gpu[{name!r}]")
    exec(listing, {**names, "gpu": gpu}, names)


@pytest.mark.parametrize("package", ["pkg2", "pkg3", "pkg4"])
def test_b02_the_default_of_a_package_is_where_it_allocates(packages, gpu, package):
    names = {package: packages(package)}
    run(f'{package}.set_default_queue("gpu:1")\nA1 = {package}.allocate((50, 10))\n'
        f"A2 = {package}.allocate((10, 30))\nA3 = {package}.dot(A1, A2)", names, gpu)  # fmt: skip
    assert ht.asarray(names["A3"]).queue == gpu["gpu:1"]
    assert ht.asarray(names["A3"]).shape == (50, 30)
    names[package].set_default_queue(None)
    assert ht.asarray(names[package].allocate(3)).queue == ht.current_queue()


def test_b01_a_package_whose_functions_are_told_their_queue(packages, gpu):
    names = {"pkg1": packages("pkg1"), "alloc_q": gpu["gpu:1"], "shape": (5, 5),
             "compute_q": ht.Queue(gpu["gpu:1"].context, gpu["gpu:1"].device)}  # fmt: skip
    run("A1 = pkg1.allocate(alloc_q, shape)\nA2 = pkg1.allocate(alloc_q, shape)\n"
        "A3 = pkg1.compute(compute_q, A1, A2)", names, gpu)  # fmt: skip
    assert names["A3"].queue == names["compute_q"]


@pytest.mark.parametrize("package", ["pkg2", "pkg4"])
def test_b03_blocks_say_where_a_package_allocates_and_computes(packages, gpu, package):
    names = {package: packages(package), "shape1": (4, 4), "shape2": (4, 4)}
    run(f"""
with {package}.current("gpu:1"):
   A1 = {package}.allocate(shape1)
   A2 = {package}.allocate(shape2)

with {package}.current("gpu:2"):
    A1c = A1.copy_to()
    A2c = A2.copy_to()
    A3 = {package}.compute(A1c, A2c)
""", names, gpu)  # fmt: skip
    assert ht.asarray(names["A1"]).queue == gpu["gpu:1"]
    assert ht.asarray(names["A3"]).queue == gpu["gpu:2"]


def test_b03_data_say_where_a_package_computes(packages, gpu):
    names = {"pkg3": packages("pkg3"), "shape1": (4, 4), "shape2": (4, 4)}
    run("""
with pkg3.current("gpu:1"):
   A1 = pkg3.allocate(shape1)
   A2 = pkg3.allocate(shape2)

A1c = A1.copy_to("gpu:2")
A2c = A2.copy_to("gpu:2")
A3 = pkg3.compute(A1c, A2c)
""", names, gpu)  # fmt: skip
    assert names["A3"].queue == gpu["gpu:2"]


def test_b04_each_package_has_a_default_of_its_own(packages, gpu):
    names = {"pkg2": packages("pkg2"), "pkg3": packages("pkg3"), "shape1": 3, "shape2": 3,
             "host_module": type("host_module", (), {"compute": staticmethod(
                 lambda a, b: np.asarray(ht.asnumpy(a)) + ht.asnumpy(b))})}  # fmt: skip
    run("""
pkg2.set_default_queue("gpu:1")
pkg3.set_default_queue("gpu:1") #

A4 = pkg3.allocate(3)

with pkg2.current("gpu:1"):   # alloc device/queue for pkg2
   A1 = pkg2.allocate(shape1) #
   A5 = pkg3.compute(A1)      # pkg3 works with its own default queue
   A6 = host_module.compute(A4, A5) #
   A2 = pkg2.allocate(shape2)

with pkg2.current("gpu:2"):
    in_the_block = pkg3.allocate(3)
    A1c = A1.copy_to()
    A2c = A2.copy_to()
    A3 = pkg2.compute(A1c, A2c) #
""", names, gpu)  # fmt: skip
    assert names["in_the_block"].queue == gpu["gpu:1"]
    assert ht.asarray(names["A3"]).queue == gpu["gpu:2"]
    assert names["A6"].tolist() == [1, 1, 1]


def test_b04_packages_may_share_a_manager(packages, gpu):
    package = packages("pkg4")
    with ht.shared_queues.current(gpu["gpu:2"]):
        assert ht.asarray(package.allocate(3)).queue == gpu["gpu:2"]
    package.set_default_queue(gpu["gpu:1"])
    assert ht.shared_queues.queue() == gpu["gpu:1"]


def test_b06_a_queue_that_belongs_to_an_object(packages, gpu):
    package = packages("pkgB")
    library = package.Library(queue=gpu["gpu:1"])
    with ht.shared_queues.current(gpu["gpu:2"]), ht.device_context(gpu["gpu:2"]):
        result = library.func(ht.ones(5, queue=gpu["gpu:1"]))
    assert (library.queue, result.queue, float(result)) == (gpu["gpu:1"], gpu["gpu:1"], 10)
    with pytest.raises(ht.PlacementError, match="cannot access"):
        library.func(ht.ones(5, queue=gpu["gpu:2"]))


def test_b08_one_package_computes_with_the_arrays_of_another(packages, device, monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", str(device))
    assert float(packages("pkgB").func(packages("pkgA").allocate((50, 10)))) == 1000


def test_a_managers_blocks_belong_to_a_thread_or_task(gpu):
    first, second = gpu.values()
    manager = ht.QueueManager(first)
    with pytest.raises(ZeroDivisionError), manager.current(second):
        assert manager.queue() == second
        with manager.current(first):
            assert manager.queue() == first
        assert manager.queue() == second
        assert manager.queue(first) == first
        seen = []
        thread = threading.Thread(target=lambda: seen.append(manager.queue()))
        thread.start()
        thread.join()
        assert seen == [first]
        raise ZeroDivisionError
    assert manager.queue() == first

    async def task(queue):
        with manager.current(queue):
            await asyncio.sleep(0)
            return manager.queue() == queue

    async def both():
        return await asyncio.gather(task(first), task(second))

    assert asyncio.run(both()) == [True, True]


def test_a_manager_without_a_default_leaves_the_choice_to_hither(gpu):
    manager = ht.QueueManager()
    assert manager.queue() == ht.current_queue()
    with ht.device_context(gpu["gpu:2"]):
        assert manager.queue() == gpu["gpu:2"]


@pytest.mark.parametrize("bad", ["no such device", 3.5])
def test_a_manager_refuses_what_names_no_device(gpu, bad):
    manager = ht.QueueManager(gpu["gpu:1"])
    for call in (manager.queue, manager.set_default_queue, ht.QueueManager):
        with pytest.raises((ValueError, TypeError)):
            call(bad)
    with pytest.raises((ValueError, TypeError)), manager.current(bad):
        pass
    assert manager.queue() == gpu["gpu:1"]
