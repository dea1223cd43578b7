"""Rows of worlds: corpora with their families and instances, and the review of distractors."""

from __future__ import annotations

from worlds.models.corpora import (
    PROVED,
    Corpus,
    CorpusQuerySet,
    CorpusSurvey,
    Family,
    FamilyQuerySet,
    Instance,
    InstanceQuerySet,
    LostFamily,
    Recheck,
    Trial,
)

__all__ = [
    "PROVED",
    "Corpus",
    "CorpusQuerySet",
    "CorpusSurvey",
    "Family",
    "FamilyQuerySet",
    "Instance",
    "InstanceQuerySet",
    "LostFamily",
    "Recheck",
    "Trial",
]
