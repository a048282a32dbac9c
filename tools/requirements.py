"""Prints the requirements of the named extras of pyproject.toml, one a line.

"build" means the build system's requirements. The project's dependencies are always included.
"""

import re
import sys
import tomllib
from pathlib import Path


def requirements_of(project: dict, extra: str) -> list[str]:
    if extra == "build":
        return list(project["build-system"]["requires"])
    found = []
    for requirement in project["project"]["optional-dependencies"][extra]:
        inner = re.fullmatch(r"hither\[(.*)\]", requirement)
        if inner is None:
            found.append(requirement)
            continue
        for name in inner.group(1).split(","):
            found += requirements_of(project, name.strip())
    return found


def main() -> None:
    path = Path(__file__).parent.parent / "pyproject.toml"
    project = tomllib.loads(path.read_text())
    found = list(project["project"]["dependencies"])
    for extra in sys.argv[1:]:
        found += requirements_of(project, extra)
    print("\n".join(dict.fromkeys(found)))


if __name__ == "__main__":
    main()
