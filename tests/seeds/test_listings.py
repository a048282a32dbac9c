"""Every listing of the documents runs through hither.compat and does what its comment says."""

from __future__ import annotations

import numpy
import pytest

import hither as ht
from seeds import listings

pytestmark = pytest.mark.usefixtures("compat_names")

PRODUCT = [1, 4, 9, 16]


class Program:
    """Names that grow from listing to listing."""

    def __init__(self, **queues):
        import dpctl
        import numba_dppy

        self.names = {"dpctl": dpctl, "numba_dppy": numba_dppy, "numpy": numpy, **queues}
        self.run(listings.KERNEL)

    def run(self, listing):
        exec(listings.corrected(listing), self.names)

    def refuse(self, listing):
        with pytest.raises(ht.PlacementError) as caught:
            self.run(listing)
        assert numpy.array_equal(ht.asnumpy(self.names["c"]), [1, 2, 3, 4])  # untouched
        return str(caught.value)

    @property
    def result(self):
        return ht.asnumpy(self.names["c"]).tolist()


@pytest.fixture
def program(two_queues):
    """gpu_queue is not equivalent to gpu_queue_1, which is equivalent to gpu_queue_2."""
    first, second = two_queues
    again = ht.Queue(second.context, second.device)
    return Program(gpu_queue=first, gpu_queue_1=second, gpu_queue_2=again)


@pytest.fixture
def apart(two_queues):
    """gpu_queue_1 is not equivalent to gpu_queue_2."""
    first, second = two_queues
    return Program(gpu_queue=first, gpu_queue_1=first, gpu_queue_2=second)


def test_one_queue(program):
    program.run(listings.ONE_QUEUE)
    assert program.result == PRODUCT


def test_non_equivalent_queues(program):
    message = program.refuse(listings.NON_EQUIVALENT_QUEUES)
    assert "a" in message and "equivalent" in message


def test_equivalent_queues(program):
    program.run(listings.EQUIVALENT_QUEUES)
    assert program.result == PRODUCT


def test_mixed_usm_types(program):
    program.run(listings.MIXED_USM_TYPES)
    assert program.result == PRODUCT
    kinds = [program.names[name].usm_type for name in "abc"]
    assert kinds == ["shared", "device", "host"]


def test_asarray_makes_data_compatible(apart):
    apart.refuse(listings.NOT_YET_COMPATIBLE)
    apart.run(listings.MADE_COMPATIBLE)
    assert apart.result == PRODUCT
    assert apart.names["a_queue_2"].queue == apart.names["gpu_queue_2"]


def test_numpy_arrays(program):
    program.refuse(listings.NUMPY_ARRAYS)
    program.run(listings.NUMPY_ARRAYS_IN_A_CONTEXT)
    assert program.result == PRODUCT


def test_mixed_arrays(apart):
    apart.refuse(listings.MIXED_ARRAYS)
    apart.refuse(listings.MIXED_ARRAYS_IN_A_CONTEXT)
    apart.refuse(listings.MIXED_ARRAYS_IN_THEIR_CONTEXT)
