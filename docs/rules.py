"""Where each rule of the contract is decided and proven, read off the sources themselves.

A deciding place carries a comment `rule: revise.supersede` (several: comma-separated) beside the line that decides.
A test names its rule by `@pytest.mark.rule("…")`, or by `meta: {rule: …}` on a data test or unit test.
"""

import csv
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
RULE = r"[a-z]+\.[a-z]+(?:-[a-z]+)*"
DECIDED = re.compile(rf"\brule: ({RULE}(?:, {RULE})*)")
PYTEST_MARK = re.compile(r"mark\.rule\(([^)]*)\)")
META = re.compile(rf"\brules?: (\[[^\]]*\]|[\"']?{RULE})")
TEST_NAME = re.compile(r"^\s*(?:def (test_\w+)|- name: (\w+))")


@dataclass(frozen=True)
class Place:
    """A line of a file, and the test's name where it is one."""

    file: str
    line: int
    name: str = ""


def covered() -> dict[str, str]:
    """Rule id to its error identifiers: the rules this release claims to keep."""
    with (REPOSITORY / "seeds/reference/rules.csv").open() as file:
        return {row["rule_id"]: row["identifiers"] for row in csv.DictReader(file)}


def deciding() -> dict[str, list[Place]]:
    """Rule id to the lines that decide it, in SQL and in the Python that SQL cannot replace."""
    found: dict[str, list[Place]] = defaultdict(list)
    for path in _files(("models", "*.sql"), ("macros", "*.sql"), ("contextful_cli", "*.py")):
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            for match in DECIDED.finditer(line):
                for rule in match[1].split(", "):
                    found[rule].append(Place(_relative(path), number))
    return found


def proving() -> dict[str, list[Place]]:
    """Rule id to the tests that name it."""
    found: dict[str, list[Place]] = defaultdict(list)
    for path in _files(("tests/python", "test_*.py")):
        for rule, place in _pytest_marks(path):
            found[rule].append(place)
    for path in _files(("models", "*.yml"), ("tests/data", "*.sql"), ("tests/data", "*.yml")):
        for rule, place in _dbt_meta(path):
            found[rule].append(place)
    return found


def _pytest_marks(path: Path) -> list[tuple[str, Place]]:
    text = path.read_text()
    lines = text.splitlines()
    marks = []
    for match in PYTEST_MARK.finditer(text):
        line = text[: match.end()].count("\n")
        marks += [(rule, _test_after(path, lines, line)) for rule in re.findall(rf"[\"']({RULE})[\"']", match[1])]
    return marks


def _test_after(path: Path, lines: list[str], line: int) -> Place:
    for number in range(line, len(lines)):
        if name := TEST_NAME.match(lines[number]):
            return Place(_relative(path), number + 1, name[1] or "")
    return Place(_relative(path), line + 1, "the whole module")


def _dbt_meta(path: Path) -> list[tuple[str, Place]]:
    lines = path.read_text().splitlines()
    marks = []
    for number, line in enumerate(lines):
        for match in META.finditer(line):
            name = path.stem if path.suffix == ".sql" else _entry_before(lines, number)
            marks += [(rule, Place(_relative(path), number + 1, name)) for rule in re.findall(RULE, match[1])]
    return marks


def _entry_before(lines: list[str], number: int) -> str:
    names = (TEST_NAME.match(lines[at]) for at in range(number, -1, -1))
    return next((name[2] for name in names if name and name[2]), "")


def _files(*places: tuple[str, str]) -> list[Path]:
    return sorted(path for folder, pattern in places for path in (REPOSITORY / folder).rglob(pattern))


def _relative(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()
