"""Listings 2.1 to 3.2 of automatic offload, through hither.compat, on two devices. The listings
with dparrays are in test_d_dparray.py."""

from __future__ import annotations

import numba
import numpy
import pytest

import hither as ht
from seeds import printed

pytestmark = pytest.mark.usefixtures("compat_names")


@pytest.fixture
def names(two_devices):
    """The undefined names of the listings. Cleared afterwards: Numba keeps globals alive."""
    found = dict(zip(("gpu", "cpu"), two_devices, strict=True), numpy=numpy)
    yield found
    found.clear()


def run(listing, names, body=""):
    return printed.run(listing, names, code=body)["foo"]


def devices_of(report):
    return [use.device for parfor in report.parfors for use in parfor.uses]


def test_d04_listing_2_1_as_printed(names):
    foo = run("rfc_2_1", names)
    report = ht.offload_report(foo)
    assert report.plain_versions == 1
    assert len(report.versions) == 1 and not report.parfors


def test_d04_listing_2_1_with_something_to_offload(names):
    before = ht.counters()["offloaded_regions"]
    foo = run("rfc_2_1", names, "return numpy.ones(1000).sum()")
    report = ht.offload_report(foo)
    assert report.plain_versions == 1
    assert devices_of(report) == [names["gpu"], names["cpu"]]
    assert ht.counters()["offloaded_regions"] == before + 2
    assert foo() == 1000
    assert ht.counters()["offloaded_regions"] == before + 2


def test_d05_listing_2_2(names):
    import dppl

    names["dppl"] = dppl
    foo = run("rfc_2_2", names, "return a * 2")
    a = numpy.arange(1000.0)  # small regions would stay on the host
    for given in ((a,), {"a": a}):
        arguments, keywords = ((), given) if isinstance(given, dict) else (given, {})
        ht.clear_kernel_history()
        assert numpy.array_equal(foo(*arguments, **keywords), a * 2)
        with dppl.device_context(names["cpu"]):
            assert numpy.array_equal(foo(*arguments, **keywords), a * 2)
        where = [names[name].filter_string for name in ("gpu", "cpu")]
        assert [entry.device for entry in ht.kernel_history()] == where
    assert not ht.get_context()


def test_d08_listing_2_3(names):
    with pytest.raises(numba.errors.UnsupportedError, match="parallel=False"):
        run("rfc_2_3", names)
    assert not ht.get_context()
    assert len(names["foo"].overloads) == 1  # the call outside came first
    assert names["foo"]() is None


@numba.njit
def double_first(x):
    x[0] *= 2


@numba.njit
def sum_up(y):
    for i in range(1, y.size):
        y[i] += y[i - 1]


@pytest.mark.parametrize("listing", ["rfc_3_1", "rfc_3_2"])
def test_d13_d14_listings_3_1_and_3_2(names, listing, capfd):
    names |= {"some_serial_preprocessing": double_first, "another_serial_processing": sum_up}
    foo = run(listing, names)
    x, y = numpy.arange(1.0, 1001.0), numpy.ones(1000)
    expected = foo(x.copy(), y)
    for name in ("gpu", "cpu"):
        given = x.copy()
        before = ht.counters()["offloaded_regions"]
        with ht.device_context(names[name]):
            assert foo(given, y) == pytest.approx(expected, rel=1e-12)
        assert ht.counters()["offloaded_regions"] == before + 2
        assert given[0] == 2 and numpy.array_equal(y, numpy.ones(1000))
    assert set(devices_of(ht.offload_report(foo))) == {names["gpu"], names["cpu"]}
    lines = capfd.readouterr().out.count("I do not need anything from the device")
    assert lines == (3 if listing == "rfc_3_2" else 0)
