"""tools/house_rules.py: functions of C++ sources, retired terms, walls, Markdown."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"

CPP = """\
#include "array/view.h"
namespace a {
struct S {  // has {
 private:
  struct Inner {
    int x;
  };
  int f() const noexcept { return '{'; }
  template <class T, int n = 2>
  auto g(T v = {})
      -> int {
    return v("}");
  }
};
constexpr int kTable[] = {1, 2};
S::S(int a) : a_(a), b_{a} {
  auto each = [&](int i) { return i; };
  R"x({{{)x";
}
enum class E : int { kOne };
auto kLambda = [](int x) { return 1'000; };
TEST_CASE("it's {") {
}
}  // namespace a
"""


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module


def test_functions_of_cpp(tool):
    found = [(f.name, f.first_line, f.last_line) for f in tool("cpp_text").functions(CPP)]
    assert found == [("f", 8, 8), ("g", 9, 13), ("S::S", 16, 19), ("a function", 21, 21),
                     ("TEST_CASE", 22, 23)]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "faults"), [
    ("a.cpp", "int kTurns, returned, turn_into;  // turn_", ["kTurns", "turn_into"]),
    ("a.py", "device_words = 'turns'\nclass Turn: ...", ["device_words", "Turn"]),
    ("turn.h", "", ["turn.h"]),
    ("a.cpp", "// the work is\n  // not to be\n  // had here", ["not to be // had"]),
    ("a.cpp", '"is not to "\n  "be had"', ['not to " "be had']),
    ("a.md", "It is not\nto be had, and has to be handed over.", ["not to be had"]),
    ("a.md", "Besides, it turns `x` into `turns`.", []),
])  # fmt: skip
def test_retired_terms(tool, path, text, faults):
    retired = tool("retired_terms")
    terms = retired.read_terms(
        "# a comment\n\nidentifier: turns?|device_words => iteration\n"
        "phrase: \\bnot to be had => supported\nphrase: \\bbeside\\b => next to\n"
    )
    found = retired.term_faults(terms, Path(path), text)
    assert len(found) == len(faults)
    assert all(part in line for part, line in zip(faults, found, strict=True))


def test_a_line_of_the_terms_that_cannot_be_read(tool):
    with pytest.raises(ValueError, match="KIND"):
        tool("retired_terms").read_terms("turns are iterations")


def test_the_terms_can_be_read(tool):
    retired = tool("retired_terms")
    terms = retired.read_terms(retired.TERMS.read_text())
    assert terms.identifiers and terms.phrases


def test_walls(tool, tmp_path):
    for folder in ("src/array/plan", "src/runtime", "src/error", "src/bind"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src/CMakeLists.txt").write_text(
        "hither_folder(error)\nhither_folder(array/plan WALLED FOLDERS error\n  LIBRARIES fmt)\n"
        "hither_room(array FOLDERS)\nhither_array_folder(array FOLDERS error runtime ${llvm})\n"
    )
    (tmp_path / "src/convert").mkdir()
    (tmp_path / "src/convert/CMakeLists.txt").write_text(
        "set(one runtime/one.h)\nset(more ${one} error)\n"
        "hither_include_view(view python_convert convert ${more})\n"
    )
    walls = tool("walls").read_walls(tmp_path)

    def faults(path, include):
        return len(walls.faults(Path(path), f"int x;\n#include {include}\n"))

    assert faults("src/array/plan/a.cpp", '"array/plan/b.h"') == 0
    assert faults("src/array/plan/a.cpp", '"error/b.h"') == 0
    assert faults("src/array/plan/a.cpp", '"array/b.h"') == 1
    assert faults("src/array/plan/a.cpp", '"runtime/b.h"') == 1
    assert faults("src/array/plan/a.cpp", "<runtime/b.h>") == 1
    assert faults("src/array/plan/a.cpp", '"../../runtime/b.h"') == 1
    assert faults("src/array/a.cpp", '"array/plan/b.h"') == 0
    assert faults("src/array/a.cpp", '"runtime/b.h"') == 0
    assert faults("src/bind/a.cpp", '"runtime/b.h"') == 0  # has no grants
    assert faults("src/convert/a.cpp", '"runtime/one.h"') == 0
    assert faults("src/convert/a.cpp", '"error/two.h"') == 0
    assert faults("src/convert/a.cpp", '"runtime/two.h"') == 1
    assert faults("include/hither/a.h", '"runtime/b.h"') == 1
    assert faults("include/hither/a.h", "<hither/b.h>") == 0


GUIDE = """\
```
./dev build
```
Read `src/a.h`, `a.h` and `src/`; `src/NAME/b.h` is yours. `kOld` and `new_name()` are rows
of `src/gone.h`. Run `ninja -C build/gone`, and see `Old::new_name` and `_GONE`.
"""


def test_places_that_the_guide_names(tool):
    places = tool("named_places")
    faults = places.place_faults(GUIDE, [Path("src/a.h")], {"Old", "new_name"})
    assert faults == [
        "CONTRIBUTING.md:4: the sources have no kOld",
        "CONTRIBUTING.md:5: there is no file or folder src/gone.h",
        "CONTRIBUTING.md:5: the sources have no _GONE",
    ]


def test_documents_and_folders(tool):
    rules = tool("house_rules")
    long = "word " * 40
    assert len(rules.document_faults(Path("a.md"), [long, "| " + long, "x" * 200])) == 1
    assert len(rules.document_faults(Path("docs/design/0001-a.md"), ["x"] * 121)) == 1
    assert rules.document_faults(Path("docs/guide/a.md"), ["x"] * 121) == []
    assert len(rules.document_faults(Path("docs/glossary.md"), ["| **x** | y |"] * 41)) == 1
    files = [Path(f"src/a/{i}.h") for i in range(61)] + [Path(f"docs/{i}.md") for i in range(61)]
    assert [line.split(":")[0] for line in rules.folder_faults(files)] == ["src/a"]
    assert len(rules.function_faults(Path("a.cpp"), "void f() {\n" + "\n" * 60 + "}\n")) == 1
