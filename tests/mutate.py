"""`make mutate`: switches off, one at a time, the line that decides a rule, and expects a test naming the rule to fail.

A rule whose line can be switched off unseen has no test. Exit 1 and the survivors if there are any.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import rules

REPOSITORY = rules.REPOSITORY
WORKERS = 2


@dataclass(frozen=True)
class Mutation:
    """rule: whose line it is; file: where; find: the deciding text; put: what stands there when it is switched off."""

    rule: str
    file: str
    find: str
    put: str = ""


WINDOWS, EVIDENCE, REVISE = "macros/windows", "macros/evidence", "models/revise"
SETTLEMENT, SETTLE, CALIBRATION = "macros/settlement", "models/settle", "macros/calibration"
MUTATIONS = (
    Mutation("revise.supersede", f"{WINDOWS}/equal_starts.sql", "and s.tier_rank >= p.tier_rank"),
    Mutation("revise.supersede", f"{WINDOWS}/equal_starts.sql", "and s.arrival > p.arrival"),
    Mutation("revise.supersede", f"{WINDOWS}/starts_out_of_order.sql", "and s.is_open"),
    Mutation("revise.supersede", f"{WINDOWS}/starts_out_of_order.sql", "and s.arrival > p.arrival"),
    Mutation("revise.supersede", f"{WINDOWS}/placed_claims.sql", "valid_to is null and "),
    Mutation("revise.supersede", f"{WINDOWS}/supersession_window.sql", "min(successor)", "max(successor)"),
    Mutation("revise.tier", f"{WINDOWS}/tier_rank.sql", "'derived' then 2", "'derived' then 3"),
    Mutation("revise.tier", "contextful_cli/revise.py", '"fetched": "researched"', '"fetched": "curated"'),
    Mutation("revise.unscoped-collision", f"{WINDOWS}/equal_starts.sql", "and not {{ is_collision_pair('p', 's') }}"),
    Mutation(
        "revise.unscoped-collision",
        f"{WINDOWS}/is_collision_pair.sql",
        '{{ p }}."scope" is null\n        and {{ s }}."scope" is null\n        and ',
    ),
    Mutation("revise.retention-default", f"{WINDOWS}/claim_windows.sql", "held.expired_at, successor", "successor"),
    Mutation("revise.retention-default", f"{WINDOWS}/placed_claims.sql", "epoch_us(expired_at)", "null::bigint"),
    Mutation(
        "revise.retention-default",
        f"{WINDOWS}/held_claims.sql",
        "closed_keys.is_retracted is distinct from true",
        "true",
    ),
    Mutation(
        "revise.retention-default",
        f"{WINDOWS}/held_claims.sql",
        "coalesce(closed_keys.arrival, keys.first_order)",
        "keys.first_order",
    ),
    Mutation("revise.observed-attest", f"{REVISE}/arrived_lines.sql", "lines.observed_at,\n", "null::timestamptz,\n"),
    Mutation(
        "revise.dedup-key",
        f"{REVISE}/ruled_lines.sql",
        "when candidates.is_keyed then held.valid_from",
        "when candidates.is_keyed then null",
    ),
    Mutation("revise.observed-order", f"{REVISE}/ruled_lines.sql", "or findings.contradicted_from is not null"),
    Mutation(
        "revise.observed-order",
        "macros/revise/is_out_of_order.sql",
        "and ({{ line }}.valid_until is null or {{ line }}.valid_until > {{ state }}.valid_from)",
    ),
    Mutation("revise.citation-live", f"{REVISE}/ruled_lines.sql", "candidates.replaced_citation is not null or "),
    Mutation("revise.direct-write", "contextful_cli/revise.py", "if not table.is_claims:", "if table.name == 'bets':"),
    Mutation("declare.canonical-column", "contextful_cli/table_rules.py", "', '.join(missing)", "missing[0]"),
    Mutation("declare.availability", f"{WINDOWS}/is_committed.sql", "or not has_availability", "or true"),
    Mutation(
        "recall.evidence-unresolved",
        f"{EVIDENCE}/evidence_gate.sql",
        "else 'MemoryEvidenceUnresolved'",
        "else null",
    ),
    Mutation(
        "recall.keyed-gate",
        f"{EVIDENCE}/evidence_gate.sql",
        "when resolved.citations = len(items.evidence)",
        "when resolved.citations > 0",
    ),
    Mutation("recall.evidence-gate-bound", f"{EVIDENCE}/max_citations.sql", " 4096 ", " 4097 "),
    Mutation("recall.evidence-references", f"{EVIDENCE}/max_served_citations.sql", " 256 ", " 255 "),
    Mutation(
        "recall.evidence-references", f"{EVIDENCE}/served_evidence.sql", "list_sort({{ evidence }})", "{{ evidence }}"
    ),
    Mutation("recall.evidence-key", f"{EVIDENCE}/rows_by_digest.sql", "and digested.key_digest = gone.key_digest"),
    Mutation("recall.evidence-stale", f"{EVIDENCE}/later_versions_of.sql", "and {{ is_later }}"),
    Mutation(
        "recall.suppression-count",
        f"{EVIDENCE}/recalled_claims.sql",
        "count(*) filter (withheld = 'MemoryEvidenceUnresolved')",
        "0",
    ),
    Mutation(
        "recall.keyed",
        f"{EVIDENCE}/recalled_claims.sql",
        "valid_from <= p_observed_at::timestamptz",
        "valid_from < p_observed_at::timestamptz",
    ),
    Mutation(
        "recall.keyed",
        f"{EVIDENCE}/recalled_claims.sql",
        "valid_to > p_observed_at::timestamptz",
        "valid_to >= p_observed_at::timestamptz",
    ),
    Mutation(
        "recall.keyed-window",
        f"{EVIDENCE}/recalled_claims.sql",
        "qualify retained <= p_ceiling::bigint or (retained = p_ceiling::bigint + 1 and withheld is null)",
    ),
    Mutation(
        "recall.keyed-order",
        f"{EVIDENCE}/recalled_claims.sql",
        "tier_rank desc, valid_from desc",
        "valid_from desc, tier_rank desc",
    ),
    Mutation(
        "recall.keyed-clocks",
        f"{WINDOWS}/bounded_versions.sql",
        "and {{ is_committed(as_of, available_as_of, beside='_row_seq') }}",
    ),
    Mutation("recall.keyed-not-claims", "contextful_cli/recall.py", '"MemoryRecallNotClaims"', '"ArgumentMalformed"'),
    Mutation("settle.registration", f"{SETTLEMENT}/registration_fault.sql", "{{ forms }} <> 1", "{{ forms }} > 1"),
    Mutation("settle.registration", f"{SETTLEMENT}/deadline_fault.sql", "deadline_at < predicted_at", "false"),
    Mutation("settle.statement-bound", f"{SETTLEMENT}/statement_fault.sql", "strlen", "length"),
    Mutation("settle.metric-reference", f"{SETTLEMENT}/metric_fault.sql", "resolution_source <> 'metric'", "false"),
    Mutation("settle.deadline-date", f"{SETTLEMENT}/stored_deadline.sql", " + 1)", ")"),
    Mutation("settle.source-mismatch", f"{SETTLEMENT}/is_source_mismatch.sql", "is distinct from", "<>"),
    Mutation("settle.settling-citation", f"{SETTLEMENT}/lacks_citation.sql", "https?", "[a-z]+"),
    Mutation("settle.predict-verb", "contextful_cli/verbs/predict.py", "prediction_id: {", "prediction {"),
    Mutation("settle.observe-verb", "contextful_cli/settlement/writer.py", "if reason is None", "if True"),
    Mutation(
        "settle.prediction-unregistered",
        f"{SETTLE}/ruled_observations.sql",
        "when registrations.prediction_id is null",
        "when false",
    ),
    Mutation("settle.restated-landing", f"{SETTLE}/ruled_registrations.sql", "when difference is null", "when false"),
    Mutation(
        "settle.restated-landing", f"{SETTLE}/ruled_observations.sql", "when compared.difference is null", "when false"
    ),
    Mutation("settle.registration-conflict", f"{SETTLE}/ruled_registrations.sql", "else 'refused'", "else 'landed'"),
    Mutation("settle.outcome-settled", f"{SETTLE}/ruled_observations.sql", "when compared.is_settled then 'refused'"),
    Mutation(
        "settle.outcome-settled", f"{SETTLE}/ruled_observations.sql", "where verdict is not null", "where verdict"
    ),
    Mutation(
        "settle.grace-window", f"{SETTLEMENT}/unlabelled_because.sql", "observed_at < {{ p", "observed_at <= {{ p"
    ),
    Mutation(
        "settle.grace-window", f"{SETTLEMENT}/unlabelled_because.sql", "observed_at) > epoch", "observed_at) >= epoch"
    ),
    Mutation(
        "settle.label-join", f"{SETTLEMENT}/judged_predictions.sql", "and {{ is_committed(as_of, available_as_of) }}"
    ),
    Mutation("settle.calibration-report", f"{CALIBRATION}/scored_forecasts.sql", "fold % 5 = 4", "fold % 5 = 3"),
    Mutation("settle.calibration-report", f"{CALIBRATION}/bin_number.sql", ", 9)", ", 10)"),
    Mutation("settle.label-join", f"{CALIBRATION}/joined_forecasts.sql", "state = 'settled'", "verdict is not null"),
    Mutation(
        "settle.calibration-verb",
        f"{CALIBRATION}/joined_forecasts.sql",
        " and settled.prediction_id = facts.claim_id",
    ),
    Mutation(
        "synthesize.confidence-calibration", f"{CALIBRATION}/joined_forecasts.sql", "earliest_version", "newest_version"
    ),
    Mutation(
        "synthesize.confidence-calibration",
        f"{CALIBRATION}/held_out_scores.sql",
        "mapped_brier < raw_brier",
        "mapped_brier <= raw_brier",
    ),
    Mutation("synthesize.confidence-calibration", "models/calibrate/fitted_maps.sql", " where is_validated"),
    Mutation(
        "recall.confidence-label", f"{CALIBRATION}/calibrated_claims.sql", "then 'uncalibrated'", "then 'calibrated'"
    ),
    Mutation("declare.settlement-shapes", "contextful_cli/shapes.py", '    "watch": Column("boolean"),\n'),
    Mutation("revise.browser-request", "contextful_cli/serve/app.py", 'if "origin" in request.headers:', "if False:"),
    Mutation("revise.served-write", "contextful_cli/serve/app.py", "if not self.faces.writable:", "if False:"),
    Mutation("revise.served-scope", "contextful_cli/serve/claims.py", "credential.on_behalf_of != actor or "),
    Mutation("revise.served-scope", "contextful_cli/serve/claims.py", "credential.task != session or "),
    Mutation("revise.served-scope", "contextful_cli/serve/claims.py", ' or ":" in session'),
    Mutation("revise.served-scope", "contextful_cli/serve/claims.py", 'asked.claim | {"scope": scope}', "asked.claim"),
    Mutation("revise.malformed-request", "contextful_cli/serve/claims.py", 'if "scope" in asked.claim:', "if False:"),
    Mutation(
        "revise.malformed-request", "contextful_cli/serve/claims.py", "if not asked.dedup_key.strip():", "if False:"
    ),
    Mutation("revise.malformed-request", "contextful_cli/serve/claims.py", 'extra="forbid", '),
    Mutation("revise.malformed-request", "contextful_cli/serve/bodies.py", "object_pairs_hook=_single, "),
    Mutation("revise.served-dedup", "contextful_cli/serve/claims.py", ", dedup_key=asked.dedup_key"),
    Mutation(
        "revise.served-dedup",
        "contextful_cli/serve/claims.py",
        "outcome.claim_id if outcome.landed else None",
        "outcome.claim_id",
    ),
    Mutation(
        "revise.served-fault",
        "contextful_cli/serve/claims.py",
        'return ContextfulError("MemoryClaimWriteRefused", f"nothing landed ({refusal.identifier}); try again")',
        "return refusal",
    ),
    Mutation("synthesize.attribution", "contextful_cli/credentials/credential.py", "self.chain[-1]", "self.chain[0]"),
    Mutation(
        "synthesize.attribution",
        "contextful_cli/revision/writer.py",
        "credential.grant_id, credential.agent, credential.on_behalf_of",
        "credential.grant_id, None, credential.on_behalf_of",
    ),
    Mutation(
        "synthesize.attribution",
        "contextful_cli/revision/writer.py",
        "credential.agent, credential.on_behalf_of",
        "credential.agent, None",
    ),
    Mutation(
        "settle.verb-attribution",
        "contextful_cli/settlement/writer.py",
        "self.author = caller.credential.on_behalf_of",
        "self.author = None",
    ),
    Mutation("synthesize.claim-taint", "macros/revise/distrust.sql", "else 3", "else 2"),
    Mutation("synthesize.claim-taint", "models/revise/batch_taint.sql", "case max(", "case min("),
    Mutation(
        "recall.usage-ledger",
        "contextful_cli/reads.py",
        '        self.ledger.append(self._entry(caller, tool, named, "answered", **_facts(found, now)))\n',
    ),
    Mutation(
        "recall.usage-ledger",
        "contextful_cli/reads.py",
        "            self.ledger.append(self._entry(caller, tool, named, refusal.identifier))\n",
    ),
    Mutation(
        "recall.usage-ledger",
        "contextful_cli/reads.py",
        '        facts["claims"] = tuple(row[place] for row in found["rows"] if row[place] is not None)',
        '        facts["claims"] = ()',
    ),
    Mutation(
        "recall.evidence-unresolved",
        "macros/session/session_declared_tables.sql",
        "{%- for table in tables if not table.shape and not table.masks %}",
        "{%- for table in tables if not table.shape %}",
    ),
    Mutation(
        "recall.evidence-unresolved",
        "macros/session/session_source_versions.sql",
        "    where not {{ is_hidden(table) }}\n",
    ),
    Mutation(
        "recall.evidence-key-masked",
        "macros/session/session_declared_tables.sql",
        "for column in table.key if column in table.masks",
        "for column in table.key if false",
    ),
    Mutation(
        "settle.label-join",
        "macros/settlement/judged_predictions.sql",
        "    observations as (\n        select * from ({{ newest_version('observed', ['_table', 'prediction_id']) | indent(8) }})\n        where is_hidden is not true",
        "    observations as (\n        select * from ({{ newest_version('observed', ['_table', 'prediction_id']) | indent(8) }})",
    ),
    Mutation(
        "recall.keyed-not-claims",
        "contextful_cli/reader.py",
        "caller.home, caller.readable",
        "caller.home, caller.tables",
    ),
)


def survives(mutation: Mutation) -> str | None:
    """What to say of a mutation that no test noticed; None for one that a test did."""
    places = [place for place in rules.proving()[mutation.rule] if place.file.endswith(".py")]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        _copy(copy)
        file = copy / mutation.file
        text = file.read_text()
        if mutation.find not in text:
            return f"{mutation.rule}: {mutation.file} no longer holds {mutation.find!r}"
        file.write_text(text.replace(mutation.find, mutation.put))
        environment = os.environ | {"PYTHONPATH": str(copy), "HYPOTHESIS_PROFILE": "unshrunk"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:xdist",
            f"--basetemp={folder}/tests",
            *_selection(places),
        ]
        finished = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
    if finished.returncode == 1:
        return None
    return (
        f"{mutation.rule}: switching off {mutation.find!r} in {mutation.file} goes unseen (exit {finished.returncode})"
    )


def _selection(places: list[rules.Place]) -> list[str]:
    """pytest's arguments for the tests at these places; a mark on a whole module selects all of it."""
    files, names = sorted({place.file for place in places}), sorted({place.name for place in places})
    is_by_name = all(name.startswith("test_") for name in names)
    return [*files, "-k", " or ".join(names)] if is_by_name else files


def _copy(into: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, text=True, capture_output=True, check=True).stdout
    for name in listed.splitlines():
        if not name.startswith("samples/congress") and (REPOSITORY / name).exists():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, into / name)


def survivors() -> Iterator[str]:
    wanted = [mutation for mutation in MUTATIONS if not sys.argv[1:] or mutation.rule in sys.argv[1:]]
    with ThreadPoolExecutor(WORKERS) as pool:
        for mutation, said in zip(wanted, pool.map(survives, wanted), strict=True):
            print("survived" if said else "noticed", mutation.rule, mutation.file, flush=True)
            if said:
                yield said


if __name__ == "__main__":
    if unseen := list(survivors()):
        sys.exit("\n".join(unseen))
