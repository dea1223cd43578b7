"""What a told scene must be before it may stand in a story; the teller is trusted in nothing.

Every line stands once, word for word, in order, as a sentence of its own in nobody's mouth. What
stands around them names no mark, name, marked thing, number or action, holds no markup, and uses
no word that could take a line back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from worlds.core.bridges import BridgeFact
from worlds.core.errors import GateRejected
from worlds.core.instance import Document, Span
from worlds.core.lexicon import Measure
from worlds.core.model import World
from worlds.core.packs.check_voice import TAKES_BACK, sounds_like_hearsay
from worlds.core.packs.model import Pack
from worlds.core.packs.template import capitalised
from worlds.core.prose.gate import Gate
from worlds.core.prose.grammar import kinds_of
from worlds.core.prose.notices import DATE_SAID, ORDER_ROLES
from worlds.core.prose.story.compose import place_lines
from worlds.core.prose.story.plan import CHANNEL, GAPS, Line, ScenePlan

__all__ = ["SceneCheck", "longest", "sentence_of"]

_ALLOWED = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽž0-9 \n.,;:!?'’‘“”()&£…–—-]")
_MARKUP = re.compile(r"</?[A-Za-z!]|&(?:[A-Za-z]+|#[0-9]+);")
_SENTENCE = re.compile(r"[^.!?\n]*[^.!?\s][^.!?\n]*")
_BEFORE = re.compile(r"(?:\A|\n|[.!?…]”? )\Z")
_SLACK, _PER_SENTENCE = 800, 160


def sentence_of(line: Line) -> str:
    """A line as the sentence, or sentences, that has to stand in the scene."""
    text = capitalised(line.text)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def longest(plan: ScenePlan) -> int:
    """The most code points that a scene may have."""
    story = (len(plan.lines) + 1) * GAPS[plan.burial][1] * _PER_SENTENCE
    return _SLACK + story + sum(len(line.text) for line in plan.lines)


class SceneCheck:
    """Reads scenes against one world; every finding is one sentence."""

    def __init__(self, world: World, pack: Pack, facts: Sequence[BridgeFact]) -> None:
        self._gate = Gate(world, pack, facts)
        nouns: set[str] = set()
        for kind in kinds_of(world, pack):
            nouns |= {kind.occasion} if isinstance(kind, Measure) else {kind.noun, kind.plural}
        words = "|".join(re.escape(noun) for noun in sorted(nouns))
        self._nouns = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)

    def findings(self, text: str, plan: ScenePlan) -> tuple[str, ...]:
        """What is wrong with a scene; nothing when it may stand."""
        found = tuple(_character_findings(text, plan))
        if found:
            return found
        try:
            spans = place_lines(text, plan.lines, self._gate.grammar)
        except GateRejected as rejected:
            return rejected.findings
        paper = Document("scene", 1, CHANNEL, "", text, spans)
        return (
            *_place_findings(text, spans),
            *_neighbour_findings(text, spans),
            *map(str, self._gate.paper_findings(paper)),
            *self._story_findings(text, spans, plan),
        )

    def _story_findings(self, text: str, spans: Sequence[Span], plan: ScenePlan) -> Iterator[str]:
        """What stands between the lines."""
        story = _between(text, spans)
        dates = [found[0] for found in DATE_SAID.finditer(story)]
        order = next((i for i, line in enumerate(plan.lines) if line.role in ORDER_ROLES), None)
        if dates != ([] if order is None else [plan.date]):
            yield f"the story gives the dates {dates}"
        if order is not None:
            start = spans[order - 1].end if order else 0
            lead = text[start : spans[order].start]
            for needed in (plan.date, plan.writer):
                if needed.lower() not in lead.lower():
                    yield f"{needed!r} does not stand between the order and the line before it"
        undated = DATE_SAID.sub("", story)
        for what, pattern in (
            ("a number", re.compile(r"[0-9]+")),
            ("a thing that marks are given to", self._nouns),
            ("a word that could take a line back", TAKES_BACK),
        ):
            found = pattern.search(undated)
            if found:
                yield f"the story holds {what}: {found[0]!r}"


def _character_findings(text: str, plan: ScenePlan) -> Iterator[str]:
    if not text.strip():
        yield "the scene is empty"
    if len(text) > longest(plan):
        yield f"the scene has {len(text)} characters, more than {longest(plan)}"
    if _MARKUP.search(text):
        yield "the scene holds markup"
    if text != unicodedata.normalize("NFC", text):
        yield "the scene is not NFC"
    for odd in sorted({character for character in text if not _ALLOWED.fullmatch(character)}):
        kind = "control character" if unicodedata.category(odd) == "Cc" else "character"
        yield f"the scene holds the {kind} U+{ord(odd):04X}"


def _place_findings(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """Each line is a sentence of its own and stands in nobody's mouth."""
    for span in spans:
        before, after = text[: span.start], text[span.end :]
        ended = text[span.end - 1] in ".!?" and after[:1] in ("", " ", "\n")
        if not _BEFORE.search(before) or not (ended or re.match(r"\.(?:[ \n]|\Z)", after)):
            yield f"line {span.unit} is not a sentence of its own"
        if before.count("“") != before.count("”") or before.count("(") != before.count(")"):
            yield f"line {span.unit} stands inside quotation marks or brackets"


def _neighbour_findings(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """No sentence before or after a line hands it on as what somebody says."""
    ends = [0, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    for i, span in enumerate(spans):
        before, after = _SENTENCE.findall(gaps[i])[-1:], _SENTENCE.findall(gaps[i + 1])[:1]
        for sentence in (*before, *after):
            if sounds_like_hearsay(sentence):
                yield f"next to line {span.unit} stands hearsay: {sentence.strip()!r}"


def _between(text: str, spans: Sequence[Span]) -> str:
    """The text without its lines."""
    parts, at = [], 0
    for span in spans:
        parts.append(text[at : span.start])
        at = span.end
    return "\n".join((*parts, text[at:]))
