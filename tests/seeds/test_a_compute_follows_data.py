"""Requirements A: compute follows data."""

import itertools

import hither as ht


def test_a03_queues_are_equivalent_by_context_device_and_properties(sub_devices):
    a, b, c = (ht.Queue("cpu") for _ in range(3))
    assert len({a, b, c}) == 3
    others = [
        ht.Queue("cpu", in_order=False),
        ht.Queue("cpu", enable_profiling=True),
        ht.Queue(ht.Context("cpu"), "cpu"),
        ht.Queue(sub_devices[0]),
        ht.Queue(sub_devices[1]),
    ]
    for x, y in itertools.product((a, b, c), repeat=2):
        assert x.equivalent(y)
    for x in (a, b, c):
        assert not any(x.equivalent(y) or y.equivalent(x) for y in others)
    for x, y in itertools.combinations(others, 2):
        assert not x.equivalent(y) and not y.equivalent(x)
    assert all(x.equivalent(x) for x in others)
    assert others[3].equivalent(ht.Queue(sub_devices[0]))


def test_a03_two_lookups_of_a_string_give_equivalent_queues():
    assert ht.default_queue("cpu").equivalent(ht.Queue("cpu"))
    assert ht.default_queue("cpu") == ht.default_queue("cpu")
