"""Random fields of __sycl_usm_array_interface__: a clear error or a view, never a crash."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

import hither as ht

pytestmark = pytest.mark.either_mode

NAME = "__sycl_usm_array_interface__"
BYTES = 256
DTYPES = ["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8",
          "<c8", "<c16"]  # fmt: skip


class Producer:
    def __init__(self, fields):
        self.__sycl_usm_array_interface__ = fields


class Mean:
    """An object with every attribute; the attributes raise or are useless."""

    def __init__(self, what):
        self.what = what

    def __getattr__(self, name):
        if name not in ("sycl_queue", "sycl_device", "filter_string", "_get_capsule"):
            raise AttributeError(name)
        if self.what == "raises":
            raise ValueError("mean")
        return self if self.what == "itself" else Mean(self.what + "x")

    def __repr__(self):
        return f"Mean({self.what})"


class MeanFunction(Mean):
    def __call__(self):
        return self


integers = st.one_of(
    st.integers(-3, 40), st.integers(-(2**65), 2**65), st.sampled_from([2**63 - 1, -(2**63)])
)
objects = st.one_of(
    st.none(), st.booleans(), integers, st.floats(), st.text(max_size=4), st.binary(max_size=4),
    st.sampled_from([Mean("raises"), Mean("itself"), MeanFunction("itself"), object(), int,
                     np.int64(3), np.float32(1), ht, [], {}, ()]),
)  # fmt: skip
garbage = st.recursive(
    objects, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.lists(inner, max_size=3)
)
small = st.integers(-2, 9)
tuples = st.lists(st.one_of(small, small, small, integers), max_size=4).map(tuple)


def fields_of(memory):
    """Each field is right, nearly right or garbage."""
    here = memory.pointer
    addresses = st.one_of(st.integers(here - 8, here + BYTES + 8), st.just(here), integers)
    flags = st.one_of(st.booleans(), st.booleans(), objects)
    syclobjs = [memory.queue, memory.context, memory.device, memory.device.filter_string,
                memory.queue._get_capsule(), memory.context._get_capsule()]  # fmt: skip
    return {
        "shape": st.one_of(tuples, tuples, garbage),
        "typestr": st.one_of(*4 * [st.sampled_from(DTYPES)], garbage, st.text("<>|=fiucbV148")),
        "typedescr": st.one_of(st.none(), st.just([("", "<f4")]), garbage),
        "data": st.one_of(*4 * [st.tuples(addresses, flags)], garbage),
        "strides": st.one_of(st.none(), st.none(), tuples, garbage),
        "offset": st.one_of(st.just(0), st.just(0), small, garbage),
        "version": st.one_of(*6 * [st.just(1)], garbage),
        "syclobj": st.one_of(*6 * [st.sampled_from(syclobjs)], garbage),
    }


def expected(memory, fields):
    """NumPy's view of the same fields, computed with Python's integers."""
    host = np.frombuffer(memory, np.uint8)
    dtype = np.dtype(fields["typestr"])
    shape = fields["shape"]
    strides = fields.get("strides")
    if strides is None:
        strides = [int(np.prod(shape[i + 1 :], dtype=object)) for i in range(len(shape))]
    first = fields["data"][0] - memory.pointer + (fields.get("offset") or 0) * dtype.itemsize
    if 0 in shape:
        return np.empty(shape, dtype)
    steps = [(n - 1) * s * dtype.itemsize for n, s in zip(shape, strides, strict=True)]
    low = first + sum(s for s in steps if s < 0)
    high = first + sum(s for s in steps if s > 0) + dtype.itemsize
    assert low >= 0 and high <= BYTES, "a view beyond the allocation"
    assert first % min(dtype.itemsize, 8) == 0, "a view of misaligned elements"
    base = host[first : first + dtype.itemsize].view(dtype)
    return as_strided(base, shape, [s * dtype.itemsize for s in strides])


@pytest.fixture(scope="module")
def filled():
    # Bytes that are right as booleans too, and as floats no nan.
    memory = ht.MemoryUSMShared(BYTES, queue="cpu")
    memory.copy_from_host(np.tile(np.array([1, 0, 0, 1], np.uint8), BYTES // 4))
    return memory


@pytest.fixture(autouse=True)
def nothing_leaks():
    """The memory of this module outlives its tests."""


def names_a_field(error):
    return NAME in str(error)


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_any_fields_give_an_error_or_the_right_view(filled, data):
    given_fields = {name: data.draw(values, name) for name, values in fields_of(filled).items()}
    for name in data.draw(st.sets(st.sampled_from(list(given_fields)), max_size=1), "missing"):
        del given_fields[name]
    producer = Producer(given_fields)
    try:
        x = ht.asarray(producer)
    except ht.Error as error:
        assert names_a_field(error), error
        return
    except ValueError as error:
        assert str(error) == "mean"  # the producer's own
        return
    right = expected(filled, given_fields)
    assert (x.shape, x.dtype) == (right.shape, right.dtype)
    assert x.queue.context == filled.context
    assert x.usm_type == "shared" or right.size == 0
    assert x.flags["WRITEABLE"] is not given_fields["data"][1]
    if right.size < 10**6:
        np.testing.assert_array_equal(ht.asnumpy(x), right)


@settings(max_examples=300, deadline=None)
@given(fields=garbage)
def test_an_interface_that_is_anything(fields):
    with pytest.raises((ht.Error, ValueError)):
        ht.asarray(Producer(fields))


@settings(max_examples=300, deadline=None)
@given(keys=st.dictionaries(garbage.filter(lambda k: isinstance(k, (str, int, bytes))), garbage))
def test_a_dict_of_anything(keys):
    with pytest.raises(ht.Error, match=NAME):
        ht.UsmView(Producer(keys))


class Unprintable:
    def __repr__(self):
        return "\ud800"


@pytest.mark.parametrize("value", ["\ud800", Unprintable(), [Unprintable()], "long" * 10**6])
@pytest.mark.parametrize(
    "name", ["shape", "typestr", "typedescr", "data", "strides", "offset", "version", "syclobj"]
)
def test_what_cannot_be_printed_is_refused_in_short(filled, name, value):
    fields = {**filled.__sycl_usm_array_interface__, name: value}
    with pytest.raises(ht.Error) as caught:
        ht.UsmView(Producer(fields))
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("form", [Mean("itself"), MeanFunction("itself"), Mean("raises")])
def test_a_queue_that_leads_nowhere(form):
    with pytest.raises((ht.InvalidTypeError, ValueError)):
        ht.zeros(3, queue=form)
    with pytest.raises((ht.InvalidTypeError, ValueError)):
        ht.Context(form)
