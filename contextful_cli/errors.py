"""The failures a person or a program can act on; only `app.py` turns them into exit codes."""


class ContextfulError(Exception):
    """A refusal or failure of the contract.

    identifier: one of the identifiers in the contract's list (for example ``LakeMissing``).
    message: a sentence that says what is wrong and what to do about it; never holds a secret or another caller's data.
    """

    def __init__(self, identifier: str, message: str) -> None:
        super().__init__(f"{identifier}: {message}")
        self.identifier = identifier
        self.message = message
