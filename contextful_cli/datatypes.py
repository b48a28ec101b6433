"""The DuckDB types a declared column may have, brought to one spelling so that two spellings compare equal."""

import re

SCALARS = (
    "boolean",
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "utinyint",
    "usmallint",
    "uinteger",
    "ubigint",
    "float",
    "double",
    "varchar",
    "date",
    "timestamp",
    "timestamptz",
    "uuid",
)
ALIASES = {
    "bool": "boolean",
    "int": "integer",
    "int4": "integer",
    "int8": "bigint",
    "long": "bigint",
    "real": "float",
    "float4": "float",
    "float8": "double",
    "string": "varchar",
    "text": "varchar",
    "datetime": "timestamp",
    "timestamp with time zone": "timestamptz",
}
ACCEPTED = f"{', '.join(SCALARS)}, decimal(p,s), lists (varchar[]) and structs (struct(a varchar, b bigint))"
MAX_DECIMAL_WIDTH = 38

_DECIMAL = re.compile(r"(?:decimal|numeric)\s*\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)")
_STRUCT = re.compile(r"struct\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(r"""(?:"([^"\0]+)"|([^\W\d]\w*))\s+(.+)""", re.DOTALL)


def normalise(text: str) -> str:
    """One spelling of a type: lower case, aliases resolved, struct fields quoted. Raises ValueError for others."""
    text = text.strip()
    if text.endswith("[]"):
        return normalise(text[:-2]) + "[]"
    if struct := _STRUCT.fullmatch(text):
        return _struct(struct[1])
    scalar = " ".join(text.lower().split())
    if decimal := _DECIMAL.fullmatch(scalar):
        return _decimal(int(decimal[1]), int(decimal[2]))
    scalar = ALIASES.get(scalar, scalar)
    if scalar not in SCALARS:
        raise ValueError(f"`{text}` is not an accepted type")
    return scalar


def fields(struct: str) -> dict[str, str]:
    """The field names and normalised types, in order, of a normalised struct type."""
    inner = _STRUCT.fullmatch(struct)
    return dict(_field(part) for part in _split(inner[1])) if inner else {}


def _decimal(width: int, scale: int) -> str:
    if not 1 <= width <= MAX_DECIMAL_WIDTH or scale > width:
        raise ValueError(f"decimal({width},{scale}) is not a decimal of 1 to {MAX_DECIMAL_WIDTH} digits")
    return f"decimal({width},{scale})"


def _struct(inner: str) -> str:
    members = [_field(part) for part in _split(inner)]
    if len({name.casefold() for name, _ in members}) < len(members):
        raise ValueError(f"struct({inner}) names a field twice")
    return "struct(" + ", ".join(f'"{name}" {data_type}' for name, data_type in members) + ")"


def _field(part: str) -> tuple[str, str]:
    match = _FIELD.fullmatch(part.strip())
    if match is None:
        raise ValueError(f"`{part.strip()}` is not a struct field")
    return match[1] or match[2], normalise(match[3])


def _split(inner: str) -> list[str]:
    """Split at the commas outside parentheses."""
    parts, depth = [""], 0
    for char in inner:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts
