"""Requirements B2, B4, B6: packages that let their users choose the queue, as printed."""

from __future__ import annotations

import asyncio
import copy
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import hither as ht
from seeds import printed

PACKAGES = Path(__file__).parents[2] / "examples" / "packages"


class Estimator:
    """A class-bound queue, in an object that is cloned and sent to workers."""

    def __init__(self, queue):
        self.queue = queue

    def fit(self, values):
        return ht.sum(ht.asarray(values, queue=self.queue) * 2)


@pytest.fixture
def packages(monkeypatch):
    """The example packages, imported afresh."""
    monkeypatch.syspath_prepend(str(PACKAGES))
    names = [path.stem for path in PACKAGES.glob("*.py")]
    yield lambda name: __import__(name)
    ht.shared_queues.set_default_queue(None)
    for name in names:
        sys.modules.pop(name, None)


def queue_of(array):
    return ht.asarray(array).queue


@pytest.mark.parametrize("listing", ["xpu_default_pkg2", "xpu_default_pkg3", "xpu_default_pkg4"])
def test_b02_a_package_allocates_and_computes_on_its_default_queue(packages, gpu, listing):
    package = listing.removeprefix("xpu_default_")
    names = {"pkg2": packages("pkg2")}
    its = packages(package)
    # As printed: on hither's default queue, until the listing changes it.
    printed.run(listing, names, {"gpu:1": gpu["gpu:1"]})
    for name, shape in (("A1", (50, 10)), ("A2", (10, 30)), ("A3", (50, 30))):
        assert queue_of(names[name]) == ht.current_queue()
        assert ht.asarray(names[name]).shape == shape
    if package != "pkg2":
        names["pkg2"].set_default_queue(gpu["gpu:1"])  # pkg3's listing calls its dot
        its.set_default_queue(gpu["gpu:1"])
    for _ in range(2):
        assert queue_of(its.allocate(3)) == gpu["gpu:1"]
        printed.run(listing, names, {"gpu:1": gpu["gpu:1"]})
        assert [queue_of(names[name]) for name in ("A1", "A2", "A3")] == [gpu["gpu:1"]] * 3
    its.set_default_queue(None)
    assert queue_of(its.allocate(3)) == ht.current_queue()


def test_b01_a_package_whose_functions_take_a_queue(packages, gpu):
    q = gpu["gpu:2"]
    names = printed.run("xpu_default_pkg1", {"q": q, "pkg1": packages("pkg1")})
    assert names["A1"].queue == names["A2"].queue == names["A3"].queue == q
    assert names["A3"].shape == (50, 30)


def test_b23_a_package_takes_queues_to_allocate_and_to_compute(packages, gpu):
    alloc_q = gpu["gpu:1"]
    compute_q = ht.Queue(alloc_q.context, alloc_q.device)
    names = {"pkg1": packages("pkg1"), "alloc_q": alloc_q, "compute_q": compute_q,
             "shape1": (5, 5), "shape2": (5, 5)}  # fmt: skip
    printed.run("xpu_user_pkg1", names)
    assert names["A1"].queue == names["A2"].queue == alloc_q
    assert names["A3"].queue == compute_q


@pytest.mark.parametrize("listing", ["xpu_user_pkg2", "xpu_user_pkg4"])
def test_b03_blocks_give_a_package_its_queues(packages, gpu, listing):
    package = packages(listing.removeprefix("xpu_user_"))
    names = {"shape1": (4, 4), "shape2": (4, 4)}
    before = queue_of(package.allocate(1))
    printed.run(listing, names, gpu)
    assert queue_of(names["A1"]) == queue_of(names["A2"]) == gpu["gpu:1"]
    assert queue_of(names["A1c"]) == queue_of(names["A2c"]) == gpu["gpu:2"]
    assert queue_of(names["A3"]) == gpu["gpu:2"]
    assert queue_of(package.allocate(1)) == before


def test_b03_a_package_computes_on_the_queue_of_its_data(packages, gpu):
    packages("pkg3")
    names = printed.run("xpu_user_pkg3", {"shape1": (4, 4), "shape2": (4, 4)}, gpu)
    assert names["A1"].queue == names["A2"].queue == gpu["gpu:1"]
    assert names["A1c"].queue == names["A2c"].queue == names["A3"].queue == gpu["gpu:2"]


def test_b03_arrays_are_made_on_the_queue_of_a_packages_block(packages, gpu):
    """Managers and contexts share one stack. hither's functions use the innermost queue."""
    package = packages("pkg2")
    first, second = gpu.values()
    x = ht.arange(4.0, queue=first)
    outside = ht.current_queue()
    with package.current(second):
        assert (ht.zeros(3).queue, x.copy_to().queue) == (second, second)
        assert ht.asarray([1.0, 2.0]).queue == ht.random.default_rng(1).random(3).queue == second
        with ht.shared_queues.current(first):
            assert (ht.ones(3).queue, x.copy_to().queue) == (first, first)
            with ht.device_context(second):
                assert (ht.linspace(0, 1, 3).queue, x.copy_to().queue) == (second, second)
                assert ht.shared_queues.queue() == second
                assert package.allocate(3).data.queue == second
            assert ht.eye(3).queue == ht.current_queue() == first
        assert ht.current_queue() == second
        assert ht.get_context() is None  # so Numba functions are not offloaded
    assert (ht.zeros(3).queue, ht.current_queue()) == (outside, outside)


def test_b13_copy_to_takes_the_queue_of_the_innermost_block(gpu):
    first, second = gpu.values()
    x = ht.arange(4.0, queue=first)
    for block in (ht.shared_queues.current, ht.QueueManager().current, ht.device_context):
        with block(second):
            moved = x.copy_to()
        assert moved.queue == second
        assert ht.asnumpy(moved).tolist() == ht.asnumpy(x).tolist() == [0, 1, 2, 3]
        moved[...] = 9
        assert ht.asnumpy(x).tolist() == [0, 1, 2, 3]


def test_b04_a_block_of_one_package_is_not_another_packages_default(gpu):
    first, second = gpu.values()
    mine, other, free = ht.QueueManager(first), ht.QueueManager(first), ht.QueueManager()
    with mine.current(second):
        assert mine.queue() == second
        assert other.queue() == first  # its own default
        assert free.queue() == second  # without a default: the innermost queue
        with ht.device_context(first):
            assert mine.queue() == first
        assert mine.queue() == second
    assert mine.queue() == first


@pytest.mark.usefixtures("compat_names")
def test_b04_dpctls_manager_is_for_packages_to_use(gpu):
    import dpctl

    manager = dpctl._SyclQueueManager()
    assert issubclass(dpctl._SyclQueueManager, ht.QueueManager)
    manager.set_default_queue(gpu["gpu:1"])
    with manager.current(gpu["gpu:2"]):
        assert manager.get_current_queue() == dpctl.get_current_queue() == gpu["gpu:2"]
        assert ht.zeros(3).queue == gpu["gpu:2"]
        assert not dpctl.is_in_device_context() and dpctl.get_num_activated_queues() == 0
    assert manager.get_current_queue() == gpu["gpu:1"]
    assert manager.get_current_device_type() == gpu["gpu:1"].device.device_type
    assert manager.get_current_backend() == gpu["gpu:1"].backend


def test_b04_each_package_has_a_default_of_its_own(packages, gpu):
    names = {"shape1": 3, "shape2": 3, "host_module": type("host_module", (), {"compute":
        staticmethod(lambda a, b: ht.asnumpy(ht.asarray(a)) + ht.asnumpy(b))})}  # fmt: skip
    packages("pkg2"), packages("pkg3")
    printed.run("xpu_interoperability_pkg2_pkg3", names, gpu, arguments="(3,)")
    assert queue_of(names["A4"]) == gpu["gpu:1"] == names["A5"].queue
    assert queue_of(names["A1"]) == gpu["gpu:1"]
    assert queue_of(names["A3"]) == queue_of(names["A1c"]) == gpu["gpu:2"]
    assert names["A6"].tolist() == [1, 1, 1]
    with names["pkg2"].current(gpu["gpu:2"]):
        assert names["pkg3"].allocate(3).queue == gpu["gpu:1"]


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


def test_b06_an_object_that_holds_a_queue_is_copied_with_it(two_queues):
    for queue in two_queues:
        lapack = ht.lapack(queue=queue)
        for holder in (Estimator(queue), lapack, [queue]):
            for made in (copy.copy(holder), copy.deepcopy(holder)):
                same = made[0] if isinstance(made, list) else made.queue
                assert same == queue and hash(same) == hash(queue)
        assert copy.copy(queue) == copy.deepcopy(queue) == queue


SENT = """
import pickle, sys
queue, properties = pickle.load(sys.stdin.buffer)
import hither as ht
assert isinstance(queue, ht.Queue), queue
assert (queue.in_order, queue.enable_profiling) == properties
assert queue.equivalent(pickle.loads(pickle.dumps(queue)))
total = float(ht.ones(5, queue=queue).sum())
print(queue.device.filter_string, queue.device.max_compute_units, total)
"""


@pytest.mark.parametrize("profiling", [False, True])
@pytest.mark.parametrize("in_order", [False, True])
def test_b06_a_queue_is_pickled_by_its_device_and_properties(device, in_order, profiling):
    queue = ht.Queue(device, in_order=in_order, enable_profiling=profiling)
    here = pickle.loads(pickle.dumps(queue))
    assert here.equivalent(queue)
    given = pickle.dumps((queue, (in_order, profiling)))
    done = subprocess.run(
        [sys.executable, "-c", SENT], input=given, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    expected = f"{device.filter_string} {device.max_compute_units} 5.0\n"
    assert done.stdout.decode() == expected
    default = device.default_queue
    assert pickle.loads(pickle.dumps(default)) == default


def test_b06_a_queue_on_a_sub_device_is_pickled_with_its_partition(sub_devices):
    for part in sub_devices:
        queue = ht.Queue(part)
        here = pickle.loads(pickle.dumps(queue))
        assert here.equivalent(queue) and here.device == part
        done = subprocess.run(
            [sys.executable, "-c", SENT],
            input=pickle.dumps((queue, (True, False))),
            capture_output=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert done.stdout.decode().split()[1:] == ["1", "5.0"]
    halves = sub_devices[0].parent_device.create_sub_devices(partition=1)
    assert [pickle.loads(pickle.dumps(part)) for part in halves] == halves


def test_b08_one_package_computes_with_the_arrays_of_another(packages, device, monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", str(device))
    packages("pkgA"), packages("pkgB")
    names = printed.run("xpu_interoperability_pkga_pkgb", {})
    assert names["A"].queue == names["B"].queue == device.default_queue
    assert float(names["B"]) == 1000


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
def test_a_manager_refuses_objects_that_name_no_device(gpu, bad):
    manager = ht.QueueManager(gpu["gpu:1"])
    for call in (manager.queue, manager.set_default_queue, ht.QueueManager):
        with pytest.raises((ValueError, TypeError)):
            call(bad)
    with pytest.raises((ValueError, TypeError)), manager.current(bad):
        pass
    assert manager.queue() == gpu["gpu:1"]
