"""Installing hither.compat's names."""

import subprocess
import sys

import pytest

import hither
from hither import compat


@pytest.fixture(autouse=True)
def restored():
    yield
    compat.uninstall()


def test_install_gives_the_names():
    before = sys.modules.get("dpctl")
    provided = compat.install(force=True)
    assert provided == ["dpctl", "dpnp", "numba_dppy", "numba_dpex", "dppl", "dparray"]
    import dpctl
    import dpctl.memory
    import dpctl.tensor as dpt
    import numba_dppy

    assert dpctl.__name__ == "hither.compat.dpctl"
    assert dpctl.tensor is dpt
    assert numba_dppy.offload_to_sycl_device
    compat.uninstall()
    assert sys.modules.get("dpctl") is before


def test_an_installed_package_stays_unless_forced(tmp_path, monkeypatch):
    (tmp_path / "dpctl.py").write_text("real = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [n for n in sys.modules if n.split(".")[0] == "dpctl"]:
        monkeypatch.delitem(sys.modules, name)
    assert "dpctl" not in compat.install()
    import dpctl

    assert dpctl.real
    assert "dpctl" in compat.install(force=True)
    assert sys.modules["dpctl"].__name__ == "hither.compat.dpctl"
    compat.uninstall()
    assert sys.modules["dpctl"] is dpctl
    del sys.modules["dpctl"]


def test_flavours_are_checked():
    with pytest.raises(ValueError, match="is none of"):
        compat.install(flavour="nonsense")


def test_scripts_run_unchanged(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import sys, dpctl\n"
        "from neighbour import name\n"
        "assert __name__ == '__main__'\n"
        "print(name, sys.argv[1:], isinstance(dpctl.SyclQueue('cpu'), dpctl.SyclQueue))\n"
    )
    (tmp_path / "neighbour.py").write_text("name = 'found'\n")
    done = subprocess.run(
        [sys.executable, "-m", "hither.compat", str(script), "--flag", "1"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "found ['--flag', '1'] True"


def test_a_script_that_is_not_there():
    done = subprocess.run(
        [sys.executable, "-m", "hither.compat", "/no/such/program.py"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert "there is no file /no/such/program.py" in done.stderr
    assert "Traceback" not in done.stderr


def test_names_that_programs_ask_for(capsys):
    from hither.compat import dpctl, numba_dpex, numba_dppy

    assert dpctl.__version__ == hither.__version__
    kinds = dpctl.enum_types.kernel_arg_type
    assert (kinds.dpctl_int8, kinds.dpctl_void_ptr, kinds.dpctl_raw_kernel_arg) == (0, 10, 13)
    dpctl.lsplatform()
    assert "native_cpu" in capsys.readouterr().out.splitlines()
    dpctl.lsplatform(2)
    assert "native_cpu:cpu:0" in capsys.readouterr().out
    for package in (numba_dppy, numba_dpex):
        assert package.CLK_LOCAL_MEM_FENCE == hither.LOCAL_MEM_FENCE
        assert package.CLK_GLOBAL_MEM_FENCE == hither.GLOBAL_MEM_FENCE


def test_contexts_that_a_program_is_inside_of_are_counted():
    from hither.compat import dpctl

    assert dpctl.get_num_activated_queues() == 0
    with hither.device_context("native_cpu"), hither.device_context("native_cpu"):
        assert dpctl.get_num_activated_queues() == 2
    assert dpctl.get_num_activated_queues() == 0
