"""contextful: governed memory for agents and teams, as a dbt project with a thin command line."""
