"""The id of a claim, as the write gives it."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import claim_id
from writing import Facts, fresh, line

from contextful_cli.settings import Home


@pytest.fixture(scope="module")
def facts(compiled: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    """A table that nothing is written into."""
    with fresh(compiled, tmp_path_factory.mktemp("ids") / "home") as table:
        yield table


def ids(facts: Facts, *lines: str) -> list[str]:
    """The ids that the lines are given, unwritten."""
    facts.writer.stage(list(lines))
    facts.writer.staging.fill("lines", "from revise.claim_lines('facts')")
    return [found for (found,) in facts.writer.staging.rows("select claim_id from pending.lines order by line_number")]


@pytest.mark.rule("revise.dedup-key")
def test_ids_match_the_vectors_of_the_contract(facts: Facts) -> None:
    keyed = [line(dedup_key="evt-1"), line(scope="team-a", dedup_key="evt-1")]
    assert ids(facts, line(), line(scope="team-a"), *keyed) == [
        "c-ee965fcba19e3053282202f3",
        "c-d39e883de03e3bf07c56f9a1",
        "c-21f21eeceabec3649a307fb9",
        "c-7e8023b7a814bf435d2b61fe",
    ]


def test_parts_do_not_run_together(facts: Facts) -> None:
    found = ids(facts, line(subject="ab", predicate="c"), line(subject="a", predicate="bc"), line(scope=None))
    assert len(set(found)) == 3
    assert found[2] == "c-ee965fcba19e3053282202f3"  # a null scope is none


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(TEXTS, TEXTS, TEXTS, st.none() | TEXTS, st.none() | st.text("k\u0142\U0001f642 ", min_size=1))
def test_ids_of_any_text_are_the_reference_s(
    facts: Facts, subject: str, predicate: str, object: str, scope: str | None, key: str | None
) -> None:
    written = line(subject=subject, predicate=predicate, object=object, scope=scope, dedup_key=key)
    assert ids(facts, written) == [claim_id(subject, predicate, object, scope, key)]
