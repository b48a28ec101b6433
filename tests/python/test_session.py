"""Laying a session: rendered once for the same tables, whatever the state folder allows."""

import subprocess
import sys
from pathlib import Path

from contextful_cli import session
from contextful_cli.caller import local_operator
from contextful_cli.settings import Home
from contextful_cli.tables import Table

READ = """
import sys
from contextful_cli import declaration, session
from contextful_cli.caller import local_operator
from contextful_cli.settings import Home
home = Home.locate()
session.open_session(local_operator(home, declaration.load(home.project)), shaped=["facts"])
print(sorted({"jinja2", "dbt", "pydantic", "pandas", "pyarrow"} & set(sys.modules)))
"""


def people(home: Home, tables: list[Table]) -> list[tuple[object, ...]]:
    con = session.open_session(local_operator(home, tables), views=["people"])
    return con.execute("select id from session.people").fetchall()


def test_a_session_laid_before_is_laid_again_without_jinja(home: Home) -> None:
    first, second = (
        subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert (first, second) == ("['jinja2']\n", "[]\n")


def test_a_state_folder_that_keeps_no_script_is_read_all_the_same(home: Home, tables: list[Table]) -> None:
    (home.root / "sessions").write_text("a file where the folder would be")
    assert people(home, tables) == []


def test_a_changed_macro_is_rendered_anew(home: Home, tables: list[Table], tmp_path: Path) -> None:
    changed = Home(project=tmp_path / "project", root=home.root)
    (changed.project / "macros").mkdir(parents=True)
    (changed.project / "macros" / "session").symlink_to(home.project / "macros" / "session")
    assert people(changed, tables) == []
    kept = set((home.root / "sessions").iterdir())
    (changed.project / "macros" / "session").unlink()
    (changed.project / "macros" / "session").mkdir()
    for file in (home.project / "macros" / "session").glob("*.sql"):
        (changed.project / "macros" / "session" / file.name).write_text(file.read_text() + "\n")
    assert people(changed, tables) == []
    assert len(set((home.root / "sessions").iterdir()) - kept) == 1


def test_two_builds_share_one_script(home: Home, tables: list[Table]) -> None:
    reaches = {name: session.Reach(True, True) for table in tables for name in table.lake_tables()}
    caller = local_operator(home, tables)
    one, two = (session.script(caller, reaches, views=[], after=stamp) for stamp in (1_111, 2_222))
    assert (two, len(list((home.root / "sessions").iterdir()))) == (one.replace("1111", "2222"), 1)
    assert "make_timestamp_ns(1111)" in one
