"""The command `hither info`."""

import json
import os
import subprocess
import sys

import pytest

import hither as ht
from hither import __main__ as command


def test_info_lists_every_device(capsys):
    assert command.main(["info"]) == 0
    printed = capsys.readouterr().out
    assert ht.__version__ in printed
    for device in ht.devices():
        assert device.filter_string in printed
        assert all(name in printed for name in device.info_names)
    assert printed.count("(default)") == 1


def test_info_says_why_a_back_end_has_no_device(capsys, monkeypatch):
    backends = {absence.split(": ")[0] for absence in ht.absent_backends()}
    assert backends <= {"cuda", "sycl"}
    monkeypatch.setattr(ht, "absent_backends", lambda: ["cuda: libcuda.so.1 is not installed"])
    assert command.main(["info"]) == 0
    assert "no device of cuda: libcuda.so.1 is not installed" in capsys.readouterr().out


def test_it_is_a_module_too():
    done = subprocess.run(
        [sys.executable, "-m", "hither", "info"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert str(ht.Device()) in done.stdout


def test_json_holds_every_device(capsys):
    assert command.main(["info", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["hither"] == ht.__version__
    assert described["default_device"] == ht.Device().filter_string
    assert described["absent_backends"] == ht.absent_backends()
    for device, entry in zip(ht.devices(), described["devices"], strict=True):
        assert entry["filter_string"] == device.filter_string
        assert entry["info"]["max_compute_units"] == device.max_compute_units
        assert set(entry["info"]) == set(device.info_names)


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["--version"])
    assert ended.value.code == 0
    assert ht.__version__ in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [[], ["nonsense"], ["info", "more"]])
def test_wrong_arguments_end_with_two(wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(wrong)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_a_wrong_default_device_is_named_and_the_others_listed():
    done = subprocess.run(
        [sys.executable, "-m", "hither", "info"],
        capture_output=True, text=True, timeout=60, env=os.environ | {"HITHER_DEVICE": "foo"},
    )  # fmt: skip
    assert done.returncode == 1
    assert all(device.filter_string in done.stdout for device in ht.devices())
    assert "(default)" not in done.stdout
    assert "HITHER_DEVICE" in done.stderr
    assert "foo" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_may_leave_early():
    reader, writer = os.pipe()
    os.close(reader)  # before anything is written
    try:
        done = subprocess.run(
            [sys.executable, "-u", "-m", "hither", "info"],
            stdout=writer, stderr=subprocess.PIPE, text=True, timeout=240,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 1
