"""The command `hither info`."""

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


def test_it_is_a_module_too():
    done = subprocess.run(
        [sys.executable, "-m", "hither", "info"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert str(ht.Device()) in done.stdout


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
