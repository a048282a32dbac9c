"""Mistakes with groups, local memory, device functions and items, and their errors."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode


@pytest.fixture
def x():
    return ht.zeros(64)


def refusal(kernel, *arguments, error=ht.CompileError, launch=None):
    with pytest.raises(error) as caught:
        kernel[ht.NdRange(64, 8) if launch is None else launch](*arguments)
    return str(caught.value)


def test_a_kernel_with_groups_wants_an_nd_range(x):
    @ht.kernel
    def grouped(x):
        ht.barrier()
        x[ht.get_global_id(0)] = 1

    text = refusal(grouped, x, error=ht.InvalidValueError, launch=64)
    assert "NdRange" in text and "grouped" in text
    assert not ht.asnumpy(x).any()


def test_a_barrier_that_some_items_miss_is_refused_with_its_line(x):
    @ht.device_func
    def synchronise(item):
        ht.group_barrier(item.get_group())

    @ht.kernel
    def by_name(x):
        if ht.get_local_id(0) < 3:
            ht.barrier()
        x[ht.get_global_id(0)] = 1

    @ht.kernel
    def by_group(item, x):
        k = item.get_local_id(0)
        if x[k] > 2:
            x[k] = ht.group_reduce(item.get_group(), k, "add")
        x[k] += 1

    @ht.kernel
    def by_function(item, x):
        while x[item.get_local_id(0)] > 2:
            synchronise(item)

    here = by_name.py_func.__code__.co_firstlineno
    for kernel, line, name in (
        (by_name, here + 3, "the barrier"),
        (by_group, by_group.py_func.__code__.co_firstlineno + 4, "group_reduce"),
        (by_function, synchronise.py_func.__code__.co_firstlineno + 2, "the barrier"),
    ):
        text = refusal(kernel, x)
        assert f"{__file__}:{line}, {name} is not reached by all work-items" in text
    assert not ht.asnumpy(x).any()


def test_local_arrays_have_constant_shapes(x):
    @ht.kernel
    def sized(n, x):
        x[0] = ht.local.array(n, ht.float32)[0]

    text = refusal(sized, 4, x)
    assert "local.array: shape must be a constant" in text and "LocalAccessor" in text


@pytest.mark.parametrize("shape", [0, -1, (2, 2, 2, 2), 2.5, "many"])
def test_shapes_that_are_none(x, shape):
    @ht.kernel
    def shaped(x):
        x[0] = ht.private.array(shape, ht.float32)[0]

    assert "private.array: shape: " in refusal(shaped, x)


def test_local_arrays_hold_numbers(x):
    @ht.kernel
    def objects(x):
        ht.local.array(4, object)
        x[0] = 1

    assert "local.array" in refusal(objects, x)


def test_local_accessors_check_their_shape():
    with pytest.raises(ht.InvalidValueError, match="not an extent"):
        ht.LocalAccessor(-1, ht.float32)
    with pytest.raises(ht.InvalidValueError, match="1 to 3 dimensions"):
        ht.LocalAccessor((1, 2, 3, 4), ht.float32)


def test_too_much_local_memory_is_refused_with_numbers(x):
    @ht.kernel
    def greedy(x, scratch):
        k = ht.get_local_id(0)
        scratch[k] = x[k]
        ht.barrier()
        x[ht.get_global_id(0)] = scratch[0]

    most = x.device.local_mem_size
    text = refusal(greedy, x, ht.LocalAccessor(most, ht.float64), error=ht.InvalidValueError)
    assert str(8 * most) in text and str(most) in text and "local_mem_size" in text


@pytest.mark.usefixtures("cpu_by_default")
@pytest.mark.parametrize("local", [0, 64])
def test_too_much_private_memory_is_refused_with_numbers(x, local):
    launch = ht.NdRange(64, local) if local else 64

    def kernel_with(count):
        @ht.kernel
        def greedy(x):
            own = ht.private.array(count, ht.float64)
            k = ht.get_global_id(0)
            for j in range(count):
                own[j] = k + j
            if local:
                ht.barrier()
            x[k] = own[count - 1 - k]

        return greedy

    assert "bytes of private memory" in refusal(kernel_with(10**7), x, launch=launch)
    most = 60_000  # half a megabyte
    kernel_with(most)[launch](x)
    assert ht.asnumpy(x).tolist() == [most - 1] * 64


@pytest.mark.usefixtures("cpu_by_default")
def test_groups_whose_private_arrays_need_too_much_are_refused(x):
    @ht.kernel
    def greedy(x):
        own = ht.private.array(50_000, ht.float64)
        k = ht.get_global_id(0)
        for j in range(50_000):
            own[j] = k + j
        ht.barrier()
        x[k % 64] = own[k]

    text = refusal(greedy, x, launch=ht.NdRange(1024, 1024))
    assert "a work-group of 1024 items needs 409" in text


def test_group_functions_take_groups_and_known_operations(x):
    @ht.kernel
    def no_group(x):
        x[0] = ht.group_reduce(1, x[0], "add")

    @ht.kernel
    def no_operation(x):
        x[0] = ht.group_reduce(ht.get_group(), x[0], "sub")

    @ht.kernel
    def bits_of_floats(x):
        x[0] = ht.group_reduce(ht.get_group(), x[0], "xor")

    @ht.kernel
    def shuffled_group(x):
        x[0] = ht.shuffle(ht.get_group(), x[0], 0)

    assert "takes a group" in refusal(no_group, x)
    assert "'sub' is none of add, mul" in refusal(no_operation, x)
    assert "works on integers" in refusal(bits_of_floats, x)
    assert "sub-group" in refusal(shuffled_group, x)


def test_calls_are_checked_against_the_signature(x):
    @ht.kernel
    def wrong(x):
        ht.barrier(fences=1)
        x[0] = 1

    assert "barrier: got an unexpected keyword argument 'fences'" in refusal(wrong, x)


def test_dimensions_are_constants_in_range(x):
    @ht.kernel
    def beyond(x):
        x[0] = ht.get_local_id(3)

    @ht.kernel
    def unknown(x, d):
        x[0] = ht.get_group_id(d)

    assert "dimension 3 does not exist" in refusal(beyond, x)
    assert "must be a constant" in refusal(unknown, x, 1)


def test_mutual_recursion_is_refused(x):
    namespace = {"ht": ht}
    exec(
        "def even(n):\n    return n == 0 or odd(n - 1)\n"
        "def odd(n):\n    return n != 0 and even(n - 1)\n",
        namespace,
    )
    namespace["even"] = ht.device_func(namespace["even"])
    namespace["odd"] = ht.device_func(namespace["odd"])
    even = namespace["even"]

    @ht.kernel
    def recursive(x):
        x[0] = even(5)

    assert "cannot call itself" in refusal(recursive, x)


def test_device_functions_with_signatures_take_no_other_types(x):
    @ht.device_func(["f8(f8)", "i8(i8)"])
    def twice(value):
        return value + value

    @ht.kernel
    def wrong(x):
        x[0] = twice(x)

    assert "twice is declared for" in refusal(wrong, x)


def test_what_is_no_signature_is_refused():
    with pytest.raises(TypeError, match="1 is not a signature"):
        ht.kernel([1, 2])
    with pytest.raises(TypeError, match="is not a signature"):
        ht.kernel("void(f8[")(lambda x: None)


def test_tuples_hold_no_local_accessors_and_no_text(x):
    @ht.kernel
    def taken(t, x):
        x[0] = t[0]

    assert "must be an argument itself" in refusal(taken, (ht.LocalAccessor(4, "f4"),), x)
    with pytest.raises(TypeError, match=r"t\[0\] is a str"):
        taken[64](("a",), x)


def test_records_with_objects_are_refused(x):
    @ht.kernel
    def taken(r, x):
        x[0] = 1

    record = np.zeros(1, [("a", object)])
    with pytest.raises(ht.CompileError, match="Python objects"):
        taken[1](record, np.zeros(1), queue="cpu")
