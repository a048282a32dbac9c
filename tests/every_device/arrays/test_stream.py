"""hither.stream() and hither.blocks(): arrays on the host that a device computes with in blocks."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from hither._tools import host_blocks
from property_tests import examples

DTYPES = ["bool", "uint8", "int16", "int64", "float16", "float32", "complex64"]


@pytest.fixture(params=[False, True], ids=["in_order", "overlapped"])
def way(request, monkeypatch):
    """Both ways to compute, on every device."""
    monkeypatch.setattr(host_blocks, "overlaps", lambda target: request.param)


def some(shape, dtype="float64", seed=0):
    drawn = np.random.default_rng(seed).integers(0, 100, shape)
    return (drawn % 2 == 0) if dtype == "bool" else drawn.astype(dtype)


def test_blocks_cover_every_array(way, queue):
    @settings(max_examples=examples(20), deadline=None)
    @given(st.data())
    def check(data):
        rows = data.draw(st.integers(0, 40))
        rest = data.draw(st.sampled_from([(), (3,), (2, 0), (2, 3)]))
        block = data.draw(st.one_of(st.none(), st.integers(1, 45)))
        x = some((rows, *rest), data.draw(st.sampled_from(DTYPES)))
        layout = data.draw(st.sampled_from(["c", "reversed", "swapped", "fortran"]))
        if layout == "reversed":
            x = x[::-1]
        elif layout == "swapped":
            x = x.astype(x.dtype.newbyteorder())
        elif layout == "fortran":
            x = np.asfortranarray(x)
        y = ht.stream(
            lambda part: ht.where(part == 2, part + part, part), x, block=block, queue=queue
        )
        expected = np.where(x == 2, x + x, x)
        np.testing.assert_array_equal(y, expected, strict=layout != "swapped")
        parts = [ht.asnumpy(part) for part in ht.blocks(x, block=block, queue=queue)]
        assert sum(len(part) for part in parts) == rows
        if parts:
            np.testing.assert_array_equal(np.concatenate(parts), x)

    check()


def test_several_arrays_and_results(way, queue):
    a, b = some((11, 4)), some(11, "int32", 1)
    total, largest = ht.stream(
        lambda x, y: (x + y[:, None], ht.max(x, axis=1)), a, b, block=3, queue=queue
    )
    np.testing.assert_array_equal(total, a + b[:, None])
    np.testing.assert_array_equal(largest, a.max(axis=1))


def test_out_receives_the_results(way, queue, tmp_path):
    x = some((10, 3))
    big = np.zeros((10, 6), "float32")
    swapped = np.zeros((10, 3), ">f8")
    mapped = np.memmap(tmp_path / "y", "float64", "w+", shape=(10, 3))
    out = (mapped, big[:, ::2], swapped)
    found = ht.stream(lambda p: (p.T.copy().T, p + 1, p + 2), x, block=4, out=out, queue=queue)
    assert found[0] is mapped
    np.testing.assert_array_equal(mapped, x)
    np.testing.assert_array_equal(big[:, ::2], x + 1)
    assert not big[:, 1::2].any()
    np.testing.assert_array_equal(swapped, x + 2)


def test_out_may_be_the_array(way, queue):
    x = some((50, 2))
    expected = x * 2
    assert ht.stream(lambda part: part * 2, x, block=7, out=x, queue=queue) is x
    np.testing.assert_array_equal(x, expected)
    columns = some((50, 2))
    ht.stream(lambda p: p + 1, columns[:, 0], block=7, out=columns[:, 1], queue=queue)
    np.testing.assert_array_equal(columns[:, 1], columns[:, 0] + 1)


def test_the_function_runs_in_this_thread_and_on_the_queue(way, queue):
    weights = ht.arange(3.0, queue=queue)
    seen = []

    def f(part):
        seen.append((threading.current_thread(), part.queue.equivalent(queue)))
        part[0] = 0  # the block is a copy
        return part * weights + ht.ones(3)  # ones() is on the block's queue

    x = some((9, 3))
    kept = x.copy()
    y = ht.stream(f, x, block=4, queue=queue)
    np.testing.assert_array_equal(x, kept)
    kept[[0, 4, 8]] = 0
    np.testing.assert_array_equal(y, kept * np.arange(3.0) + 1)
    assert seen == [(threading.current_thread(), True)] * 3


def test_blocks_of_a_data_set(way, queue):
    class DataSet:
        """A file of HDF5 has these attributes."""

        shape, dtype = (20,), np.dtype("int32")

        def __getitem__(self, rows):
            return np.arange(20, dtype="int32")[rows]

    assert int(sum(part.sum() for part in ht.blocks(DataSet(), block=6, queue=queue))) == 190


def test_kept_blocks_keep_their_elements(way, queue):
    x = some(40)
    kept = list(ht.blocks(x, block=3, queue=queue))
    np.testing.assert_array_equal(np.concatenate([ht.asnumpy(part) for part in kept]), x)
    pairs = list(ht.blocks(x, x + 1, block=30, queue=queue))
    assert [len(pair[1]) for pair in pairs] == [30, 10]


def test_a_loop_may_end_early(way, queue):
    before = threading.active_count()
    for part in ht.blocks(some(100), block=5, queue=queue):
        assert part.shape == (5,)
        break
    assert threading.active_count() <= before + 1


def test_an_error_names_the_block(way, queue):
    def f(part):
        if float(part[0]) == 6:
            raise KeyError("no")
        return part

    out = np.zeros(10)
    with pytest.raises(KeyError) as caught:
        ht.stream(f, np.arange(10.0), block=3, out=out, queue=queue)
    assert caught.value.__notes__ == ["This happened in block 2: rows 6 to 8 of 10."]
    assert list(out[:6]) == [0, 1, 2, 3, 4, 5]

    class Broken:
        shape, dtype = (6,), np.dtype("float32")

        def __getitem__(self, rows):
            if rows.start > 2:
                raise OSError("the disk")
            return np.zeros(rows.stop - rows.start, "float32")

    with pytest.raises(OSError, match="the disk") as caught:
        ht.stream(lambda part: part, Broken(), block=2, queue=queue)
    assert "block 2: rows 4 to 5 of 6" in caught.value.__notes__[0]


WRONG = [
    (lambda q: ht.stream(3, np.ones(2)), TypeError, "f is an int; pass a function"),
    (lambda q: ht.stream(ht.sin), TypeError, "at least one array"),
    (lambda q: ht.stream(ht.sin, [1.0]), TypeError, "array 0 is a list; pass a NumPy array"),
    (lambda q: ht.stream(ht.sin, ht.ones(2)), TypeError, "already; call the function with it"),
    (lambda q: ht.stream(ht.sin, np.float64(1)), ValueError, "has no dimensions"),
    (lambda q: ht.stream(ht.sin, np.ones(2, object)), TypeError, "not a dtype that"),
    (lambda q: ht.stream(ht.add, np.ones(2), np.ones(3)), ValueError, "array 1 has 3 rows"),
    (lambda q: ht.stream(ht.sin, np.ones(2), block=0), ValueError, "must be at least 1"),
    (lambda q: ht.stream(ht.sin, np.ones(2), block=1.5), TypeError, "a number of rows"),
    (lambda q: ht.stream(ht.sin, np.ones(2), out=np.ones(3)), ValueError, "have 2 rows"),
    (lambda q: ht.stream(ht.sin, np.ones(2), out=[1]), TypeError, "out is an int"),
    (lambda q: ht.stream(ht.sin, np.ones(2), out=np.ones(2, "i4")), TypeError, "same_kind"),
    (lambda q: ht.stream(ht.sin, np.ones((2, 3)), out=np.ones((2, 4))), ValueError, "rows of sh"),
    (lambda q: ht.stream(ht.sum, np.ones(2)), ValueError, r"hither.blocks\(\) iterates"),
    (lambda q: ht.stream(ht.asnumpy, np.ones(2)), TypeError, "f returned a ndarray"),
    (lambda q: ht.stream(lambda x: (x, x), np.ones(2), out=np.ones(2)), ValueError, "returned 2"),
    (lambda q: ht.blocks(np.ones(2), block=-1), ValueError, "must be at least 1"),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG)
def test_wrong_arguments(way, queue, call, error, text):
    with ht.device_context(queue), pytest.raises(error, match=text):
        call(queue)


def test_out_in_other_rows_is_refused(queue):
    x = np.arange(10.0)
    with pytest.raises(ValueError, match="overlaps one of the arrays in other rows"):
        ht.stream(lambda part: part + 1, x[:-1], out=x[1:], queue=queue)
    fixed = np.ones(9)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        ht.stream(lambda part: part, x[:-1], out=fixed, queue=queue)


def test_a_kernel_that_fails_is_reported(way, queue):
    @ht.kernel(debug=True)
    def store(x, y):
        i = ht.get_global_id(0)
        y[i + 1] = x[i]

    def f(part):
        y = ht.zeros(len(part))
        store[ht.Range(len(part))](part, y)
        return y

    with pytest.raises(IndexError) as caught:
        ht.stream(f, np.ones(8), block=4, queue=queue)
    assert "block 0" in caught.value.__notes__[0]
    while True:
        try:
            queue.wait()
            break
        except ht.KernelError:
            continue
