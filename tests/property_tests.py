"""How many examples a property test runs."""

from __future__ import annotations

import os

IS_EAGER = os.environ.get("HITHER_EAGER", "0") not in ("", "0")


def examples(count: int) -> int:
    """`count`, and a third of it with HITHER_EAGER=1, which repeats the tests of the lazy run."""
    return -(-count // 3) if IS_EAGER else count
