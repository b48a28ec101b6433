"""The relation types that edges may carry: the seed `relation_types.csv`, the reserved ones always included."""

import csv
import io
from dataclasses import astuple, dataclass
from pathlib import Path

SEED = Path("seeds/reference/relation_types.csv")
DIRECTIONS = ("directed", "undirected")
CARDINALITIES = ("many", "one")
COLUMNS = ("rel_type", "direction", "cardinality", "is_walkable", "is_reserved")


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation type; the defaults are those of a declared one that says nothing else."""

    rel_type: str
    direction: str = "directed"
    cardinality: str = "many"
    is_walkable: bool = False
    is_reserved: bool = False

    def row(self) -> list[str]:
        """The seed's row: booleans as dbt reads them."""
        return [str(value).lower() if isinstance(value, bool) else value for value in astuple(self)]


RESERVED = (
    Relation("supports", "directed", "many", is_walkable=True, is_reserved=True),
    Relation("derived_from", "directed", "many", is_walkable=True, is_reserved=True),
    Relation("supersedes", "directed", "one", is_walkable=True, is_reserved=True),
    Relation("contradicts", "undirected", "many", is_walkable=True, is_reserved=True),
    # Dense: nearly everything is about something, so a walk along it says nothing.
    Relation("about", "directed", "many", is_walkable=False, is_reserved=True),
)


def names(project_dir: str | Path) -> list[str]:
    """Every admitted rel_type: the reserved ones, then those of the seed in its order."""
    return [relation.rel_type for relation in read(project_dir)[0]]


def read(project_dir: str | Path) -> tuple[list[Relation], list[str]]:
    """The reserved relations, then the seed's others in its order; and what is wrong with the seed."""
    relations = {relation.rel_type: relation for relation in RESERVED}
    seen: set[str] = set()
    wrong: list[str] = []
    for row in _rows(Path(project_dir)):
        relation = _relation(row)
        wrong += _seed_faults(relation, seen)
        seen.add(relation.rel_type)
        if relation.rel_type.strip():
            relations.setdefault(relation.rel_type, relation)
    return list(relations.values()), [f"{SEED}: {text}" for text in wrong]


def faults(relation: Relation) -> list[str]:
    """What is wrong with a relation by itself."""
    if not isinstance(relation.rel_type, str) or not relation.rel_type.strip() or "\0" in relation.rel_type:
        return ["a relation without a name"]
    wrong = []
    if relation.direction not in DIRECTIONS:
        wrong.append(f"relation `{relation.rel_type}`: direction is one of {', '.join(DIRECTIONS)}")
    if relation.cardinality not in CARDINALITIES:
        wrong.append(f"relation `{relation.rel_type}`: cardinality is one of {', '.join(CARDINALITIES)}")
    if not isinstance(relation.is_walkable, bool):
        wrong.append(f"relation `{relation.rel_type}`: whether it is walkable is true or false")
    return wrong


def extended(project_dir: str | Path, added: list[Relation]) -> str:
    """The seed's text with the added relations at its end; the reserved ones first where there is no seed yet."""
    path = Path(project_dir) / SEED
    text = (
        path.read_text(encoding="utf-8-sig") if path.exists() else _csv([list(COLUMNS), *map(Relation.row, RESERVED)])
    )
    return text + ("" if text.endswith("\n") else "\n") + _csv([relation.row() for relation in added])


def _csv(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _rows(project_dir: Path) -> list[dict[str, str]]:
    path = project_dir / SEED
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _relation(row: dict[str, str]) -> Relation:
    """A seed's row; an empty cell is the default, and anything but true and false stays a text, which refuses."""
    flags = {"true": True, "false": False, "": False}
    walkable, reserved = (row.get(name) or "" for name in ("is_walkable", "is_reserved"))
    return Relation(
        row.get("rel_type") or "",
        row.get("direction") or "directed",
        row.get("cardinality") or "many",
        flags.get(walkable.lower(), walkable),  # type: ignore[arg-type]
        flags.get(reserved.lower(), reserved),  # type: ignore[arg-type]
    )


def _seed_faults(relation: Relation, seen: set[str]) -> list[str]:
    wrong = faults(relation)
    if relation.rel_type in seen:
        wrong.append(f"relation `{relation.rel_type}` is declared twice")
    own = next((one for one in RESERVED if one.rel_type == relation.rel_type), None)
    if own is not None and own != relation:
        wrong.append(f"relation `{own.rel_type}` is reserved; its row is {','.join(own.row())}")
    if own is None and relation.is_reserved:
        wrong.append(f"relation `{relation.rel_type}` is none of the reserved ones; say is_reserved false")
    return wrong
