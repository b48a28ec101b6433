"""The write path of predictions and outcomes. The rules are SQL (models/settle, macros/settlement), run here in order.

writer.py decides and commits staged lines; where lines come from is in batches/.
"""
