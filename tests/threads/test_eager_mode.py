"""Each thread has its own eager mode."""

from __future__ import annotations

import threading

import pytest

import hither as ht
from hither import _hither

set_eager = getattr(_hither, "_set_eager")  # noqa: B009 - private, so that no stub names it


@pytest.fixture(autouse=True)
def as_before():
    before = set_eager(None)
    yield
    set_eager(before)


def launches_of_an_addition() -> int:
    x = ht.asarray([1.0, 2.0])
    before = ht.counters()["launches"]
    y = x + 1
    launches = ht.counters()["launches"] - before
    assert ht.asnumpy(y).tolist() == [2, 3]
    return launches


def test_it_returns_what_was_set_before():
    assert set_eager(True) is None
    assert set_eager(False) is True
    assert set_eager(None) is False
    assert set_eager(None) is None


@pytest.mark.parametrize("here", [True, False])
def test_a_thread_does_not_change_anothers_mode(here):
    set_eager(here)
    found = []

    def other() -> None:
        set_eager(not here)
        found.append(launches_of_an_addition())

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert found == [int(not here)]
    assert launches_of_an_addition() == int(here)
