"""The command `hither cache`."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.either_mode


def run(folder, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, timeout=120,
        env=os.environ | {"HITHER_CACHE_DIR": str(folder), "HITHER_DISK_CACHE": "1"} | environment,
    )  # fmt: skip
    assert not done.stderr
    return done


def state_of(folder):
    return json.loads(run(folder, "-m", "hither", "cache", "info", "--json").stdout)


def test_entries_are_counted_and_cleared(tmp_path):
    folder = tmp_path / "cache"
    assert state_of(folder) == {
        "folder": str(folder), "entries": 0, "bytes": 0, "limit": 1 << 30,
    }  # fmt: skip
    code = "import hither as ht; print(int(ht.sum(ht.ones(5, device='native_cpu') * 3)))"
    assert run(folder, "-c", code).stdout == "15\n"
    state = state_of(folder)
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "lock"]
    assert state["entries"] == len(files) > 0
    assert state["bytes"] == sum(path.stat().st_size for path in files)
    printed = run(folder, "-m", "hither", "cache", "info").stdout
    assert f"folder   {folder}" in printed
    assert f"entries  {len(files)}" in printed
    assert printed.endswith(" KiB of at most 1 GiB\n")
    cleared = run(folder, "-m", "hither", "cache", "clear")
    assert cleared.returncode == 0
    assert cleared.stdout == f"deleted {len(files)} entries of {folder}\n"
    assert state_of(folder)["entries"] == 0
    assert run(folder, "-c", code).stdout == "15\n"


def test_files_of_others_are_kept(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    assert run(tmp_path, "-m", "hither", "cache", "clear").returncode == 0
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_cache_that_is_not_used_says_why(tmp_path):
    printed = run(tmp_path, "-m", "hither", "cache", "info", HITHER_DISK_CACHE="0").stdout
    assert "Compiled code is not kept: it is disabled: unset HITHER_DISK_CACHE" in printed
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if os.access(locked, os.W_OK):
        pytest.skip("this user may write everywhere")
    printed = run(locked / "cache", "-m", "hither", "cache", "info").stdout
    assert f"{locked} is not writable: set HITHER_CACHE_DIR" in printed


@pytest.mark.parametrize("wrong", [["cache"], ["cache", "empty"], ["cache", "info", "more"]])
def test_wrong_arguments_end_with_two(wrong, capsys):
    from hither import __main__ as command

    with pytest.raises(SystemExit) as ended:
        command.main(wrong)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err
