"""sbom.py DIST_INFO PACKAGE...: writes DIST_INFO/sboms/hither.cdx.json (CycloneDX, PEP 770).

It lists the software that is compiled into the wheel's libraries: these packages, and nanobind. A
package is NAME==VERSION of PyPI, or one of Debian, whose source package is listed. auditwheel lists
the shared libraries that it copied into the wheel.
"""

import importlib.metadata
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL


def library(kind: str, name: str, version: str, namespace: str | None = None) -> Component:
    url = PackageURL(kind, namespace, name, version)
    return Component(
        name=name, version=version, type=ComponentType.LIBRARY, purl=url, bom_ref=str(url)
    )


def debian_source(package: str) -> Component:
    query = ["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package]
    name, version = subprocess.run(query, check=True, capture_output=True, text=True).stdout.split()
    distribution = subprocess.run(
        ["sh", "-c", '. /etc/os-release; echo "$ID"'], check=True, capture_output=True, text=True
    ).stdout.strip()
    return library("deb", name, version, distribution)


def main() -> None:
    folder, packages = Path(sys.argv[1]), sys.argv[2:]
    metadata = message_from_bytes((folder / "METADATA").read_bytes())
    bom = Bom()
    wheel = library("pypi", metadata["Name"], metadata["Version"])
    bom.metadata.component = wheel
    contained = [
        library("pypi", *package.split("==")) if "==" in package else debian_source(package)
        for package in packages
    ]
    contained.append(library("pypi", "nanobind", importlib.metadata.version("nanobind")))
    for component in contained:
        bom.components.add(component)
    bom.register_dependency(wheel, contained)
    output = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6)
    (folder / "sboms").mkdir(exist_ok=True)
    output.output_to_file(str(folder / "sboms" / "hither.cdx.json"), allow_overwrite=True, indent=2)


if __name__ == "__main__":
    main()
