"""Lines into ``pending.raw``, from wherever they come, and a commit for each chunk of them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from contextful_cli.batches import spool
from contextful_cli.batches.report import Report
from contextful_cli.batches.staging import Staging

if TYPE_CHECKING:
    from contextful_cli.batches.model_lines import Members
    from contextful_cli.models import ModelRows
    from contextful_cli.progress import Progress

CHUNK_ROWS = 500_000


def stage(staging: Staging, lines: list[str]) -> None:
    """Lay lines to write, each a JSON text."""
    staging.freshen()
    rows = "select generate_subscripts($1, 1) as line_number, unnest($1::varchar[]) as line"
    staging.fill("raw", rows, [lines])


def commit_file(staging: Staging, source: str, commit: Callable[[], Report], progress: "Progress") -> Report:
    """Stage a file of lines, or `-` for standard input, chunk by chunk, each with a commit of its own.

    commit: decides and commits what is staged. progress: told the bytes read after each commit.
    """
    report, lines, size = Report(), 0, 0
    with spool.opened(source) as (stream, total):
        for chunk in spool.chunks(stream, total):
            staged = _stage_chunk(staging, chunk.path, chunk.longest)
            report.add(commit(), lines)
            lines, size = lines + staged, size + chunk.size
            progress(size, total)
    return report


def commit_model(
    staging: Staging, exported: "ModelRows", members: "Members", commit: Callable[[], Report], progress: "Progress"
) -> Report:
    """Stage the rows of a dbt model, chunk by chunk. progress: told the rows decided after each commit."""
    from contextful_cli.batches.model_lines import stage_model

    report, rows = Report(), stage_model(staging, exported, members)
    for start in range(0, rows, CHUNK_ROWS):
        _stage_rows(staging, start)
        report.add(commit(), start)
        progress(min(start + CHUNK_ROWS, rows), rows)
    return report


def _stage_chunk(staging: Staging, path: Path, longest: int) -> int:
    """Lay a file's lines in UTF-8; returns their number. longest: no line has more bytes."""
    # Nothing is split, quoted or escaped: the delimiter is one that no JSON holds.
    read = (
        "from read_csv($1, columns = {line: 'varchar'}, auto_detect = false, header = false, quote = '', "
        f"escape = '', delim = e'\\x01\\x02\\x03\\x04', max_line_size = {longest + 1})"
    )
    staging.lay("file_lines", read, [str(path)])
    staging.fill("raw", "select rowid + 1 as line_number, line from pending.file_lines")
    staging.drop("file_lines")
    return staging.value("select count(*) from pending.raw")


def _stage_rows(staging: Staging, start: int) -> None:
    """Lay the next chunk of the model's rows after the first `start`."""
    kept = "from pending.model_lines where line_number between $1 + 1 and $1 + $2"
    staging.fill("raw", f"select line_number - $1 as line_number, line {kept}", [start, CHUNK_ROWS])
