"""The block of hither.profile(): its beginning, its end and its limits."""

import json
import subprocess
import sys

import pytest

import hither as ht


def test_profiles_do_not_nest():
    with ht.profile() as p:
        with (
            pytest.raises(ht.InvalidValueError, match=r"already running.*do not nest"),
            ht.profile(),
        ):
            raise AssertionError("the block must not run")
        ht.synchronize(ht.ones(10) + 1)
    assert p.events


def test_a_profile_can_be_used_again():
    p = ht.profile()
    with p:
        ht.synchronize(ht.ones(10) + 1)
    assert p.events
    with p:
        pass
    assert not p.events


def test_nothing_is_recorded_outside():
    ht.synchronize(ht.ones(10) + 1)
    with ht.profile() as p:
        pass
    ht.synchronize(ht.ones(10) + 1)
    assert p.events == []
    assert p.table().splitlines()[0].startswith("kind")


def test_the_file_is_written_after_an_exception(tmp_path):
    path = tmp_path / "trace.json"
    x = ht.ones(10)
    with pytest.raises(KeyError), ht.profile(str(path)):
        ht.synchronize(x + 1)
        raise KeyError("mine")
    trace = json.loads(path.read_text())
    assert any(e.get("cat") == "kernel" for e in trace["traceEvents"])
    with ht.profile():
        pass


def test_events_beyond_the_limit_are_counted(tmp_path):
    path = tmp_path / "trace.json"
    x = ht.ones(10)
    x.synchronize()
    with ht.profile(path, limit=3) as p:
        for _ in range(10):
            ht.synchronize(x + 1)
    assert len(p.events) == 3
    assert p.dropped >= 7
    assert f"{p.dropped} later events are missing" in str(p)
    assert json.loads(path.read_text())["otherData"]["dropped"] == p.dropped


def test_failed_work_is_recorded():
    @ht.kernel(debug=True)
    def beyond(x):
        x[ht.get_global_id(0) + 1] = 1

    x = ht.zeros(4)
    with ht.profile() as p:
        beyond(x)
        with pytest.raises(ht.Error):
            ht.asnumpy(x)
    assert any(e.kind == "kernel" and e.name == "beyond" for e in p.events)


def test_mistakes():
    with pytest.raises(ht.InvalidTypeError, match="path is an int"):
        ht.profile(3)
    with pytest.raises(ht.InvalidTypeError, match="limit is 'many'"):
        ht.profile(limit="many")
    with pytest.raises(ht.InvalidValueError, match="limit is 0"):
        ht.profile(limit=0)
    with pytest.raises(OSError, match="nowhere"), ht.profile("/nowhere/trace.json"):
        pass
    with pytest.raises(ht.InvalidValueError, match="not ended"):
        _ = ht.profile().events
    assert "not ended" in repr(ht.profile())


SCRIPT = """
import sys
import hither as ht
assert __name__ == "__main__"
from neighbour import VALUE
print(sys.argv[1:], VALUE)
ht.synchronize(ht.ones(100) + VALUE)
if sys.argv[-1] == "fail":
    raise ValueError("mine")
if sys.argv[-1] == "exit":
    sys.exit(5)
"""


def run(tmp_path, *arguments):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "neighbour.py").write_text("VALUE = 7\n")
    return subprocess.run(
        [sys.executable, "-m", "hither", "profile", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_command_runs_a_script(tmp_path):
    trace = tmp_path / "trace.json"
    script = str(tmp_path / "script.py")
    done = run(tmp_path, "-o", str(trace), script, "--json", "-o", "x")
    assert done.returncode == 0, done.stderr
    first, header, *_ = done.stdout.splitlines()
    assert first == "['--json', '-o', 'x'] 7"
    assert header.startswith("kind")
    kernels = [e for e in json.loads(trace.read_text())["traceEvents"] if e.get("cat") == "kernel"]
    assert kernels
    assert kernels[0]["args"]["line"] == f"{script}:7"


def test_the_command_has_the_status_of_the_script(tmp_path):
    done = run(tmp_path, str(tmp_path / "script.py"), "exit")
    assert done.returncode == 5
    assert "kernel" in done.stdout
    done = run(tmp_path, str(tmp_path / "script.py"), "fail")
    assert done.returncode == 1
    assert "kernel" in done.stdout
    assert "ValueError: mine" in done.stderr


def test_the_command_refuses_what_it_cannot_run(tmp_path):
    done = run(tmp_path, str(tmp_path / "none.py"))
    assert done.returncode == 2
    assert "there is no file" in done.stderr
    done = run(tmp_path, "-o", "/nowhere/trace.json", str(tmp_path / "script.py"))
    assert done.returncode == 2
    assert "/nowhere/trace.json" in done.stderr
    assert run(tmp_path).returncode == 2
