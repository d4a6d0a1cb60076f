"""What is wrong with a model or a text that somebody gives."""


class ForeignModelError(ValueError):
    """A model or a text that cannot be used: ``key`` names the sentence for it, in which ``values`` stand."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(f"{key} {values}")
        self.key = key
        self.values = values
