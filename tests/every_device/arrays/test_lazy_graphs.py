"""Graphs: lazy evaluation, eager evaluation and NumPy give the same values."""

import numpy as np
import pytest

import hither as ht


def test_reductions_that_wait_for_each_other(queue):
    x = ht.ones((200, 3), queue=queue)
    m = ht.mean(x)
    assert float(ht.sum(x @ (x[0] - m) + m)) == 200


def test_reductions_that_wait_for_each_other_without_a_product(queue):
    x = ht.ones((200, 3), queue=queue)
    m = ht.mean(x)
    assert float(ht.sum(ht.sum(x * (x[0] - m), axis=1) - m)) == -200


def test_a_number_used_before_and_after_a_reduction_over_rows(queue):
    host = np.random.default_rng(1).random((200, 3))
    x = ht.asarray(host, queue=queue)
    s = ht.sum(x) / 600
    expected = host.sum() / 600
    expected = np.sum(np.sqrt(np.sum((host - expected) ** 2, axis=1)) * expected)
    assert float(ht.sum(ht.sqrt(ht.sum((x - s) ** 2, axis=1)) * s)) == pytest.approx(expected)


def test_masked_assignments_of_a_number_that_changes(queue):
    host = np.linspace(0.01, 1, 100)
    c, z = ht.asarray(host, queue=queue), ht.zeros(100, queue=queue)
    n = ht.zeros(100, dtype=ht.int64, queue=queue)
    host_z, host_n = np.zeros(100), np.zeros(100, np.int64)
    for step in range(17):
        inside = z < 2.0
        n[inside] = step
        z[inside] = z[inside] + c[inside]
        host_inside = host_z < 2.0
        host_n[host_inside] = step
        host_z[host_inside] = host_z[host_inside] + host[host_inside]
    assert np.array_equal(ht.asnumpy(n), host_n)


def test_masked_assignments_of_whole_arrays(queue):
    host = np.linspace(0.01, 1, 100)
    c, z = ht.asarray(host, queue=queue), ht.zeros(100, queue=queue)
    n = ht.zeros(100, dtype=ht.int64, queue=queue)
    host_z, host_n = np.zeros(100), np.zeros(100, np.int64)
    for step in range(17):
        inside = z < 2.0
        n[inside] = step
        z[inside] = (z + c)[inside]
        host_inside = host_z < 2.0
        host_n[host_inside] = step
        host_z[host_inside] += host[host_inside]
    assert np.array_equal(ht.asnumpy(n), host_n)


@pytest.mark.parametrize("count", [16, 17, 31, 32, 33, 40, 70])
def test_many_named_terms_made_of_numbers_alone(queue, count):
    terms = [ht.zeros(8, queue=queue) + float(i) for i in range(count)]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    for i, term in enumerate(terms):
        assert np.array_equal(ht.asnumpy(term), np.full(8, float(i)))
    assert np.array_equal(ht.asnumpy(total), np.full(8, float(sum(range(count)))))


def test_many_terms_become_leaves_after_the_sum_was_made(queue):
    terms = [ht.arange(8.0, queue=queue) * float(i) for i in range(40)]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    for term in terms:
        ht.evaluate(term)
    assert np.array_equal(ht.asnumpy(total), np.arange(8.0) * sum(range(40)))


def test_a_write_through_a_view_leaves_pending_readers_their_values(queue):
    a = ht.arange(5.0, queue=queue)
    v = a[1:]
    p = v + 1
    m = ht.sum(p)
    p = p * 2
    v[:] = p
    assert float(m) == 14
    assert ht.asnumpy(a).tolist() == [0, 4, 6, 8, 10]


def test_a_write_of_a_temporary_that_something_pending_reads(queue):
    a = ht.arange(5.0, queue=queue)
    v = a[1:]
    kept = [v + 1]
    m = ht.sum(kept[0])
    v[:] = kept.pop()
    assert float(m) == 14
    assert ht.asnumpy(a).tolist() == [0, 2, 3, 4, 5]


def test_more_named_readers_of_what_is_written_than_a_kernel_has_outputs(queue):
    a = ht.arange(100.0, queue=queue)
    v = a[1:]
    named = [v + float(i) for i in range(40)]
    total = named[0]
    for x in named[1:]:
        total = total + x
    v[:] = total
    for i, x in enumerate(named):
        assert np.array_equal(ht.asnumpy(x), np.arange(1.0, 100.0) + i)


def test_gradient_descent_on_a_slice_reports_the_loss_before_each_step(queue):
    rng = np.random.default_rng(3)
    host_x, host_y, host_w = rng.random((50, 3)), rng.random(50), np.zeros(5)
    x, y = ht.asarray(host_x, queue=queue), ht.asarray(host_y, queue=queue)
    buffer = ht.zeros(5, queue=queue)
    w = buffer[1:4]
    losses, expected = [], []
    for _ in range(5):
        residual = ht.sum(x * w, axis=1) - y
        losses.append(ht.mean(residual * residual))
        w[:] = w - 0.1 * ht.mean(x * residual[:, None], axis=0)
        host_residual = np.sum(host_x * host_w[1:4], axis=1) - host_y
        expected.append(np.mean(host_residual**2))
        host_w[1:4] -= 0.1 * np.mean(host_x * host_residual[:, None], axis=0)
    assert [float(loss) for loss in losses] == pytest.approx(expected)


@pytest.mark.parametrize("narrow, wide", [("f4", "f8"), ("i4", "i8"), ("i2", "f4"), ("f4", "c8")])
@pytest.mark.parametrize("part", [slice(None, 500), slice(500, None), slice(None, None, 2)])
def test_a_part_of_what_is_dropped_is_read_whole(queue, narrow, wide, part):
    if np.dtype(wide) == "f8" and not queue.device.has_aspect("fp64"):
        pytest.skip("the device has no float64")
    x = ht.arange(1000, dtype=narrow, queue=queue) * 1
    ht.synchronize(x)
    y = ht.astype(x[part], wide)  # of the size of x
    del x
    assert np.array_equal(ht.asnumpy(y), np.arange(1000, dtype=narrow)[part].astype(wide))


def test_products_of_parts_of_complex_matrices(queue):
    host = np.arange(9.0).reshape(3, 3) + 1j * np.arange(9.0)[::-1].reshape(3, 3)
    x = ht.asarray(host, queue=queue)
    assert np.array_equal(ht.asnumpy(ht.real(x) @ ht.imag(x)), host.real @ host.imag)


def test_explain_names_the_same_kernels_that_run(queue):
    x = ht.ones((200, 3), queue=queue)
    m = ht.mean(x)
    y = ht.sum(ht.sum(x * (x[0] - m), axis=1) - m)
    if ht.explain(y).startswith("nothing"):
        pytest.skip("every operation runs at once")
    lines = [line for line in ht.explain(y).splitlines() if line.startswith("kernel")]
    ht.clear_kernel_history()
    float(y)
    assert len(ht.kernel_history()) >= len(lines) > 0


def test_a_large_array_that_is_read_often_counts_once(queue):
    """The bound of what pending work keeps is an eighth of the device's memory."""
    views = 12
    size = queue.device.global_mem_size // 8 // (views - 2)
    if size > 2**31:
        pytest.skip("the array would be too large for a test")
    x = ht.zeros(size, dtype="int8", queue=queue)
    x[-1] = 1
    x.evaluate()
    before = ht.counters()["launches"]
    total = x[: 1 - views]
    for k in range(1, views):
        total = total + x[k : size + 1 - views + k]
    eager = ht.counters()["launches"] > before
    total.evaluate()
    assert eager or ht.counters()["launches"] - before == 1
    assert int(total[-1]) == 1


def test_arrays_evaluated_together_are_one_kernel_after_what_they_need(queue):
    a, b = ht.ones(300, queue=queue), ht.arange(300.0, queue=queue)
    above, below = ht.sum(a) * 2, ht.sum(b) / 5
    ht.evaluate(a, b, above, below)

    def launches(*arrays):
        before = ht.counters()["launches"]
        ht.evaluate(*arrays)
        return ht.counters()["launches"] - before

    eager = launches(a + 1) == 0
    first, second = a + above / below * b, b - above * a
    assert launches(first, second) == (0 if eager else 2)  # the quotient, and both arrays
    factor = 600 / (299 * 300 / 10)
    np.testing.assert_allclose(ht.asnumpy(first), 1 + factor * np.arange(300))
    np.testing.assert_allclose(ht.asnumpy(second), np.arange(300.0) - 600)
    alone = launches(ht.sum(a) / 3)
    assert launches(ht.sum(a) / 3, ht.sum(b) / 3) == 2 * alone  # each ends its own reduction
