"""cross() in the form for GPUs, on every device."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
from hither import linalg


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "c16"])
def test_columns_are_selected_by_one_kernel(
    device: ht.Device, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    random = np.random.default_rng(0)
    x, y = ((random.normal(size=(50, 7, 3)) * 9).astype(dtype) for _ in range(2))
    own = [ht.asarray(v, device=device) for v in (x, y)]
    expected = ht.asnumpy(linalg.cross(*own))
    np.testing.assert_allclose(expected, np.cross(x, y), rtol=1e-5, atol=1e-4)
    monkeypatch.setattr(linalg, "_is_on_gpu", lambda x: True)
    for axis, shape in [(-1, x.shape), (0, (3, 50, 7)), (1, (50, 3, 7))]:
        moved = [np.moveaxis(v, -1, axis).copy() for v in (x, y)]
        result = linalg.cross(*(ht.asarray(v, device=device) for v in moved), axis=axis)
        assert result.shape == shape
        np.testing.assert_array_equal(ht.asnumpy(result), np.moveaxis(expected, -1, axis))
