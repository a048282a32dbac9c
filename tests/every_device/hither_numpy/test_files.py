"""Arrays in NumPy's files: load(), and the archives of several arrays that it opens."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


def test_an_array_of_a_file_is_on_the_queue(tmp_path, queue):
    hnp.save(tmp_path / "x.npy", ht.arange(5, queue=queue))
    x = hnp.load(tmp_path / "x.npy", queue=queue)
    assert type(x) is ht.Array and x.queue == queue and x.tolist() == [0, 1, 2, 3, 4]


def test_an_archive_is_numpys_with_hithers_arrays(tmp_path, queue):
    x = ht.arange(4.0, queue=queue)
    hnp.savez(tmp_path / "a.npz", x=x, y=x * 2)
    with hnp.load(tmp_path / "a.npz", queue=queue) as archive:
        assert isinstance(archive, np.lib.npyio.NpzFile)
        assert archive.files == ["x", "y"] == list(archive) and "x" in archive and len(archive) == 2
        found = dict(archive)
        for y in (found["y"], archive["y"], archive["y.npy"], archive.f.y, archive.get("y")):
            assert type(y) is ht.Array and y.queue == queue and y.tolist() == [0, 2, 4, 6]
        with pytest.raises(KeyError, match="z is not a file in the archive"):
            archive["z"]
    assert found["x"].tolist() == [0, 1, 2, 3]


def test_an_archive_may_have_members_that_arrays_do_not_hold(tmp_path, queue):
    np.savez(tmp_path / "a.npz", x=np.arange(3), notes="text")
    with hnp.load(tmp_path / "a.npz", queue=queue) as archive:
        assert archive["x"].tolist() == [0, 1, 2]
        with pytest.raises(ht.errors.InvalidTypeError, match="load: <U4 is a dtype of NumPy alone"):
            archive["notes"]


def test_a_pickled_object_is_loaded_as_it_is():
    file = io.BytesIO(pickle.dumps({"steps": 3}))
    assert hnp.load(file, allow_pickle=True) == {"steps": 3}
