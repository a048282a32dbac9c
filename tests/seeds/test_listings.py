"""Every listing of the pages on compute follows data runs through hither.compat, as printed, and
behaves as its comment says: the kernel runs on the queue that the comment names."""

from __future__ import annotations

import numpy
import pytest

import hither as ht
from seeds import printed

pytestmark = pytest.mark.usefixtures("compat_names")

PRODUCT = [1, 4, 9, 16]


class Program:
    """The globals that successive listings share, and the queues for their strings."""

    def __init__(self, **queues):
        import dpctl
        import numba_dppy

        self.queues = queues
        self.names = {"dpctl": dpctl, "numba_dppy": numba_dppy, "numpy": numpy}
        self.run("cfd_kernel")

    def run(self, listing):
        ht.clear_kernel_history()
        printed.run(listing, self.names, self.queues)

    def refuse(self, listing):
        before = ht.counters()["launches"]
        with pytest.raises(ht.PlacementError) as caught:
            self.run(listing)
        assert ht.counters()["launches"] == before
        assert numpy.array_equal(ht.asnumpy(self.names["c"]), [1, 2, 3, 4])  # untouched
        return str(caught.value)

    def check_product_on(self, *queues):
        """The kernel f ran once, on one of the queues, and the product is right."""
        ran = [entry.device for entry in ht.kernel_history() if entry.name.startswith("f")]
        assert len(ran) == 1
        assert ran[0] in [self.queues[name].device.filter_string for name in queues]
        assert ht.asnumpy(self.names["c"]).tolist() == PRODUCT


@pytest.fixture
def program(two_queues):
    """gpu_queue is not equivalent to gpu_queue_1, which is equivalent to gpu_queue_2."""
    first, second = two_queues
    again = ht.Queue(second.context, second.device)
    return Program(gpu_queue=first, gpu_queue_1=second, gpu_queue_2=again)


@pytest.fixture
def two_queue_program(two_queues):
    """gpu_queue_1 is not equivalent to gpu_queue_2."""
    first, second = two_queues
    return Program(gpu_queue=first, gpu_queue_1=first, gpu_queue_2=second)


def test_a01_one_queue(program):
    program.run("cfd_one_queue")
    program.check_product_on("gpu_queue")


def test_a04_non_equivalent_queues(program):
    message = program.refuse("cfd_non_equivalent_queues")
    assert "a (" in message and "equivalent" in message


def test_a05_equivalent_queues(program):
    program.run("cfd_equivalent_queues")
    program.check_product_on("gpu_queue_1", "gpu_queue_2")


def test_a06_mixed_usm_types(program):
    program.run("cfd_mixed_usm_types")
    program.check_product_on("gpu_queue")
    kinds = [program.names[name].usm_type for name in "abc"]
    assert kinds == ["shared", "device", "host"]


def test_a08_asarray_makes_data_compatible(two_queue_program):
    program = two_queue_program
    program.refuse("cfd_not_yet_compatible")
    program.run("cfd_made_compatible")
    program.check_product_on("gpu_queue_2")
    assert program.names["a_queue_2"].queue == program.queues["gpu_queue_2"]


def test_a10_a11_numpy_arrays(program):
    message = program.refuse("cfd_numpy_arrays")
    assert "the queue can not be determined" in message
    program.run("cfd_numpy_arrays_in_a_context")
    program.check_product_on("gpu_queue")


def test_a12_mixed_arrays(two_queue_program):
    two_queue_program.refuse("cfd_mixed_arrays")
    two_queue_program.refuse("cfd_mixed_arrays_in_a_context")
    two_queue_program.refuse("cfd_mixed_arrays_in_their_context")


def test_every_listing_is_run_by_a_test():
    """Each file in listings/ is named by a test."""
    here = printed.FOLDER.parent
    tests = "".join(path.read_text() for path in here.glob("test_*.py"))
    files = [path.stem for path in printed.FOLDER.iterdir() if path.suffix == ".py"]
    assert len(files) == 32
    assert [name for name in files if f'"{name}"' not in tests] == []
    assert set(printed.CORRECTIONS) <= set(files)
