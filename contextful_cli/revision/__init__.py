"""The write path of claims. The rules are SQL (models/revise, macros/revise); here they are run in order.

writer.py decides and commits staged lines, closing.py ends claims; where lines come from is in batches/.
"""
