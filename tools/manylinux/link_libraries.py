"""link_libraries.py POLICY FOLDER: what to link so that a library runs on the systems of POLICY.

The policy, such as manylinux_2_28, is one of auditwheel's: it lists the symbol versions of the C
and C++ libraries that a wheel may need. A linker binds each symbol to the newest version that the
build machine's library has. FOLDER gets stand-ins of these libraries for the linker, which define
each symbol in its newest version of the policy only. Symbols that the policy has in no version come
from static archives instead: libstdc++.a, libgcc.a, and missing.c for glibc's. The C++ runtime's
state stays in the system's libstdc++.so.6, so that exceptions cross shared libraries as usual.

Link with -LFOLDER before the system's folders. The script prints all of the options.
"""

import importlib.resources
import json
import platform
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from elftools.elf.elffile import ELFFile

LIBRARIES = ("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6")
# Parts of libc.so.6 since glibc 2.34. Before, they have to be loaded for the symbols that they had.
FORMER_LIBRARIES = ("libpthread.so.0", "libdl.so.2")
SECTIONS = {"STT_TLS": ('.section .tbss,"awT",@nobits', "@tls_object")}
SECTIONS |= dict.fromkeys(("STT_FUNC", "STT_LOOS"), (".text", "@function"))


def allowed_versions(policy: str) -> set[str]:
    """The names of all symbol versions that the policy allows, such as GLIBC_2.28."""
    text = (importlib.resources.files("auditwheel.policy") / "manylinux-policy.json").read_text()
    for row in json.loads(text):
        if policy in (row["name"], *row["aliases"]):
            versions = row["symbol_versions"][platform.machine()]
            return {f"{prefix}_{v}" for prefix, all_v in versions.items() for v in all_v}
    sys.exit(f"link_libraries: auditwheel has no policy {policy}")


def order(version: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", version)]


def symbols_of(library: Path) -> dict[str, dict[str, tuple[str, int]]]:
    """For each symbol that the library defines, its versions with type and size."""
    symbols: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    with library.open("rb") as file:
        elf = ELFFile(file)
        numbers = elf.get_section_by_name(".gnu.version")
        names = {
            definition["vd_ndx"]: next(aux).name
            for definition, aux in elf.get_section_by_name(".gnu.version_d").iter_versions()
        }
        for i, symbol in enumerate(elf.get_section_by_name(".dynsym").iter_symbols()):
            number = numbers.get_symbol(i)["ndx"]
            if symbol["st_shndx"] == "SHN_UNDEF" or isinstance(number, str):
                continue
            version = names[number & 0x7FFF]
            if symbol.name != version:  # not the symbol that names a version
                symbols[symbol.name][version] = symbol["st_info"]["type"], symbol["st_size"]
    return symbols


def write_stand_in(library: Path, allowed: set[str], folder: Path) -> None:
    lines, used = [], set()
    for number, (name, versions) in enumerate(sorted(symbols_of(library).items())):
        candidates = sorted((v for v in versions if v in allowed), key=order)
        if not candidates:
            continue
        version = candidates[-1]
        used.add(version)
        kind, size = versions[version]
        section, kind = SECTIONS.get(kind, (".data", "@object"))
        lines += [section, f".globl s{number}", f".type s{number}, {kind}"]
        lines += [f".size s{number}, {size}", f"s{number}: .zero {max(size, 1)}"]
        lines.append(f".symver s{number}, {name}@@{version}, remove")
    link_stand_in(folder, library.name, "\n".join(lines) + "\n", used)


def link_stand_in(folder: Path, name: str, assembly: str, versions: set[str]) -> None:
    script, source = folder / f"{name}.map", folder / f"{name}.s"
    script.write_text("".join(f"{v} {{}};\n" for v in sorted(versions)) or "{};\n")
    source.write_text(assembly)
    command = ["gcc", "-shared", "-nostdlib", "-fuse-ld=bfd", f"-Wl,-soname,{name}"]
    command += [f"-Wl,--version-script={script}", "-o", str(folder / name), str(source)]
    subprocess.run(command, check=True)


def file_of(name: str) -> Path:
    command = ["g++", f"-print-file-name={name}"]
    path = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    if not Path(path).is_absolute():
        sys.exit(f"link_libraries: g++ has no {name}")
    return Path(path)


def write_archive(folder: Path) -> Path:
    """An archive of the functions that the policy's glibc may lack."""
    code, archive = folder / "missing.o", folder / "libmissing.a"
    source = Path(__file__).parent / "missing.c"
    subprocess.run(["gcc", "-O2", "-fPIC", "-Wall", "-c", source, "-o", code], check=True)
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rc", archive, code], check=True)
    return archive


def main() -> None:
    allowed, folder = allowed_versions(sys.argv[1]), Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in LIBRARIES:
        write_stand_in(file_of(name), allowed, folder)
    for name in FORMER_LIBRARIES:
        link_stand_in(folder, name, "", set())
    loader = file_of("libc.so.6").parent.glob("ld-linux-*.so.*")
    groups = {
        "libc.so": ["libc.so.6", write_archive(folder), file_of("libc_nonshared.a"), *loader],
        "libm.so": ["libm.so.6"],
        "libgcc_s.so": ["libgcc_s.so.1", file_of("libgcc.a")],
        "libstdc++.so": ["libstdc++.so.6", file_of("libstdc++.a")],
    }
    for name, parts in groups.items():
        (folder / name).write_text(f"GROUP({' '.join(str(folder / part) for part in parts)})\n")
    former = ",".join(f"-l:{name}" for name in FORMER_LIBRARIES)
    print(f"-L{folder} -Wl,--no-as-needed,{former},--as-needed -Wl,--exclude-libs,ALL")


if __name__ == "__main__":
    main()
