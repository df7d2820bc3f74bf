"""Training the linear models: a support vector machine over the features, and how sure its answers are.

Features are weighted by rarity and scaled to one length per text. The cues of an anchor share one weight besides
their own, so that a cue that no exemplar has counts, too; the shared weight is folded into each cue's row, and what
comes out is one table of rows. Needs scikit-learn; using a trained model does not.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError, MissingDependency
from sabir.quantize.calibration import DOUBT, ENOUGH, Calibration, calibrate
from sabir.quantize.features import phrases, pieces, table
from sabir.quantize.shapes import shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabir.quantize.exemplars import Exemplar

FOLDS: Final = 5
SEED: Final = 7
_LEAST_OFTEN: Final = 2
"""Texts that a feature must stand in."""
_CUE_SHARE: Final = 5.0
_COST: Final = 1.0
_STRANGE: Final = 1.0
"""Share of the rarest feature's square that an unknown feature adds to the length of a text."""
_SHARES: Final = {"#": 0.5, "=": 0.5, "@": 0.7}
"""Weight of a piece or a shape, by its mark, beside a word of the same rarity."""
_ABSENT: Final = -1.5
"""Score of an anchor that a fold has no text of."""


@dataclass(frozen=True, slots=True)
class Table:
    """A linear model in full: a row of weights for each feature.

    Attributes:
        anchors: mnemonics, in the order of the columns.
        features: the features, in the order of the rows.
        squares: what each feature adds to the squared length of a text.
        strange: what a feature adds that the model does not know, which makes its answers less sure.
        rows: weights, features by anchors.
        bias: weight of every text.
        calibration: from scores to probabilities, found on texts held out of training.
        pieces: whether the features hold pieces of words and shapes.
    """

    anchors: tuple[str, ...]
    features: tuple[str, ...]
    squares: Any
    strange: float
    rows: Any
    bias: Any
    calibration: Calibration
    pieces: bool


def train(rows: Sequence[Exemplar], base: Sequence[Exemplar] = (), *, with_pieces: bool) -> Table:
    """A model of the rows. ``base`` is learned from, too, with a weight that shrinks as the rows grow in number.

    How sure an answer is comes from the rows alone; while they are few, from rows and base, with the base's doubt.

    Raises:
        EncodeError: the rows and the base have not two anchors.
        MissingDependency: scikit-learn is not installed.
    """
    problem = _Problem(rows, base, with_pieces=with_pieces)
    if base and len(rows) < ENOUGH:
        doubt = DOUBT["fitted" if with_pieces else "keyword"]
        calibration = calibrate(_out_of_fold(problem, len(problem.everything)), problem.labels).less_sure(doubt)
    else:
        calibration = calibrate(_out_of_fold(problem, problem.own), problem.labels[: problem.own])
    coefficients, bias = problem.solve(problem.everything)
    return problem.table(coefficients, bias, calibration)


def held_out(rows: Sequence[Exemplar], *, with_pieces: bool) -> tuple[Any, Any, tuple[str, ...]]:
    """Scores of each row by a model that did not see it, the column of each row's anchor, and the anchors.

    Raises:
        EncodeError, MissingDependency: as `train`.
    """
    problem = _Problem(rows, (), with_pieces=with_pieces)
    return _out_of_fold(problem, problem.own), problem.labels, problem.anchors


class _Problem:
    """Rows as a matrix; the rows proper stand first, the base after them."""

    def __init__(self, rows: Sequence[Exemplar], base: Sequence[Exemplar], *, with_pieces: bool) -> None:
        np, sparse, self._machine = _packages()
        everything = [*rows, *base]
        self.own = len(rows)
        self.anchors = tuple(sorted({row.anchor for row in everything}))
        if len(self.anchors) < 2:
            raise EncodeError(f"a model needs texts of two anchors at least, not {len(self.anchors)}", "anchors")
        self.pieces = with_pieces
        self.everything = np.arange(len(everything))
        place = {anchor: at for at, anchor in enumerate(self.anchors)}
        self.labels = np.array([place[row.anchor] for row in everything])
        lighter = min(1.0, max(0.1, 150 / max(1, len(rows)))) if rows else 1.0
        self.weight = np.array([1.0] * len(rows) + [lighter] * len(base))
        documents = [_features(row.text, with_pieces=with_pieces) for row in everything]
        often = Counter(feature for document in documents for feature in document)
        self.seen = sorted(feature for feature, count in often.items() if count >= _LEAST_OFTEN)
        self.rarity = np.array([1 + math.log((1 + len(documents)) / (1 + often[feature])) for feature in self.seen])
        self.rarity *= [_SHARES.get(feature[0], 1.0) for feature in self.seen]
        self.strange = _STRANGE * (1 + math.log(1 + len(documents))) ** 2
        self.matrix = self._matrix(documents, place, np, sparse)

    def _matrix(self, documents: list[set[str]], place: dict[str, int], np: Any, sparse: Any) -> Any:
        """Features by rarity, then for each anchor how many cues speak for it; both by the length of the features."""
        cues = table().anchors
        column = {feature: at for at, feature in enumerate(self.seen)}
        at_row: list[int] = []
        at_column: list[int] = []
        values: list[float] = []
        for number, document in enumerate(documents):
            known = [column[feature] for feature in document if feature in column]
            strange = len(document) - len(known)
            length = math.sqrt(float((self.rarity[known] ** 2).sum()) + strange * self.strange) or 1.0
            shares: Counter[int] = Counter()
            for names in [cues[feature] for feature in document if feature in cues]:
                for name in names:
                    if name in place:
                        shares[len(column) + place[name]] += _share(names)  # type: ignore[assignment]  # a Counter of floats
            at_row += [number] * (len(known) + len(shares))
            at_column += [*known, *shares]
            values += [*(self.rarity[known] / length), *(share / length for share in shares.values())]
        shape = (len(documents), len(column) + len(place))
        return sparse.csr_matrix((np.array(values), (at_row, at_column)), shape=shape)

    def solve(self, chosen: Any) -> tuple[Any, Any]:
        """Weights and bias by anchor, of the chosen texts; an anchor that they lack has `_ABSENT` as its bias."""
        np = _packages()[0]
        labels = self.labels[chosen]
        machine = self._machine(C=_COST, random_state=SEED)
        machine.fit(self.matrix[chosen], labels, sample_weight=self.weight[chosen])
        coefficients = np.zeros((len(self.anchors), self.matrix.shape[1]))
        bias = np.full(len(self.anchors), _ABSENT)
        if len(machine.classes_) == 2:  # one line parts two anchors
            coefficients[machine.classes_] = np.vstack([-machine.coef_, machine.coef_])
            bias[machine.classes_] = [-machine.intercept_[0], machine.intercept_[0]]
        else:
            coefficients[machine.classes_] = machine.coef_
            bias[machine.classes_] = machine.intercept_
        return coefficients, bias

    def table(self, coefficients: Any, bias: Any, calibration: Calibration) -> Table:
        """The model with each anchor's shared weight folded into the rows of its cues."""
        np = _packages()[0]
        place = {anchor: at for at, anchor in enumerate(self.anchors)}
        cues = table().anchors
        unseen = sorted(cue for cue in set(cues) - set(self.seen) if place.keys() & set(cues[cue]))
        features = (*self.seen, *unseen)
        size = len(self.seen)
        rows = np.zeros((len(features), len(self.anchors)))
        rows[:size] = coefficients[:, :size].T * self.rarity[:, None]
        shared = coefficients[:, size:].T
        for at, feature in enumerate(features):
            for name in [name for name in cues.get(feature, ()) if name in place]:
                rows[at] += shared[place[name]] * _share(cues[feature])
        squares = np.concatenate([self.rarity**2, np.full(len(unseen), self.strange)])
        return Table(self.anchors, features, squares, self.strange, rows, bias, calibration, self.pieces)


def _features(text: str, *, with_pieces: bool) -> set[str]:
    return phrases(text) | pieces(text) | shapes(text) if with_pieces else phrases(text)


def _share(names: tuple[str, ...]) -> float:
    """What a cue adds to each anchor that it speaks for."""
    return _CUE_SHARE / math.sqrt(len(names))


def _folds(problem: _Problem, count: int) -> Any:
    """Number of the fold of each of the first rows; the texts of an anchor are spread over all."""
    np = _packages()[0]
    order = np.random.default_rng(SEED).permutation(count)
    order = order[np.argsort(problem.labels[order], kind="stable")]
    folds = np.empty(count, dtype=int)
    folds[order] = np.arange(count) % FOLDS
    return folds


def _out_of_fold(problem: _Problem, count: int) -> Any:
    """Scores of each of the first rows by a model that did not see it."""
    np = _packages()[0]
    folds = _folds(problem, count)
    scores = np.empty((count, len(problem.anchors)))
    for fold in range(FOLDS):
        tested = np.flatnonzero(folds == fold)
        chosen = np.setdiff1d(problem.everything, tested)
        if len(tested) == 0 or len(set(problem.labels[chosen])) < 2:
            scores[tested] = 0
            continue
        coefficients, bias = problem.solve(chosen)
        scores[tested] = problem.matrix[tested] @ coefficients.T + bias
    return scores


def _packages() -> tuple[Any, Any, Any]:
    try:
        return import_module("numpy"), import_module("scipy.sparse"), import_module("sklearn.svm").LinearSVC
    except ImportError:
        raise MissingDependency("training a model needs scikit-learn: pip install 'sabir[quantize]'") from None
