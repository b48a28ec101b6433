"""`make docs`: the dbt docs as one static page, and the page that maps each rule to its SQL and its tests."""

import html
import inspect
import json
import os
import re
import shutil
import subprocess
import sys

import rules

SITE = rules.REPOSITORY / "docs" / "site"
MACRO = re.compile(r"\{#-?(?P<comment>.*?)-?#\}|\{%-?\s*macro\s+(?P<name>\w+)", re.DOTALL)
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1c2430; }
table { border-collapse: collapse; width: 100%; } td, th { border-top: 1px solid #d5dbe3; padding: .5rem .8rem;
vertical-align: top; text-align: left; } code { font-size: 13px; } th { color: #5a6675; font-weight: 600; }
"""


def macro_pages() -> str:
    """YAML that gives dbt each macro's description: the comment it stands under, or the one its file opens with."""
    entries = []
    for file in sorted((rules.REPOSITORY / "macros").rglob("*.sql")):
        comment = ""
        for match in MACRO.finditer(file.read_text()):
            comment = inspect.cleandoc(match["comment"]) if match["comment"] else comment
            if match["name"]:
                entries.append({"name": match["name"], "description": comment})
    return json.dumps({"version": 2, "macros": entries}, ensure_ascii=False, indent=1)


def dbt_page() -> None:
    """docs/site/index.html: every model, source, column and macro, with lineage; readable from the file system."""
    command = [
        sys.executable,
        "-m",
        "dbt.cli.main",
        "--quiet",
        "docs",
        "generate",
        "--static",
        "--profiles-dir",
        "profiles",
    ]
    target = rules.REPOSITORY / "target" / "docs"
    described = rules.REPOSITORY / "macros" / "described.yml"  # made from the comments, so that these are the only text
    try:
        described.write_text(macro_pages())
        subprocess.run(command, cwd=rules.REPOSITORY, env=os.environ | {"DBT_TARGET_PATH": str(target)}, check=True)
    finally:
        described.unlink(missing_ok=True)
    shutil.copy(target / "static_index.html", SITE / "index.html")


def rules_page() -> None:
    """docs/site/rules.html: one row a rule."""
    deciding, proving = rules.deciding(), rules.proving()
    rows = "".join(
        f"<tr><td><b>{rule}</b><br>{identifiers}</td><td>{_places(deciding[rule])}</td><td>{_places(proving[rule])}</td></tr>"
        for rule, identifiers in rules.covered().items()
    )
    head = f"<!doctype html><meta charset=utf-8><title>contextful: rules</title><style>{STYLE}</style>"
    table = f"<table><tr><th>rule</th><th>decided in</th><th>proven by</th></tr>{rows}</table>"
    (SITE / "rules.html").write_text(
        f"{head}<h1>Rules, the lines that decide them, the tests that prove them</h1>{table}"
    )


def _places(places: list[rules.Place]) -> str:
    lines = (f"<code>{html.escape(place.file)}:{place.line}</code> {html.escape(place.name)}" for place in places)
    return "<br>".join(dict.fromkeys(lines))


if __name__ == "__main__":
    SITE.mkdir(parents=True, exist_ok=True)
    rules_page()
    dbt_page()
    print(f"wrote {SITE / 'index.html'} and {SITE / 'rules.html'}")
