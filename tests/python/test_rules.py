"""Every rule the project claims to keep has a line that decides it and a test that proves it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import rules


def test_every_covered_rule_is_named_by_a_test() -> None:
    proving = rules.proving()
    assert [rule for rule in rules.covered() if not proving[rule]] == []


def test_every_covered_rule_is_decided_somewhere() -> None:
    deciding = rules.deciding()
    assert [rule for rule in rules.covered() if not deciding[rule]] == []


def test_no_place_names_a_rule_that_is_not_claimed() -> None:
    assert sorted(set(rules.deciding()) - set(rules.covered())) == []
