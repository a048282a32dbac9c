"""The conda recipe agrees with the build: version, requirements, and rattler-build's schema."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "packaging/conda/recipe.yaml").read_text()


def test_version_and_requirements():
    version = re.search(r"project\(hither VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert f'version: "{version[1]}"' in RECIPE
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    requirements = [*project["build-system"]["requires"], "numpy>=1.26"]
    requirements += project["project"]["optional-dependencies"]["numba"]
    for requirement in requirements:
        name, version = requirement.split(">=")
        assert f"- {name} >={version}\n" in RECIPE, requirement


def test_schema():
    rattler_build = pytest.importorskip("rattler_build", reason="py-rattler-build is not installed")
    recipe = rattler_build.Stage0Recipe.from_yaml(RECIPE)
    rendered = recipe.render(rattler_build.VariantConfig({"c_stdlib": ["sysroot"]}))
    assert rendered
