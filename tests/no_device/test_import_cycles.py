"""Modules of the package do not import each other in a circle."""

import ast
from collections.abc import Iterator
from pathlib import Path

import hither as ht

PACKAGE = Path(ht.__file__).parent


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in PACKAGE.rglob("*.py")}


def import_statements(node: ast.AST, in_functions: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Those that run when the module is imported; with `in_functions` also those of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        elif in_functions or not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from import_statements(child, in_functions)


def imported(module: str, in_functions: bool) -> set[str]:
    path = MODULES[module]
    found = set()
    for statement in import_statements(ast.parse(path.read_text()), in_functions):
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
            continue
        parents = module.split(".")
        if statement.level:
            above = statement.level - (path.name == "__init__.py")
            parents = parents[: len(parents) - above]
            source = ".".join(filter(None, [*parents, statement.module]))
        else:
            source = statement.module or ""
        for alias in statement.names:
            member = f"{source}.{alias.name}"
            if alias.name != "_hither":  # the extension
                found.add(member if member in MODULES else source)
    return found & MODULES.keys() - {module}


def modules_in_circles(prefix: str, in_functions: bool) -> set[str]:
    """Modules that are reachable from themselves."""
    modules = [name for name in MODULES if name.startswith(prefix)]
    edges = {name: imported(name, in_functions) for name in modules}
    found = set()
    for start in modules:
        reached: set[str] = set()
        waiting = [start]
        while waiting:
            for name in edges.get(waiting.pop(), set()) - reached:
                reached.add(name)
                waiting.append(name)
        if start in reached:
            found.add(start)
    return found


def test_no_circle_of_imports():
    assert modules_in_circles("hither", in_functions=False) == set()


def test_kernels_have_no_circle_with_imports_in_functions():
    assert modules_in_circles("hither._kernel", in_functions=True) == set()
