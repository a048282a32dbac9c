"""What tests of the listings share."""

from __future__ import annotations

import pytest

from hither import compat


@pytest.fixture
def compat_names():
    """The packages that listings import, by hither."""
    compat.install(force=True)
    yield
    compat.uninstall()
