"""Requirements D that concern the device context alone."""

import hither as ht


def test_d05_get_context_is_falsy_outside():
    assert not ht.get_context()
    with ht.device_context("cpu") as queue:
        assert ht.get_context()
        assert ht.get_context().queue == queue
    assert not ht.get_context()
