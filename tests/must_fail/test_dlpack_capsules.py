"""DLPack tensors with inconsistent fields: refused, released once, and never read."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import hither as ht
from fuzz.dlpack_capsules import Producer

pytestmark = pytest.mark.either_mode

MEMORY = np.arange(24.0)
RIGHT = {
    "data": MEMORY.ctypes.data,
    "device_type": 1,
    "ndim": 2,
    "code": 2,
    "bits": 64,
    "lanes": 1,
    "shape": [4, 6],
    "strides": [6, 1],
}


@pytest.mark.parametrize("versioned", [False, True])
def test_the_right_one_is_taken(versioned: bool) -> None:
    producer = Producer(RIGHT, MEMORY, versioned=versioned)
    x = ht.from_dlpack(producer)
    np.testing.assert_array_equal(ht.asnumpy(x), MEMORY.reshape(4, 6))
    assert producer.deletions == 0
    del x
    gc.collect()
    ht.synchronize(ht.ones(1))
    assert producer.deletions == 1


WRONG = {
    "the offset leads out of all memory": ({"byte_offset": 2**63}, "byte_offset"),
    "the offset leads around": ({"byte_offset": 2**64 - 8 * 2**20}, "byte_offset"),
    "the offset leads to where no address is": ({"byte_offset": 2**63 - 2**40}, "byte_offset"),
    "elements at null": ({"data": None}, "null"),
    "no shape": ({"shape": None}, "shape"),
    "a negative extent": ({"shape": [4, -6]}, "negative"),
    "too many elements": ({"shape": [2**40, 2**40], "strides": None}, "elements"),
    "strides beyond 64 bits": ({"strides": [2**62, 1]}, "64 bits"),
    "strides below all memory": ({"strides": [-(2**58), 1]}, "address space|64 bits"),
    "too many dimensions": ({"ndim": 33, "shape": [1] * 33, "strides": None}, "dimensions"),
    "a negative number of dimensions": ({"ndim": -1}, "dimensions"),
    "not aligned": ({"byte_offset": 3}, "aligned"),
    "a type of many lanes": ({"lanes": 2}, "lanes"),
    "an unknown type": ({"code": 77}, "code 77"),
    "an unknown device": ({"device_type": 99}, "device type 99"),
}


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_one_is_refused_and_deleted(what: str, versioned: bool) -> None:
    fields, words = WRONG[what]
    producer = Producer(RIGHT | fields, MEMORY, versioned=versioned)
    with pytest.raises((BufferError, ValueError), match=words):
        ht.from_dlpack(producer)
    assert producer.deletions == 1


@pytest.mark.parametrize("device", [None, (), (1,), (1, "0"), "cpu", (2**40, 0), (1, 0, 0)])
def test_a_device_that_is_no_pair_is_refused(device: object) -> None:
    producer = Producer(RIGHT, MEMORY)
    producer.device = device
    with pytest.raises(TypeError, match="__dlpack_device__"):
        ht.from_dlpack(producer)
    assert producer.deletions == 0
