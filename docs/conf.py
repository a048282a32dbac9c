"""Configuration of the documentation site; ./dev docs builds it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import hither

project = "hither"
author = "the authors of hither"
version = release = hither.__version__
extensions = ["myst_parser", "sphinx_copybutton", "site_pages"]
exclude_patterns = ["site"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_enable_extensions = ["attrs_block", "colon_fence"]
myst_heading_anchors = 4
# Words in the text of docstrings such as `axis` are shown as code.
default_role = "code"
nitpicky = False

html_theme = "furo"
html_title = f"hither {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
copybutton_prompt_text = ">>> "
