"""The canonical columns of each shape and of the side tables of claims, and those the engine adds to every table."""

from dataclasses import dataclass

ENGINE_COLUMNS: dict[str, str] = {
    "_ingested_at": "timestamp_ns",
    "_run_id": "varchar",
    "_row_seq": "bigint",
    "_site_id": "varchar",
    "_batch_seq": "bigint",
    "_authored_by": "varchar",
    "_taint": "varchar",
}
EVIDENCE = 'struct("table" varchar, "run" varchar, "seq" bigint, "key_digest" varchar)[]'


@dataclass(frozen=True, slots=True)
class Column:
    """A canonical column.

    nullable: a row may leave it out or hold null. optional: a table may leave the whole column out.
    may_be_blank: free text; the other required strings name something and a blank one refuses.
    """

    data_type: str
    nullable: bool = False
    optional: bool = False
    may_be_blank: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape: its canonical columns in order, and the key whose newest row a read takes."""

    name: str
    columns: dict[str, Column]
    key: tuple[str, ...]


_TEXT = Column("varchar")
_FREE_TEXT = Column("varchar", may_be_blank=True)
_MAYBE_TEXT = Column("varchar", nullable=True)
_INSTANT = Column("timestamptz")
_MAYBE_INSTANT = Column("timestamptz", nullable=True)
_CITATIONS = Column(EVIDENCE)

_FACTS = {
    "claim_id": _TEXT,
    "subject": _TEXT,
    "predicate": _TEXT,
    "object": _TEXT,
    "scope": _MAYBE_TEXT,
    "tier": _TEXT,
    "confidence": Column("double"),
    "valid_from": _INSTANT,
    "valid_to": _MAYBE_INSTANT,
    "evidence": _CITATIONS,
    "superseded_by": _MAYBE_TEXT,
    "grant_id": _TEXT,
    "agent": _MAYBE_TEXT,
}
_ENTITIES = {"entity_id": _TEXT, "kind": _TEXT, "name": _TEXT, "aliases": Column("varchar[]")}
_EDGES = {
    "edge_id": _TEXT,
    "rel_type": _TEXT,
    "source_id": _TEXT,
    "target_id": _TEXT,
    "evidence": _CITATIONS,
    "valid_from": Column("timestamptz", nullable=True, optional=True),
    "valid_to": Column("timestamptz", nullable=True, optional=True),
}
_EPISODES = {
    "episode_id": _TEXT,
    "source": _TEXT,
    "observed_at": _INSTANT,
    "text": _FREE_TEXT,
    "evidence": _CITATIONS,
}
_PREFERENCES = {
    "preference_id": _TEXT,
    "subject": _TEXT,
    "key": _TEXT,
    "value": _FREE_TEXT,
    "scope": _MAYBE_TEXT,
}
# rule: declare.settlement-shapes
_PREDICTIONS = {
    "prediction_id": _TEXT,
    "subject": _TEXT,
    "predicted_at": _INSTANT,
    "horizon_secs": Column("bigint", nullable=True),
    "deadline_at": _MAYBE_INSTANT,
    "watch": Column("boolean"),
    "resolution_source": _TEXT,
    "comparator": _MAYBE_TEXT,
    "statement": _MAYBE_TEXT,
    "metric": _MAYBE_TEXT,
}
_OUTCOMES = {
    "prediction_id": _TEXT,
    "observed_at": _INSTANT,
    "verdict": Column("boolean", nullable=True),
    "resolution_source": _MAYBE_TEXT,
    "signal": _MAYBE_TEXT,
    "settling_citation": _MAYBE_TEXT,
    "metric": _MAYBE_TEXT,
    "value": Column("double", nullable=True),
}

CLAIMS = "memory_facts"
SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape(CLAIMS, _FACTS, ("claim_id", "valid_from")),
        Shape("memory_entities", _ENTITIES, ("entity_id",)),
        Shape("memory_edges", _EDGES, ("edge_id",)),
        Shape("memory_episodes", _EPISODES, ("episode_id",)),
        Shape("memory_preferences", _PREFERENCES, ("preference_id",)),
        Shape("predictions", _PREDICTIONS, ("prediction_id",)),
        Shape("outcomes", _OUTCOMES, ("prediction_id",)),
    )
}

# What writes tables of a shape; all others are landed.
WRITING_VERBS = {
    CLAIMS: "contextful memory write",
    "predictions": "contextful memory predict",
    "outcomes": "contextful memory observe",
}

# The side tables of a claims table T are named T_closures and T_letters.
SIDE_TABLES: dict[str, dict[str, str]] = {
    "closures": {
        "claim_id": "varchar",
        "valid_from": "timestamptz",
        "closed_at": "timestamptz",
        "reason": "varchar",
    },
    "letters": {
        "letter_id": "varchar",
        "stage": "varchar",
        "reason": "varchar",
        "detail": "varchar",
        "response": "varchar",
        "template_hash": "varchar",
        "evidence": EVIDENCE,
    },
}
# Also taken beside a claims table: the model of its history, and its restatements.
RESERVED_SUFFIXES = (*SIDE_TABLES, "history", "restatements")
# Tables of the lake that nobody declares.
SYSTEM_TABLES: dict[str, dict[str, str]] = {
    "calibration_reports": {
        "claims_table": "varchar",
        "since": "timestamptz",
        "until": "timestamptz",
        "report": "varchar",
        **ENGINE_COLUMNS,
    },
}


def writing_command(shape: str | None, table: str) -> str:
    """The command that writes into a table of that shape (None: a source)."""
    verb = WRITING_VERBS.get(shape or "")
    return f"{verb} --into {table}" if verb else f"contextful land --table {table}"
