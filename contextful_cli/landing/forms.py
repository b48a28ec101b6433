"""SQL that says whether a value of a file is well formed for a declared type, and casts it.

DuckDB's own casts are too kind for a write contract: they cut digits past the sixth, take 24:00, NaN and out-of-range
years, round decimals, and `json_transform` turns 5 into '5'. So the textual form is checked first, and only then cast.
"""

from dataclasses import dataclass

from contextful_cli import datatypes

INTEGERS = {
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "utinyint",
    "usmallint",
    "uinteger",
    "ubigint",
}
# A double tells decimals of up to 15 digits apart; a longer one in a JSON number has lost digits before it gets here.
MAX_DECIMAL_IN_JSON_NUMBER = 15

_DAY = "[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6}0*)?"
_OFFSET = "([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_UUID = "[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_FLOAT = r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
_FIRST = "timestamptz '0001-01-01 00:00:00+00'"
_LAST = "timestamptz '9999-12-31 23:59:59.999999+00'"

EXPECTED = {
    "boolean": "true or false",
    "float": "a finite number",
    "double": "a finite number",
    "varchar": "a text without NUL",
    "date": "a date such as 2026-01-31",
    "timestamp": "a time without offset, to the microsecond, such as 2026-01-31T09:30:00",
    "timestamptz": "an instant: RFC 3339 with an offset, at most six fractional digits, years 0001 to 9999, "
    "such as 2026-01-31T09:30:00Z (a date alone is no instant)",
    "uuid": "a UUID",
}


@dataclass(frozen=True, slots=True)
class Form:
    """ok: SQL, true where a value that is not null is well formed. value: SQL, the value cast. expected: for people."""

    ok: str
    value: str
    expected: str


def expected(data_type: str) -> str:
    """What a value of the type looks like."""
    if data_type in INTEGERS:
        return f"a whole number that a {data_type} holds"
    if data_type.startswith("decimal"):
        return f"a number that a {data_type} holds exactly"
    return EXPECTED.get(data_type, f"JSON for {data_type}")


def text_form(data_type: str, text: str, zone: str | None = None) -> Form:
    """The form of a scalar written as a text. zone: reads instants without an offset; None refuses them."""
    if data_type == "timestamptz":
        return _instant_form(text, zone)
    cast = f"try_cast({text} as {data_type})"
    pattern = _pattern(data_type)
    checks = [f"{cast} is not null"] + ([f"regexp_full_match({text}, '{pattern}')"] if pattern else [])
    if data_type in ("float", "double"):
        checks.append(f"isfinite({cast})")
    if data_type in ("date", "timestamp"):
        checks.append(f"not starts_with({text}, '0000')")
    if data_type == "varchar":
        checks.append(f"not contains({text}, chr(0))")
    value = f"replace(upper({text}), 'T', ' ')" if data_type == "timestamp" else text
    return Form(
        " and ".join(checks).replace(cast, f"try_cast({value} as {data_type})"),
        _cast(value, data_type),
        expected(data_type),
    )


def json_form(data_type: str, value: str, zone: str | None = None, depth: int = 0) -> Form:
    """The form of a JSON value; lists and structs by their parts. depth: names the lambdas' variables apart."""
    if data_type.endswith("[]"):
        return _json_list_form(data_type.removesuffix("[]"), value, depth)
    if data_type.startswith("struct"):
        return _json_struct_form(data_type, value, depth)
    raw, decoded = f"cast({value} as varchar)", f"({value} ->> '$')"
    if data_type in (*INTEGERS, "boolean", "float", "double"):
        return text_form(data_type, raw)  # a JSON string begins with a quote, and so fits none of the patterns
    if data_type == "varchar":
        # Decoding each text only to look for NUL would double the cost: most hold no such escape.
        no_nul = f"case when contains({raw}, '\\u0000') then not contains({decoded}, chr(0)) else true end"
        return Form(f"starts_with({raw}, '\"') and {no_nul}", decoded, expected(data_type))
    form = text_form(data_type, decoded, zone)
    kinds = ", ".join(f"'{kind}'" for kind in _json_kinds(data_type))
    return Form(f"json_type({value}) in ({kinds}) and {form.ok}", form.value, form.expected)


def typed_form(data_type: str, value: str, stored: str, zone: str | None = None) -> Form:
    """The form of a value that a Parquet file holds under the DuckDB type `stored`."""
    stored = stored.lower()
    if stored == "varchar" or stored.startswith("enum"):
        return csv_form(data_type, f"cast({value} as varchar)", zone)
    if is_nested(data_type) or stored == "json":
        return json_form(data_type, f"to_json({value})", zone)
    if data_type == "timestamptz":
        return _typed_instant_form(value, stored, zone)
    if data_type == "timestamp":
        return _typed_time_form(value, stored)
    return _number_form(data_type, value, stored) if _is_number(data_type) else _same_form(data_type, value, stored)


def csv_form(data_type: str, text: str, zone: str | None = None) -> Form:
    """The form of a CSV cell: lists and structs are JSON, the rest are texts."""
    is_json = is_nested(data_type)
    return json_form(data_type, f"try_cast({text} as json)") if is_json else text_form(data_type, text, zone)


def is_nested(data_type: str) -> bool:
    """Whether the type is a list or a struct, which texts write as JSON."""
    return data_type.startswith("struct") or data_type.endswith("[]")


def is_not_blank(text: str) -> str:
    """SQL: whether a text holds more than blanks, of Unicode too (`trim` and `\\s` know only some)."""
    return rf"regexp_matches({text}, '[^\s\v\x{{1c}}-\x{{1f}}\x{{85}}\pZ]')"


def _pattern(data_type: str) -> str | None:
    if data_type in INTEGERS:
        return "-?[0-9]+"
    if data_type.startswith("decimal"):
        scale = data_type.removesuffix(")").rpartition(",")[2]
        return rf"-?[0-9]+(\.[0-9]{{0,{scale}}}0*)?"
    day_time = f"{_DAY}[Tt ]{_TIME}"
    patterns = {"boolean": "(?i)true|false", "float": _FLOAT, "double": _FLOAT, "date": _DAY, "uuid": _UUID}
    return day_time if data_type == "timestamp" else patterns.get(data_type)


def _json_kinds(data_type: str) -> tuple[str, ...]:
    if not data_type.startswith("decimal"):
        return ("VARCHAR",)
    width = int(data_type.removeprefix("decimal(").partition(",")[0])
    return ("BIGINT", "UBIGINT", "VARCHAR", *(("DOUBLE",) if width <= MAX_DECIMAL_IN_JSON_NUMBER else ()))


def _cast(value: str, data_type: str) -> str:
    return f"cast({value} as {data_type})"


def _in_years(instant: str) -> str:
    return f"({instant} between cast({_FIRST} as timestamp) and cast({_LAST} as timestamp))"


def _instant_form(text: str, zone: str | None) -> Form:
    # DuckDB reads neither a lower-case t nor z.
    upper = f"upper({text})"
    instant = f"try_cast({upper} as timestamptz)"
    offset = _OFFSET
    if zone is not None:
        local = f"timezone('{zone}', try_cast({upper} as timestamp))"
        instant = f"(case when regexp_matches({text}, '{_OFFSET}$') then {instant} else {local} end)"
        offset = f"{_OFFSET}?"
    checks = (
        f"regexp_full_match({text}, '{_DAY}[Tt ]{_TIME}{offset}')",
        f"not starts_with({text}, '0000')",
        f"{instant} between {_FIRST} and {_LAST}",
    )
    return Form(" and ".join(checks), instant, expected("timestamptz"))


def _json_list_form(item_type: str, value: str, depth: int) -> Form:
    """Each value is parsed once into its items, structs into their fields: once per item and field cost tenfold."""
    item = f"x{depth}"
    if item_type.startswith("struct"):
        fields = datatypes.fields(item_type)
        items = f"from_json({value}, '[{_members(fields)}]')"
        ok, cast = _fields_ok(fields, item, depth + 1), _fields_value(fields, item, depth + 1)
        keys = f"list_transform(json_keys({value}, '$[*]'), lambda {item}: {_keys_ok(fields, item)})"
        kinds = f"list_transform(json_type({value}, '$[*]'), lambda {item}: {item} = 'OBJECT')"
        checks = [_all(kinds), _all(keys)]
    else:
        part = json_form(item_type, item, depth=depth + 1)
        items = f"from_json({value}, '[\"JSON\"]')"
        ok, cast, checks = f"coalesce({part.ok}, false)", part.value, []
    checks = [f"json_type({value}) = 'ARRAY'", *checks, _all(f"list_transform({items}, lambda {item}: {ok})")]
    return Form(" and ".join(checks), f"list_transform({items}, lambda {item}: {cast})", expected(f"{item_type}[]"))


def _json_struct_form(data_type: str, value: str, depth: int) -> Form:
    """The lambda over a list of one stands in for a `let`: the value is parsed once."""
    item, fields = f"x{depth}", datatypes.fields(data_type)
    parsed = f"[from_json({value}, '{_members(fields)}')]"
    checks = (
        f"json_type({value}) = 'OBJECT'",
        f"list_transform([json_keys({value})], lambda {item}: {_keys_ok(fields, item)})[1]",
        f"list_transform({parsed}, lambda {item}: {_fields_ok(fields, item, depth + 1)})[1]",
    )
    cast = f"list_transform({parsed}, lambda {item}: {_fields_value(fields, item, depth + 1)})[1]"
    # A struct that is absent is null, not a struct of nulls.
    return Form(" and ".join(checks), f"case when {value} is null then null else {cast} end", expected(data_type))


def _all(booleans: str) -> str:
    return f"coalesce(list_bool_and({booleans}), true)"


def _members(fields: dict[str, str]) -> str:
    """The structure that leaves each member JSON; a member that is absent or JSON null becomes null."""
    return "{" + ", ".join(f'"{name}": "JSON"' for name in fields) + "}"


def _keys_ok(fields: dict[str, str], keys: str) -> str:
    """No unknown and no doubled key. Keys in the declared order need no set, which costs four times as much."""
    known = "[" + ", ".join(f"'{name}'" for name in fields) + "]"
    as_sets = f"len({keys}) = len(list_distinct({keys})) and list_has_all({known}, {keys})"
    return f"case when {known}[1:len({keys})] = {keys} then true else {as_sets} end"


def _fields_ok(fields: dict[str, str], item: str, depth: int) -> str:
    forms = {name: json_form(data_type, f'{item}."{name}"', depth=depth) for name, data_type in fields.items()}
    return " and ".join(f'({item}."{name}" is null or coalesce({form.ok}, false))' for name, form in forms.items())


def _fields_value(fields: dict[str, str], item: str, depth: int) -> str:
    forms = {name: json_form(data_type, f'{item}."{name}"', depth=depth) for name, data_type in fields.items()}
    return "struct_pack(" + ", ".join(f'"{name}" := {form.value}' for name, form in forms.items()) + ")"


def _is_number(data_type: str) -> bool:
    return data_type in (*INTEGERS, "hugeint", "float", "double") or data_type.startswith("decimal")


def _same_form(data_type: str, value: str, stored: str) -> Form:
    """Types that only themselves turn into: boolean, varchar, date, uuid."""
    checks = {"date": _in_years(f"cast({value} as timestamp)"), "varchar": f"not contains({value}, chr(0))"}
    ok = checks.get(data_type, "true") if stored == data_type else "false"
    return Form(ok, _cast(value, data_type), f"{expected(data_type)} (the file holds {stored})")


def _number_form(data_type: str, value: str, stored: str) -> Form:
    """A number that comes back the same from the declared type, so nothing is rounded or cut."""
    cast = f"try_cast({value} as {data_type})"
    finite = f"isfinite({value}) and " if stored in ("float", "double") else ""
    ok = f"{finite}{cast} is not null and cast({cast} as {stored}) = {value}" if _is_number(stored) else "false"
    return Form(ok, _cast(value, data_type), f"{expected(data_type)} (the file holds {stored})")


def _typed_instant_form(value: str, stored: str, zone: str | None) -> Form:
    if stored == "timestamp with time zone":
        return Form(f"{value} between {_FIRST} and {_LAST}", value, expected("timestamptz"))
    if stored == "date":
        time = f"cast({value} as timestamp)"
        return Form(_in_years(time), f"timezone('UTC', {time})", expected("timestamptz"))
    form = _typed_time_form(value, stored)
    hint = f"an instant with an offset (the file holds {stored}, which has none)"
    return Form(form.ok if zone else "false", f"timezone('{zone or 'UTC'}', {form.value})", hint)


def _typed_time_form(value: str, stored: str) -> Form:
    time = f"cast({value} as timestamp)"
    checks = [_in_years(time)] + ([f"epoch_ns({value}) % 1000 = 0"] if stored == "timestamp_ns" else [])
    is_time = stored in ("timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "date")
    return Form(
        " and ".join(checks) if is_time else "false", time, f"{expected('timestamp')} (the file holds {stored})"
    )
