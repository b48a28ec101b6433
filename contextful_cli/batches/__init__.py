"""Lines to write, many or one: cut from a file (spool.py) or taken from a model (model_lines.py), staged in a session
until they are decided (staging.py), and told of (report.py). What the lines mean is for revision/ and settlement/.
"""
