"""hither.memory_info() and hither.release_cached()."""

import pytest

import hither as ht

BYTES = 8 << 20


def test_used_bytes_follow_arrays(queue):
    before = ht.memory_info(queue)
    x = ht.ones(BYTES // 8, queue=queue)
    ht.synchronize(x)
    during = ht.memory_info(queue)
    assert during.used >= before.used + BYTES
    assert during.peak >= during.used + during.cached
    del x
    queue.wait()
    after = ht.memory_info(queue)
    assert after.used <= during.used - BYTES
    assert after.peak >= during.peak


def test_release_returns_what_is_cached(queue):
    x = ht.ones(BYTES // 8, queue=queue)
    ht.synchronize(x)
    del x
    queue.wait()
    cached = ht.memory_info(queue).cached
    assert cached >= BYTES
    released = ht.release_cached(queue)
    assert BYTES <= released <= cached
    assert ht.memory_info(queue).cached == cached - released
    assert ht.release_cached(queue) <= cached - released


def test_every_way_to_name_the_context_is_the_same(queue):
    x = ht.ones(3, queue=queue)
    ht.synchronize(x)
    peaks = {
        ht.memory_info(where).peak
        for where in (queue, queue.device, queue.context, x, queue.device.filter_string)
    }
    assert len(peaks) == 1
    with ht.device_context(queue):
        assert ht.memory_info().peak in peaks


def test_contexts_count_apart(queue):
    context = ht.Context([queue.device])
    used = ht.memory_info(context).used
    x = ht.ones(BYTES // 8, queue=queue)
    ht.synchronize(x)
    assert ht.memory_info(context).used == used


def test_free_memory_is_a_number_where_the_system_says(queue):
    free = ht.memory_info(queue).free
    if queue.device.backend in ("native_cpu", "cuda"):
        assert free > 0
    else:
        assert free is None or free > 0


def test_it_prints_readable_units():
    from hither._tools.memory import MemoryInfo

    shown = repr(MemoryInfo(1536, 3 << 30, None, 12, 1 << 20))
    assert shown == (
        "MemoryInfo(used=1.5 KiB, cached=3 GiB, free=unknown, peak=12 bytes, limit=1 MiB)"
    )
    assert repr(MemoryInfo(1, 2, 3, 4)).endswith("peak=4 bytes, limit=none)")


@pytest.mark.parametrize("function", [ht.memory_info, ht.release_cached], ids=lambda f: f.__name__)
def test_wrong_devices_are_refused(function):
    with pytest.raises(ValueError, match="did you mean"):
        function("cudda")
    with pytest.raises(TypeError, match="3 is not a queue"):
        function(3)
    with pytest.raises(TypeError, match="takes no keyword devise=; did you mean device="):
        function(devise="cpu")


def test_an_error_names_sizes_and_remedies(queue):
    x = ht.ones(BYTES // 8, queue=queue)
    ht.synchronize(x)
    with pytest.raises(ht.OutOfMemoryError) as caught:
        ht.synchronize(ht.empty(1 << 50, dtype="uint8", queue=queue))
    text = str(caught.value)
    for part in (queue.device.filter_string, f"{1 << 50} bytes (1.0 PiB)", "arrays use",
                 "release arrays", "hither.stream"):  # fmt: skip
        assert part in text
    used = int(text.partition("arrays use ")[2].partition(" bytes")[0])
    assert used >= BYTES
