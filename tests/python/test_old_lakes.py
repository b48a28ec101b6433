"""A lake made by an older release opens under this one and answers as it did."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contextful_cli.settings import Home

RELEASES = sorted(path for path in (Path(__file__).parent / "lakes").iterdir() if (path / "answers.json").exists())


@pytest.fixture(params=RELEASES, ids=lambda release: release.name)
def kept(request: pytest.FixtureRequest, home: Home) -> Path:
    """A release's folder, its lake and secret laid into a fresh home."""
    release: Path = request.param
    shutil.rmtree(home.lake)
    shutil.copytree(release / "lake", home.lake)
    home.data.mkdir(exist_ok=True)
    shutil.copy(release / "pepper", home.pepper)
    home.pepper.chmod(0o600)
    return release


def answers(release: Path) -> list[dict[str, Any]]:
    return json.loads((release / "answers.json").read_text())


def test_the_first_release_is_kept() -> None:
    assert "0.1.0" in [release.name for release in RELEASES]


def test_it_answers_as_it_did(kept: Path, cli: Callable[..., Any]) -> None:
    for entry in answers(kept):
        assert cli("memory", "recall", "--table", "facts", *entry["question"]).out == entry["answer"]


def test_it_takes_new_claims_beside_the_old(kept: Path, cli: Callable[..., Any]) -> None:
    claim = {"subject": "orion", "predicate": "lead", "object": "Zoë", "confidence": 1, "evidence": []}
    said = cli("memory", "write", "--into", "facts", "--claim", json.dumps(claim))
    assert (said.code, said.err) == (0, "")
    (first, *_) = answers(kept)
    assert (
        cli("memory", "recall", "--table", "facts", *first["question"]).json["rows"]
        == json.loads(first["answer"])["rows"]
    )
    assert cli("doctor").code == 0
