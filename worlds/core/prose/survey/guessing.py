"""Can a reader who does not understand tell reports from clues? A small classifier tries.

Logistic regression over what the surface shows: how long a unit is, where it stands, in which
channel, what class of statement it makes, which words it uses and which stand beside it. The hedge
is the one thing that may tell, so it is cut out. No model guesses about a family that it was
trained on, and the area under the curve is that of the guesses: 0.5 is chance.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worlds.core.prose.survey.figures import Figure, Table, figure, table_of
from worlds.core.prose.survey.records import Piece, Record
from worlds.core.seeds import Stream, derive

__all__ = ["Example", "auc", "guess", "guessing_figures", "guessing_tables"]

GROUP = "reports"

_MOST_AUC = 0.6
_FOLDS = 5
_EPOCHS = 8
_RATE = 0.03
_BIAS_RATE = 0.01
_DECAY = 0.03
_FIRST_STEP = 1e-3
_LEAST_USES = 20
"""A feature that is rarer than this is noise."""
_LEAST_REPORTS = 120
"""With fewer, chance alone may reach the goal's limit."""
_TENTHS = 10
_LOUDEST = 12
_WORD = re.compile(r"[^\W\d_]+|[@#0;:]")
_SIGHTS = ("length", "position", "channel", "class", "words", "words beside it")
"""What the classifier looks at; each alone is tried as well."""


@dataclass(frozen=True, slots=True)
class Example:
    """A unit as the classifier sees it: which features it has, and whether it is a report."""

    family: str
    features: tuple[str, ...]
    is_report: bool


def guessing_figures(records: Sequence[Record]) -> Iterator[Figure]:
    """The area under the curve over the corpus and by genre."""
    yield _figure("", records)
    for genre in sorted({record.family.genre for record in records}):
        yield _figure(genre, [record for record in records if record.family.genre == genre])


def guessing_tables(records: Sequence[Record]) -> Iterator[Table]:
    """What each sight tells by itself, and the features that speak loudest for a report."""
    rows = [[sight, f"{auc(guess(_examples(records, [sight]))):.3f}"] for sight in _SIGHTS]
    yield table_of(GROUP, "What a classifier sees, one at a time", ("Sight", "AUC"), rows)
    examples = _examples(records, _SIGHTS)
    weights = _trained(examples, derive(0, "survey", "weights"))
    loudest = sorted(weights, key=lambda feature: (-abs(weights[feature]), feature))[:_LOUDEST]
    told = [[feature, f"{weights[feature]:+.2f}"] for feature in loudest]
    yield table_of(GROUP, "What speaks loudest for a report", ("Feature", "Weight"), told)


def guess(examples: Sequence[Example]) -> list[tuple[float, bool]]:
    """A score for every example by a model of the other families, and what it is.

    Scores of different folds are made comparable by their rank among those of their fold.
    """
    stream = derive(0, "survey", "folds")
    families = stream.shuffled(sorted({example.family for example in examples}))
    fold_of = {family: i % _FOLDS for i, family in enumerate(families)}
    guesses: list[tuple[float, bool]] = []
    for fold in range(_FOLDS):
        weights = _trained([e for e in examples if fold_of[e.family] != fold], stream)
        held = [e for e in examples if fold_of[e.family] == fold]
        scores = [math.fsum(weights.get(f, 0.0) for f in e.features) for e in held]
        ranks = _ranks(scores)
        guesses += [(ranks[i] / len(held), e.is_report) for i, e in enumerate(held)]
    return guesses


def auc(guesses: Sequence[tuple[float, bool]]) -> float:
    """How often a report scores higher than a clue, ties counted half; 0.5 with one sort alone.

    >>> auc([(0.1, False), (0.2, True), (0.2, False), (0.9, True)])
    0.875
    """
    ranks = _ranks([score for score, _ in guesses])
    reports = sum(is_report for _, is_report in guesses)
    others = len(guesses) - reports
    if not reports or not others:
        return 0.5
    held = math.fsum(rank for rank, (_, is_report) in zip(ranks, guesses, strict=True) if is_report)
    return (held - reports * (reports + 1) / 2) / (reports * others)


def _figure(genre: str, records: Sequence[Record]) -> Figure:
    examples = _examples(records, _SIGHTS)
    enough = sum(example.is_report for example in examples) >= _LEAST_REPORTS
    name = "a classifier tells reports from clues, hedges masked"
    found = auc(guess(examples))
    return figure(GROUP, name, found, of=genre, unit="AUC", under=_MOST_AUC, judged=enough)


def _examples(records: Sequence[Record], sights: Sequence[str]) -> list[Example]:
    return [
        Example(
            str(record.family),
            tuple(dict.fromkeys(f for sight in sights for f in _seen(piece, sight))),
            piece.is_report,
        )
        for record in records
        for piece in record.pieces
    ]


def _seen(piece: Piece, sight: str) -> Iterator[str]:
    """The features of one sight, by name."""
    match sight:
        case "length":
            yield f"letters 2^{math.log2(1 + len(piece.clause)) * 3 // 1 / 3:.1f}"
            yield f"words {min(40, len(piece.clause.split())) // 2 * 2}"
            yield f"digits {sum(map(str.isdigit, piece.clause))}"
        case "position":
            yield f"tenth {piece.rank * _TENTHS // piece.ranks}"
            yield f"paper {piece.paper}"
            yield f"place {piece.place + 1} of {piece.company}"
        case "channel":
            yield piece.channel
        case "class":
            yield f"class {piece.kind}"
        case "words":
            yield from (f"“{word}”" for word in _WORD.findall(piece.plain_clause))
        case "words beside it":
            yield from (f"beside “{word}”" for word in _WORD.findall(piece.near))


def _trained(examples: Sequence[Example], stream: Stream) -> Mapping[str, float]:
    """The weights of a logistic regression, by stochastic descent with a step for each feature."""
    uses = Counter(feature for example in examples for feature in example.features)
    kept = [[f for f in e.features if uses[f] >= _LEAST_USES] for e in examples]
    weights = dict.fromkeys((f for f in uses if uses[f] >= _LEAST_USES), 0.0)
    steps = dict.fromkeys(weights, _FIRST_STEP)
    bias = 0.0
    for _ in range(_EPOCHS):
        for i in stream.shuffled(range(len(examples))):
            features = kept[i]
            score = bias + sum(weights[f] for f in features)
            error = examples[i].is_report - _probability(score)
            bias += _BIAS_RATE * error
            for f in features:
                gradient = error - _DECAY * weights[f]
                steps[f] += gradient * gradient
                weights[f] += _RATE * gradient / math.sqrt(steps[f])
    return weights


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def _ranks(scores: Sequence[float]) -> list[float]:
    """The rank of each score from 1, equal scores sharing theirs."""
    order = sorted(range(len(scores)), key=lambda i: scores[i])
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        for i in order[start:end]:
            ranks[i] = (start + 1 + end) / 2
        start = end
    return ranks
