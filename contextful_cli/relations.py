"""The relation types that edges may carry: the seed `relation_types.csv`, the reserved ones always included."""

import csv
from dataclasses import astuple, dataclass
from pathlib import Path

SEED = Path("seeds/reference/relation_types.csv")
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
    path = Path(project_dir) / SEED
    reserved = [relation.rel_type for relation in RESERVED]
    if not path.exists():
        return reserved
    with path.open(encoding="utf-8-sig", newline="") as file:
        declared = [row["rel_type"] for row in csv.DictReader(file) if row.get("rel_type")]
    return list(dict.fromkeys([*reserved, *declared]))
