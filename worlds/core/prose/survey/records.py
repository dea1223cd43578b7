"""Read the records of a corpus for a survey: every unit of evidence with where and how it stands.

A family's explicit and implicit surfaces of one number share their papers, and count once. Formal
surfaces have no papers, and stories are not papers: both are left out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worlds.core.bridges import BridgeFact
from worlds.core.constraints import Constraint
from worlds.core.ids import FamilyId
from worlds.core.instance import Document, Instance, Span
from worlds.core.model import Unit, World
from worlds.core.packs.model import Pack
from worlds.core.packs.template import template_of
from worlds.core.prose.forms import phrasings
from worlds.core.prose.gate import Gate
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.matching import Matcher
from worlds.core.prose.meaning import constraints
from worlds.core.prose.survey.masking import Mask

__all__ = ["Piece", "Record", "pieces_of", "records"]

_NEAR = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit of evidence in its record.

    `clause` is its text without the hedge; `paper` the number of its paper; `rank` its place among
    the `ranks` units of evidence of the record in reading order, `place` among the `company` of
    its paper, both from 0; `near` the few words on either side that belong to no unit, masked like
    the `plain` skeleton. `offered` are the wordings that could have said it in this channel, and
    `wording` is the one that does.
    """

    unit: Unit
    kind: str
    channel: str
    text: str
    clause: str
    plain: str
    bare: str
    plain_clause: str
    near: str
    wording: str
    offered: tuple[str, ...]
    paper: int
    rank: int
    ranks: int
    place: int
    company: int

    @property
    def is_report(self) -> bool:
        """Whether it is a distractor: what others say."""
        return self.unit.role == "distractor"


@dataclass(frozen=True)
class Record:
    """One family in one wording: its papers, its evidence, and what the gate finds."""

    family: FamilyId
    realization: int
    world: World
    certificate: Mapping[str, Any]
    pack: Pack
    documents: tuple[Document, ...]
    pieces: tuple[Piece, ...]
    papers: tuple[str, ...]
    breaches: Counter[str]

    def text_of(self, unit: str) -> str:
        """The text of a unit; empty if it stands nowhere, which the gate has found as well."""
        for document in self.documents:
            for span in document.spans:
                if span.unit == unit:
                    return document.clause(span)
        return ""


def records(
    instances: Iterable[Instance],
    pack_of: Callable[[str], Pack],
    facts: Sequence[BridgeFact],
) -> Iterator[Record]:
    """Every record behind these instances, once, in the order of their first instance."""
    seen: set[tuple[str, int]] = set()
    for instance in instances:
        key = (str(instance.id.family), instance.id.realization)
        if instance.documents and instance.id.burial is None and key not in seen:
            seen.add(key)
            yield _record(instance, pack_of(instance.id.family.genre), facts)


def _record(instance: Instance, pack: Pack, facts: Sequence[BridgeFact]) -> Record:
    world, mask = instance.world, Mask(instance.world, pack, facts)
    found = Gate(world, pack, facts).findings(instance.documents)
    return Record(
        family=instance.id.family,
        realization=instance.id.realization,
        world=world,
        certificate=instance.certificate,
        pack=pack,
        documents=instance.documents,
        pieces=pieces_of(instance, pack, facts),
        papers=tuple(mask.plain(f"{d.heading}\n{d.text}") for d in instance.documents),
        breaches=Counter(breach.rule for breach in found),
    )


def pieces_of(instance: Instance, pack: Pack, facts: Sequence[BridgeFact]) -> tuple[Piece, ...]:
    """The evidence of an instance in the order of its text, papers and stories alike."""
    world = instance.world
    grammar, mask = Grammar.of_world(world, pack, facts), Mask(world, pack, facts)
    return tuple(_pieces(instance, grammar, mask, constraints(world, facts)))


def _pieces(
    instance: Instance, grammar: Grammar, mask: Mask, said: Mapping[str, Constraint]
) -> Iterator[Piece]:
    units = {unit.id: unit for unit in instance.world.units if unit.id in said}
    ranks = sum(span.unit in units for d in instance.documents for span in d.spans)
    rank = 0
    for document in instance.documents:
        held = [span for span in document.spans if span.unit in units]
        for place, span in enumerate(held):
            text = document.clause(span)
            plain = mask.plain(text)
            clause = text
            if units[span.unit].role == "distractor":
                clause = _unhedged(text, document.channel, grammar, said[span.unit])
            wording, offered = _wordings(clause, document.channel, grammar, said[span.unit])
            yield Piece(
                unit=units[span.unit],
                kind=said[span.unit].kind,
                channel=document.channel,
                text=text,
                clause=clause,
                plain=plain,
                bare=mask.bare(plain),
                plain_clause=plain if clause == text else mask.plain(clause),
                near=mask.plain(_near(document, span)),
                wording=wording,
                offered=offered,
                paper=document.number,
                rank=rank,
                ranks=ranks,
                place=place,
                company=len(held),
            )
            rank += 1


def _wordings(
    clause: str, channel: str, grammar: Grammar, said: Constraint
) -> tuple[str, tuple[str, ...]]:
    """The wording that stands in a clause (empty: none known), and all that could."""
    scan = grammar.scan(clause, channel)
    forms = dict.fromkeys(form for form, _ in phrasings(said, grammar.plain))
    offered = [w for form in forms for w in grammar.pack.clauses_of(form, channel)]
    standing = (
        wording.text
        for wording in offered
        for start, end, _ in Matcher(scan, wording.form, wording.row).matches(template_of(wording))
        if (start, end) == (0, len(clause))
    )
    return next(standing, ""), tuple(wording.text for wording in offered)


def _near(document: Document, span: Span) -> str:
    """The last words before a span and the first ones after it, as far as no other span reaches."""
    start = max((s.end for s in document.spans if s.end <= span.start), default=0)
    end = min((s.start for s in document.spans if s.start >= span.end), default=None)
    before = document.text[start : span.start].split()[-_NEAR:]
    return " ".join([*before, "…", *document.text[span.end : end].split()[:_NEAR]])


def _unhedged(text: str, channel: str, grammar: Grammar, said: Constraint) -> str:
    """What a report reports: the longest clause in it that says the same on its own account."""
    within = [
        text[r.start : r.end]
        for r in grammar.parse(text, channel)
        if not r.hedged and r.constraint == said
    ]
    return max(within, key=len, default=text)
