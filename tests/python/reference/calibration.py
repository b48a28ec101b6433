"""Scores and maps once more: numpy for what is plain arithmetic, scikit-learn for the rest."""

from dataclasses import dataclass

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

Array = np.ndarray


@dataclass(frozen=True)
class Group:
    """Forecasts of one group in the order of their ids."""

    scores: Array
    outcomes: Array

    @classmethod
    def of(cls, scores: list[float], outcomes: list[bool]) -> "Group":
        return cls(np.array(scores, dtype=float), np.array(outcomes, dtype=float))

    @property
    def is_held_out(self) -> Array:
        return np.arange(len(self.scores)) % 5 == 4

    @property
    def bins(self) -> Array:
        """Ten bins, [i/10, (i+1)/10), 1.0 in the last; an edge missed by rounding is the edge."""
        return np.minimum(np.floor(np.round(self.scores * 10, 12)).astype(int), 9)

    @property
    def brier(self) -> float:
        return float(brier_score_loss(self.outcomes, self.scores, pos_label=1))

    @property
    def log_score(self) -> float:
        return float(log_loss(self.outcomes, self.scores, labels=[0, 1]))

    @property
    def ece(self) -> float:
        return float(sum(share * gap for share, gap in self._gaps()))

    @property
    def mce(self) -> float:
        return float(max(gap for _, gap in self._gaps()))

    def _gaps(self) -> list[tuple[float, float]]:
        found = [self.bins == number for number in np.unique(self.bins)]
        return [(one.mean(), abs(self.scores[one].mean() - self.outcomes[one].mean())) for one in found]

    @property
    def murphy(self) -> tuple[float, float, float]:
        """Reliability, resolution, uncertainty."""
        rate = self.outcomes.mean()
        found = [self.bins == number for number in np.unique(self.bins)]
        reliability = sum(one.mean() * (self.scores[one].mean() - self.outcomes[one].mean()) ** 2 for one in found)
        resolution = sum(one.mean() * (self.outcomes[one].mean() - rate) ** 2 for one in found)
        return float(reliability), float(resolution), float(rate * (1 - rate))

    def mapped(self, scores: Array) -> Array:
        """Scores under the map fitted on what is not held out: scikit-learn's values at the training scores, the
        step below between them, where it interpolates. It is given ranks: scores within 1e-15 it would pool."""
        training = ~self.is_held_out
        steps, ranks = np.unique(self.scores[training], return_inverse=True)
        values = IsotonicRegression().fit(ranks, self.outcomes[training]).predict(np.arange(len(steps)))
        return values[np.maximum(np.searchsorted(steps, scores, side="right") - 1, 0)]

    @property
    def held_out_briers(self) -> tuple[float, float]:
        """Raw and mapped."""
        scores, outcomes = self.scores[self.is_held_out], self.outcomes[self.is_held_out]
        return float(np.mean((scores - outcomes) ** 2)), float(np.mean((self.mapped(scores) - outcomes) ** 2))
