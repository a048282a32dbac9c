"""Fixtures of the tests of sparse arrays."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["counts", "sorts"])
def either_way(request, monkeypatch):
    """CPUs count and merge, and GPUs sort; both ways are tested on each device."""
    from hither.scipy.sparse import _rows

    monkeypatch.setattr(_rows, "sorts_numbers", lambda x: request.param == "sorts")
