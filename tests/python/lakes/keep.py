"""Keeps a small lake of the present release: `python tests/python/lakes/keep.py`, once a release, before it is tagged.

Each folder here holds a lake as its release left it, the declarations it was made under, and answers it gave. The test
beside this folder opens every one with the present release.
"""

import json
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
import workshop

HERE = Path(__file__).parent
EVIDENCE = [{"table": "people", "run": "first", "seq": 0}]
CLAIMS = (
    ("orion", "lead", "Mira", "2020-01-01T00:00:00Z"),
    ("orion", "lead", "Łukasz Żółć 李明 🙂", "2021-06-01T12:30:00.123456Z"),
    ("vega", "lead", "Jonas", "0001-01-01T00:00:00Z"),
    ("vega", "state", "archived", "9999-12-31T23:59:59.999999Z"),
)
QUESTIONS = (
    ("--subject", "orion", "--observed-at", "2020-07-01T00:00:00Z"),
    ("--subject", "orion", "--observed-at", "2022-01-01T00:00:00Z"),
    ("--subject", "vega", "--observed-at", "9999-12-31T23:59:59.999999Z"),
    ("--subject", "nobody", "--observed-at", "2022-01-01T00:00:00Z"),
)


def fill(shop: workshop.Workshop) -> None:
    """Rows, claims, an expiry and a retraction, half of them compacted into files and half still in the catalog."""
    people = shop.folder / "people.csv"
    people.write_text("id,name\n1,Ann\n2,Bob\n")
    demand(shop, "land", "--table", "people", "--from", str(people), "--run-id", "first")
    for subject, predicate, value, observed in CLAIMS:
        claim = {"subject": subject, "predicate": predicate, "object": value, "confidence": 0.5, "evidence": EVIDENCE}
        demand(shop, "memory", "write", "--into", "facts", "--claim", json.dumps(claim), "--observed-at", observed)
        demand(shop, "build", "config.materialized:table_function")
    (vega,) = json.loads(demand(shop, "memory", "recall", "--table", "facts", "--subject", "vega", *QUESTIONS[1][2:]))[
        "rows"
    ]
    ending = ("--table", "facts", "--claim-id", vega[0])
    demand(shop, "memory", "expire", *ending, "--at", "2024-01-01T00:00:00Z")


def demand(shop: workshop.Workshop, *arguments: str) -> str:
    said = shop.run(*arguments)
    if said.returncode:
        raise SystemExit(said.stderr)
    return said.stdout


def main() -> None:
    kept = HERE / version("contextful")
    with tempfile.TemporaryDirectory() as folder:
        shop = workshop.lay(Path(folder))
        fill(shop)
        answers = [
            {"question": list(question), "answer": demand(shop, "memory", "recall", "--table", "facts", *question)}
            for question in QUESTIONS
        ]
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(
            shop.home.lake, kept / "lake", ignore=shutil.ignore_patterns("lock", "*.holder", "*-wal", "*-shm")
        )
        shutil.copy(shop.home.pepper, kept / "pepper")
        shutil.copy(shop.home.project / "models/landing/shapes.yml", kept / "shapes.yml")
    (kept / "answers.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
