"""`make run`: the sample from an empty folder to recalled claims and their calibration, by commands anyone would type.

Safe to repeat: a landing already held is skipped, and claims written again are restated, so the store stays the same.
"""

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
CONTEXTFUL = Path(sys.executable).with_name("contextful")
CLAIMS = "congress_claims"
FORECAST_CLAIMS = "forecast_claims"
NBA_FINAL, SUPER_BOWL = "2022-06-16 Celtics v Warriors", "2022-02-13 Bengals v Rams"
# Table and run id; the run's file is named like the run.
FIRST_LANDING = {
    "congress_legislators": "legislators",
    "congress_committees": "committees",
    "congress_memberships": "memberships",
    "congress_notes": "notes",
    "congress_terms": "terms-1",
}
SECOND_LANDING = {"congress_terms": "terms-2"}
FORECASTS = {"nba_games": "nba_games", "nfl_games": "nfl_games"}
WRITTEN_BEFORE_SECOND_LANDING = f"""
    select strftime(max(_ingested_at), '%Y-%m-%dT%H:%M:%S.%fZ') as known_at from landing.main.{CLAIMS}
    where _ingested_at < (select min(_ingested_at) from landing.main.congress_terms where _run_id = 'terms-2')"""


def run(*arguments: str, shown: Callable[[str], str] = str) -> str:
    """Run a verb, show it with its answer, and return the answer; a refusal ends the sample."""
    print(f"$ contextful {shlex.join(' '.join(argument.split()) for argument in arguments)}", flush=True)
    finished = subprocess.run([CONTEXTFUL, *arguments], cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(finished.returncode)
    print(f"{shown(finished.stdout).rstrip()}\n", flush=True)
    return finished.stdout


def tables_told(answer: str) -> str:
    return f"  {json.loads(answer)['tables']} tables declared and laid"


def claims_told(answer: str) -> str:
    """A recall's claims in a line each, and how many its gate withheld; the answer itself is one line of JSON."""
    told = json.loads(answer)
    claims = [dict(zip(told["columns"], row, strict=True)) for row in told["rows"]]
    withheld = sum(told["contextful.recall"]["suppressed"].values())
    return "\n".join([*(map(claim_told, claims) if claims else ["  no claim"]), f"  withheld: {withheld}"])


def claim_told(claim: dict) -> str:
    since, until = claim["valid_from"][:10], (claim["valid_to"] or "")[:10]
    period = f"{since} to {until}" if until else f"since {since}"
    cited = ", ".join(f"{row['table']} {row['run']}#{row['seq']}" for row in claim["evidence"])
    return f"  {claim['predicate']} {claim['object']}, {period}\n    because of {cited}"


def reasons_told(answer: str) -> str:
    """The parts of `memory why`, one line for each entry."""
    told = json.loads(answer)
    parts = {part: told[part] for part in ("windows", "citations")} | {"decided by": [told["decided_by"]]}
    return "\n".join(f"  {part}: {json.dumps(entry)}" for part, entries in parts.items() for entry in entries)


def scores_told(answer: str) -> str:
    """A calibration report in a few lines: each group's scores, and what its bins say of each tenth."""
    told = json.loads(answer)
    states = ", ".join(f"{count:,} {state}" for state, count in told["predictions"].items() if count)
    lines = [f"  predictions: {states}"]
    for group in told["groups"]:
        lines += [
            f"  {group['predicate']}: {group['samples']:,} settled, {group['registered_late']:,} registered late; "
            f"Brier {group['brier']:.4f}, calibration error {group['ece']:.3f}",
            f"    held out {group['held_out']:,}: Brier {group['raw_brier']:.4f} raw, {group['mapped_brier']:.4f} "
            f"mapped; the map is {'served' if group['is_validated'] else 'not served'}",
            "    came true: " + ", ".join(map(bin_told, group["bins"])),
        ]
    return "\n".join(lines)


def bin_told(tenth: dict) -> str:
    return f"{tenth['lower_edge']:.1f} {tenth['frequency']:.0%}" if tenth["samples"] else f"{tenth['lower_edge']:.1f} -"


def confidence_told(answer: str) -> str:
    told = json.loads(answer)
    claims = [dict(zip(told["columns"], row, strict=True)) for row in told["rows"]]
    return "\n".join(
        f"  {claim['predicate']} {claim['object']}: {claim['confidence']:.4f}, {claim['confidence_label']}"
        for claim in claims
    )


def tell(text: str) -> None:
    print(f"── {text}", flush=True)


def held_runs() -> set[str]:
    """The run ids of the sample's source tables: run again, the sample lands none of them twice."""
    tables = [*FIRST_LANDING, *FORECASTS]
    query = " union ".join(f"select distinct _run_id as run from landing.main.{table}" for table in tables)
    command = [CONTEXTFUL, "shell", "--json", query]
    finished = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return {json.loads(line)["run"] for line in finished.stdout.splitlines()}


def land(runs: dict[str, str], held: set[str], folder: str = "congress") -> None:
    for table, run_id in runs.items():
        if run_id in held:
            print(f"{table} holds the run {run_id} already: not landed again\n", flush=True)
        else:
            run("land", "--table", table, "--from", f"samples/{folder}/{run_id}.csv", "--run-id", run_id)


def recall(subject: str, *arguments: str) -> dict:
    return json.loads(run("memory", "recall", "--table", CLAIMS, "--subject", subject, *arguments, shown=claims_told))


def store() -> str:
    """Land and claim in two steps, the second Congress after the first; returns the instant between them."""
    tell("An empty lake, its tables as models/landing/congress.yml declares them")
    run("init", shown=tables_told)
    held = held_runs()
    tell("First landing: members, committees, and the terms that began before 2025")
    land(FIRST_LANDING, held)
    tell("Claims computed by SQL models, each citing its rows; then the terms since 2025, and the same again")
    run("memory", "write", "--into", CLAIMS, "--from-model", "congress_claim_lines")
    land(SECOND_LANDING, held)
    run("memory", "write", "--into", CLAIMS, "--from-model", "congress_claim_lines")
    tell("A claim nobody can back: the footnote it cites does not exist")
    run("memory", "write", "--into", CLAIMS, "--from", "samples/unsupported.jsonl")
    settle(held)
    tell("Models, tests, and a read-only copy for readers")
    run("build")
    tell("When the claims stood as the first landing knew them")
    return json.loads(run("shell", "--json", WRITTEN_BEFORE_SECOND_LANDING))["known_at"]


def settle(held: set[str]) -> None:
    """Forecasts as claims, each registered as a prediction of the same id, and what happened."""
    tell("Who wins: FiveThirtyEight's forecasts of NBA and NFL games as claims, as sure as the forecast was")
    land(FORECASTS, held, "forecasts")
    run("memory", "write", "--into", FORECAST_CLAIMS, "--from-model", "forecast_claim_lines")
    tell("The claims as predictions; then the results, settled by each prediction's own comparator, ties annulled")
    run("memory", "predict", "--into", "forecast_predictions", "--from-model", "forecast_registrations")
    run("memory", "observe", "--into", "forecast_outcomes", "--from-model", "forecast_observations")


def ask(known_at: str) -> None:
    tell("Maria Cantwell's seat in 1994, in 1998 (she held none), in 2003, and now")
    for day in ("1994-06-01", "1998-06-01", "2003-06-01"):
        recall("Maria Cantwell", "--predicate", "holds_seat", "--observed-at", f"{day}T00:00:00Z")
    recall("Maria Cantwell", "--predicate", "holds_seat")
    tell("Ruben Gallego's seat on 1 June 2026 as known from the first landing alone, and as known now")
    june = ("--predicate", "holds_seat", "--observed-at", "2026-06-01T00:00:00Z")
    earlier = recall("Ruben Gallego", *june, "--as-of-ingest", known_at)
    recall("Ruben Gallego", *june)
    tell("The committee's chair is served; the claim nobody can back is withheld and counted, not named")
    recall("Senate Committee on Commerce, Science, and Transportation")
    tell("Why the earlier of Ruben Gallego's two claims no longer answers, and which SQL says so")
    run("memory", "why", "--table", CLAIMS, "--claim-id", earlier["rows"][0][0], shown=reasons_told)


def report() -> None:
    tell("Was the 0.8 right 80 % of the time? Per league, with the isotonic map where held-out games are better for it")
    run("memory", "calibration", "--table", FORECAST_CLAIMS, shown=scores_told)
    tell("Recall serves the mapped confidence where the map is validated, and the claim's own elsewhere")
    for game in (NBA_FINAL, SUPER_BOWL):
        run("memory", "recall", "--table", FORECAST_CLAIMS, "--subject", game, shown=confidence_told)


def main() -> None:
    print("Who held which seat in the US Congress, and how good forecasts of games were. Each $ line can be typed.\n")
    begun = time.monotonic()
    ask(store())
    report()
    print(f"Done in {time.monotonic() - begun:.0f} s. Next: README.md takes the same steps one by one.")


if __name__ == "__main__":
    main()
