"""Rows of worlds: corpora with their families and instances, and the review of distractors."""

from __future__ import annotations

from worlds.models.asked import Recheck, Trial
from worlds.models.corpora import (
    MOST_APPROVALS,
    NARRATORS,
    PROVED,
    Corpus,
    CorpusQuerySet,
    CorpusSurvey,
    Family,
    FamilyQuerySet,
    ForgingCost,
    Instance,
    InstanceQuerySet,
    LostFamily,
)
from worlds.models.reviews import (
    DECISIONS,
    DISTRACTOR_KINDS,
    ReviewAssignment,
    ReviewEntry,
    ReviewItem,
    ReviewItemQuerySet,
    Said,
    Standing,
    standing_of,
)

__all__ = [
    "DECISIONS",
    "DISTRACTOR_KINDS",
    "MOST_APPROVALS",
    "NARRATORS",
    "PROVED",
    "Corpus",
    "CorpusQuerySet",
    "CorpusSurvey",
    "Family",
    "FamilyQuerySet",
    "ForgingCost",
    "Instance",
    "InstanceQuerySet",
    "LostFamily",
    "Recheck",
    "ReviewAssignment",
    "ReviewEntry",
    "ReviewItem",
    "ReviewItemQuerySet",
    "Said",
    "Standing",
    "Trial",
    "standing_of",
]
