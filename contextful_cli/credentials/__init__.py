"""Credentials: Biscuit tokens that say who asks and what they may read, write and erase."""
