"""A calibration report as people and schedulers take it: on a terminal, as CSV, as a page, as an exit code."""
