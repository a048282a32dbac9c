"""Which arguments choose the queue of hither.numpy's functions, and which are copied to it."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


@pytest.fixture
def x(queue):
    return ht.asarray(np.arange(6.0), queue=queue)


def same(result, right, queue):
    assert isinstance(result, ht.Array) and result.queue == queue
    assert result.dtype == np.asarray(right).dtype
    np.testing.assert_array_equal(ht.asnumpy(result), right)


N = np.arange(6.0)
TWO = np.asarray(2.0)
REFUSED = {
    "add": lambda x: hnp.add(x, N), "add first": lambda x: hnp.add(N, x),
    "weights": lambda x: hnp.average(x, weights=N), "interp": lambda x: hnp.interp(x, N, N),
    "searched": lambda x: hnp.searchsorted(x, N), "isin": lambda x: hnp.isin(x, N),
    "condition": lambda x: hnp.where(N > 2, x, x), "joined": lambda x: hnp.concatenate([x, N]),
    "in a list": lambda x: hnp.stack([N, x]), "dot": lambda x: hnp.dot(x, N),
    "mask": lambda x: hnp.sum(x, where=N > 2), "block": lambda x: hnp.block([[x], [N]]),
    "einsum": lambda x: hnp.einsum("i,i", x, N), "meshgrid": lambda x: hnp.meshgrid(x, N),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_arrays_of_numpy_are_refused_beside_an_array(x, name):
    with pytest.raises(ht.PlacementError, match=r"hither\.asarray\(v, like=x\)"):
        REFUSED[name](x)


COPIED = {
    "numbers of NumPy": lambda np, x: np.add(x, np.float64(2)),
    "no dimension": lambda np, x: np.add(x, TWO),
    "lists": lambda np, x: np.add(x, [1, 2, 3, 4, 5, 6]),
    "nested lists": lambda np, x: np.multiply([[1], [2]], x),
    "indices": lambda np, x: np.take(x, [0, 5]),
    "counts": lambda np, x: np.repeat(x, [0, 1, 2, 0, 1, 2]),
    "bins": lambda np, x: np.digitize(x, [1, 3]),
    "q": lambda np, x: np.quantile(x, [0.25, 0.5]),
    "sections": lambda np, x: np.split(x, [2, 5])[1],
    "condition": lambda np, x: np.compress([False, True, True], x),
    "joined lists": lambda np, x: np.concatenate(([0], x, (1, 2))),
    "deleted": lambda np, x: np.delete(x, [1, 2]),
}


@pytest.mark.parametrize("name", COPIED)
def test_these_are_copied_to_the_queue(x, queue, name):
    same(COPIED[name](hnp, x), COPIED[name](np, N), queue)


def test_indices_on_the_host_are_copied(x, queue):
    same(hnp.take(x, np.array([3, 1])), N[[3, 1]], queue)
    same(x[np.array([3, 1])], N[[3, 1]], queue)
    same(hnp.digitize(x, np.array([1.0, 3.0])), np.digitize(N, [1, 3]), queue)
    same(hnp.choose(ht.asarray([0, 1], queue=queue), [x[:2], x[2:4]]), [0.0, 3.0], queue)


def test_the_target_decides_where_values_are_written(x, queue):
    x[1:3] = np.array([7.0, 8.0])
    hnp.copyto(x, np.arange(6)[::-1], where=np.arange(6) > 3)
    hnp.put(x, [0], np.array([9.0]))
    hnp.place(x, [False, False, False, True, False, False], [-1])
    assert x.tolist() == [9, 7, 8, -1, 1, 0]
    x.set(np.ones(6))
    x.fill(np.float32(3))
    same(x, np.full(6, 3.0), queue)
    assert type(x.get()) is np.ndarray
    with pytest.raises(ValueError, match=r"values have shape \(2,\)"):
        x.set(np.ones(2))


def test_without_an_array_the_context_decides(queue):
    with ht.device_context(queue):
        for made in (hnp.zeros(3), hnp.add([1, 2], 3), hnp.sum(np.arange(3)), hnp.sin(1.0),
                     hnp.asarray([1]), hnp.linspace(0, 1, 3), hnp.random.rand(2),
                     hnp.mgrid[0:2], hnp.r_[1, 2], hnp.fft.fftfreq(4)):  # fmt: skip
            assert isinstance(made, ht.Array) and made.queue == queue


@pytest.mark.either_mode
def test_outside_of_contexts_the_default_device_decides(cpu_by_default):
    made = hnp.add(np.arange(2), 1)
    assert made.device == ht.Device() and made.tolist() == [1, 2]


def test_keywords_name_the_place(queue):
    for made in (hnp.zeros(2, queue=queue, usm_type="shared"),
                 hnp.add([1], 2, queue=queue, usm_type="shared"),
                 hnp.sum([1, 2], device=queue, usm_type="shared"),
                 hnp.random.normal(size=3, queue=queue, usm_type="shared")):  # fmt: skip
        assert made.queue == queue and made.usm_type == "shared"
    one, two = (ht.asarray(v, queue=queue) for v in ([1.0, 2.0], [3.0, 4.0]))
    for made in (hnp.linspace(one, two, 3, usm_type="shared"),
                 hnp.logspace(one, two, 3, usm_type="shared"),
                 hnp.geomspace(one, two, 3, usm_type="shared"),
                 *hnp.meshgrid(one, two, usm_type="shared")):  # fmt: skip
        assert made.queue == queue and made.usm_type == "shared"
    x = hnp.ones(3, queue=queue)
    assert hnp.ones(2, like=x).queue == queue and hnp.asarray([1], like=x).queue == queue
    with pytest.raises(TypeError, match=r"disagree"):
        hnp.zeros(2, queue=queue, device=queue.device.create_sub_devices(1)[0]) if (
            queue.device.backend == "native_cpu" and queue.device.max_compute_units > 1
        ) else hnp.zeros(2, queue=queue, device=ht.Queue(queue.device, enable_profiling=True))


NO_ARRAY = {
    "allclose": lambda x, **t: hnp.allclose(x, x, **t),
    "out": lambda x, **t: hnp.sum(x, out=x[:1], **t),
    "array_equal": lambda x, **t: hnp.array_equal(x, x, **t),
    "array_equiv": lambda x, **t: hnp.array_equiv(x, x, **t),
    "atleast_1d": lambda x, **t: hnp.atleast_1d(**t), "meshgrid": lambda x, **t: hnp.meshgrid(**t),
    "ufunc": lambda x, **t: hnp.add(x, x, out=x, **t),
    "einsum": lambda x, **t: hnp.einsum("i->i", x, out=x, **t),
    "linspace": lambda x, **t: hnp.linspace(x, x, 3, **t),
    "arange": lambda x, **t: hnp.arange(3, **t),
    "zeros_like": lambda x, **t: hnp.zeros_like(x, **t),
    "normal": lambda x, **t: hnp.random.normal(**t), "rand": lambda x, **t: hnp.random.rand(**t),
    "poisson": lambda x, **t: hnp.random.poisson(**t),
    "shuffle": lambda x, **t: hnp.random.shuffle(x, **t),
    "default_rng": lambda x, **t: hnp.random.default_rng(1, **t),
    "Generator": lambda x, **t: ht.random.Generator(1, **t),
}  # fmt: skip


@pytest.mark.parametrize("call", NO_ARRAY)
@pytest.mark.parametrize("usm_type", ["x", "", "Device", 3, b"host", ["device"]])
def test_a_usm_type_that_does_not_exist_is_refused_without_an_array_too(call, usm_type, x):
    with pytest.raises(ValueError, match='is not "device", "shared" or "host"'):
        NO_ARRAY[call](x, usm_type=usm_type)
    assert ht.asnumpy(x).tolist() == N.tolist()


def test_the_rules_hold_for_numpys_functions(x, queue):
    same(np.take(x, [1, 2]), N[1:3], queue)
    same(np.average(x, weights=[1, 1, 1, 1, 1, 1]), 2.5, queue)
    with pytest.raises(ht.PlacementError):
        np.average(x, weights=N)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "u8"])
@pytest.mark.parametrize("sequence", [[1, 2], (1.5,), [], "ab", b"ab", bytearray(b"a")], ids=repr)
def test_integers_without_dimensions_repeat_sequences(sequence, dtype, queue):
    count = hnp.full(4, 3, dtype, queue=queue)[1] - hnp.ones(1, dtype, queue=queue)[0]
    assert sequence * count == sequence * 2
    assert count * sequence == sequence * 2
    assert type(sequence * count) is type(sequence)
    repeated = sequence
    repeated *= count
    assert repeated == sequence * (2 if repeated is not sequence else 1)
    assert ([count] * count)[1] is count


def test_other_arrays_multiply_sequences(queue):
    for x in (np.array([2, 3]), np.array([2]), np.array(2.5)):
        own = ht.asarray(x, queue=queue)
        for product in (own * [3, 4], [3, 4] * own, own * range(2)):
            assert isinstance(product, ht.Array)
        np.testing.assert_array_equal(ht.asnumpy([3, 4] * own), np.array([3, 4]) * x)
    np.testing.assert_array_equal(ht.asnumpy(ht.asarray(2, queue=queue) * range(3)), [0, 2, 4])
    with pytest.raises(ht.errors.PlacementError):
        ht.asarray(2.5, queue=queue) * b"ab"


def test_masks_of_masked_arrays_are_not_lost(queue):
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    with ht.device_context(queue):
        for call in (lambda: hnp.add(masked, 1), lambda: hnp.sum(masked), lambda: hnp.sort(masked)):
            with pytest.raises(TypeError, match=r"masked array, .* use numpy\.ma"):
                call()
        assert hnp.asarray(masked).tolist() == np.asarray(masked).tolist()
        assert hnp.sum(masked.filled(5)).item() == 6


@pytest.fixture
def elsewhere(device):
    """Copies arrays of NumPy to a queue that is not equivalent to that of the others."""
    other = ht.Queue(ht.Context(device), device)
    return lambda values: ht.asarray(np.asarray(values), queue=other)


MASK = N > 2
SELECTED = {
    "extract": lambda xp, x, m: xp.extract(m(MASK), x),
    "compress": lambda xp, x, m: xp.compress(m(MASK), x),
    "delete": lambda xp, x, m: xp.delete(x, m(MASK)),
    "repeat": lambda xp, x, m: xp.repeat(x, m(MASK)),
    "repeat of rows": lambda xp, x, m: xp.repeat(x.reshape(2, 3), m([True, False]), 0),
    "method": lambda xp, x, m: x.repeat(m(MASK)),
    "reduceat": lambda xp, x, m: xp.add.reduceat(x, m([0, 2, 1])),
    "full_like": lambda xp, x, m: xp.full_like(x, m(N)),
}


@pytest.mark.parametrize("name", SELECTED)
def test_indices_and_masks_of_other_queues_are_copied(x, queue, elsewhere, name):
    same(SELECTED[name](hnp, x, elsewhere), SELECTED[name](np, N, np.asarray), queue)
    same(SELECTED[name](hnp, x, np.asarray), SELECTED[name](np, N, np.asarray), queue)


STORED = {
    "place": lambda xp, x, m: xp.place(x, m, [7.0, 8.0]),
    "putmask": lambda xp, x, m: xp.putmask(x, m, [7.0, 8.0]),
    "copyto": lambda xp, x, m: xp.copyto(x, 7.0, where=m),
}


@pytest.mark.parametrize("name", STORED)
def test_masks_of_stores_are_copied(x, queue, elsewhere, name):
    right = N.copy()
    STORED[name](np, right, MASK)
    for mask in (elsewhere(MASK), MASK):
        copy = ht.copy(x)
        STORED[name](hnp, copy, mask)
        same(copy, right, queue)


MASKED = {
    "add": lambda x, m: hnp.add(x, x, where=m),
    "add.reduce": lambda x, m: hnp.add.reduce(x, where=m),
    "sum": lambda x, m: hnp.sum(x, where=m),
    "mean": lambda x, m: hnp.mean(x, where=m),
    "nanvar": lambda x, m: hnp.nanvar(x, where=m),
    "bincount": lambda x, m: hnp.bincount(x.astype(int), m),
}


@pytest.mark.parametrize("name", MASKED)
def test_masks_of_where_and_weights_are_operands(x, elsewhere, name):
    with pytest.raises(ht.PlacementError, match=f"^{name}: "):
        MASKED[name](x, elsewhere(MASK))
