"""The write path of claims. The rules are SQL (models/revise, macros/revise); here they are run in order.

spool.py cuts a file into chunks of lines, writer.py stages, decides and commits a chunk, closing.py ends claims.
"""
