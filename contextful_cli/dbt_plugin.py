"""dbt-duckdb plugin: what a plain `dbt build` needs of the lake, and the one step of publishing that SQL cannot do.

Order in dbt-duckdb: plugins are made, then connections opened and configured. The build's stamp is taken once, when the
plugin is made, so that every connection of a build sees the same rows whatever lands meanwhile.
"""

from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin

from contextful_cli import declaration, duck, lake, layout, published, quiet, session
from contextful_cli.caller import local_operator
from contextful_cli.settings import Home
from contextful_cli.tables import lake_tables


class Plugin(BasePlugin):
    """Lays the lake's declared tables, takes the stamp, and gives every connection the operator's session."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        self.home = Home.locate()
        self.tables = declaration.load(self.home.project)
        lake.create(self.home)
        layout.lay_tables(self.home, self.tables)
        self._reading = quiet.building(self.home)  # until the process ends
        with lake.hold(self.home, "build") as clock:
            self.stamp = clock.stamp * 1000

    def configure_connection(self, conn: Any) -> None:
        conn.execute("set TimeZone = 'UTC'")
        duck.attach_lake(conn, self.home, read_only=True)
        names = list(lake_tables(self.tables))
        reaches = dict.fromkeys(names, session.Reach(published=False, lake=True))
        conn.execute(session.script(local_operator(self.home, self.tables), reaches, views=names, until=self.stamp))
        conn.execute("create schema if not exists contextful")
        conn.execute(f"create or replace table contextful.build as select {self.stamp}::bigint as stamp")
        conn.execute(
            "create table if not exists contextful.table_functions "
            "(name varchar primary key, schema varchar, statement varchar, depends_on varchar[])"
        )

    def store(self, target_config: Any) -> None:
        """What the `publish` macro does with files: begin a copy, and make it current once it is closed."""
        file = self.home.root / target_config.location.path
        if target_config.relation.identifier == "begin":
            published.begin(self.home, file, self.stamp)
        else:
            published.make_current(self.home, file)
