"""Wordings cut into fixed text and slots: `it was {v} who {a.past} {a.thing}`.

A slot has a name (which part of the meaning) and a facet (which form of it). The same template is
printed and read, so the two cannot drift apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from worlds.core.errors import Unrenderable
from worlds.core.packs.model import Wording

__all__ = ["Element", "Slot", "Template", "capitalised", "compile_template", "template_of"]

_SLOT = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)(?:\.([a-z]+))?\}")


@dataclass(frozen=True, slots=True)
class Slot:
    """An open place; `facet` is empty for a plain one."""

    name: str
    facet: str = ""

    def __str__(self) -> str:
        return f"{{{self.name}.{self.facet}}}" if self.facet else f"{{{self.name}}}"


Element = str | Slot


@dataclass(frozen=True, slots=True)
class Template:
    """The elements of a wording, in order; `loud` is the same in capitals, for telegrams.

    `fragments` are the fixed parts that any text must hold to match, the first letter of the whole
    left out because it may stand as a capital.
    """

    text: str
    elements: tuple[Element, ...]
    loud: tuple[Element, ...]
    fragments: tuple[str, ...]
    loud_fragments: tuple[str, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The open places, in order."""
        return tuple(element for element in self.elements if isinstance(element, Slot))


@cache
def compile_template(text: str) -> Template:
    """The template of a wording; raises Unrenderable for a brace that opens no slot."""
    elements: list[Element] = []
    at = 0
    for found in _SLOT.finditer(text):
        if found.start() > at:
            elements.append(text[at : found.start()])
        elements.append(Slot(found[1], found[2] or ""))
        at = found.end()
    if at < len(text):
        elements.append(text[at:])
    fixed = [element for element in elements if isinstance(element, str)]
    if any("{" in part or "}" in part for part in fixed):
        raise Unrenderable(f"a brace opens no slot in {text!r}")
    loud = tuple(e.upper() if isinstance(e, str) else e for e in elements)
    if elements and isinstance(elements[0], str):
        fixed[0] = fixed[0][1:]
    fragments = tuple(sorted((part for part in fixed if part), key=len, reverse=True))
    return Template(
        text, tuple(elements), loud, fragments, tuple(part.upper() for part in fragments)
    )


def template_of(wording: Wording) -> Template:
    """The template of a wording; in a scale, plain slots are facets of its measure."""
    return compile_template(_in_scale(wording.text) if wording.form == "scale" else wording.text)


@cache
def _in_scale(text: str) -> str:
    """`{subject}` of a scale is `{m.subject}`, and its bare occasion `{m.event}`."""
    named = text.replace("{occasion}", "{event}")
    return re.sub(r"\{(?!low\}|high\})([a-z]+)\}", r"{m.\1}", named)


def capitalised(text: str) -> str:
    """The text with its first character as a capital, and nothing else changed."""
    return text[:1].upper() + text[1:]
