"""Stories told by a chat model, which is trusted in nothing.

Each scene is asked for, checked and, when it fails, asked for again with the reasons; after the
last try the seeded narrator tells that scene. All prompts, replies and refusals are kept with the
instance, whose id bears their digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from worlds.core.bridges import bank
from worlds.core.codec import digest
from worlds.core.errors import BadInput, GateRejected
from worlds.core.fingerprint import fingerprint
from worlds.core.ids import InstanceId
from worlds.core.instance import Document, Instance
from worlds.core.mint import check_mintable, forge_family
from worlds.core.model import World
from worlds.core.packs import Pack, pack
from worlds.core.prose.grammar import Grammar
from worlds.core.prose.notices import ORDER_ROLES
from worlds.core.prose.story import (
    Narrator,
    Outline,
    SceneCheck,
    ScenePlan,
    SeededNarrator,
    check_story,
    join_scenes,
    longest,
    outline_story,
    sentence_of,
)
from worlds.core.prose.story.plan import GAPS
from worlds.core.prose.surface import ATTEMPTS as ATTEMPTS_OF_SURFACES
from worlds.core.prose.surface import story_prompt, stream_of
from worlds.core.source import source_sha256
from worlds.services.chat_endpoint import ChatEndpoint, ChatFailed

__all__ = ["ATTEMPTS", "ChatNarrator", "narrate_instance", "narrate_surfaces"]

ATTEMPTS = 3
"""How often a scene is asked for."""

_GIVE_UP_AFTER = 2
_RULES = (
    "You tell one scene of a long first-person story, in plain, concrete, slightly dry prose of "
    "about 1900. Reply with the scene alone: paragraphs of plain text, no heading, list or markup. "
    "The scene must hold every sentence listed under SENTENCES: word for word, once, in the order "
    "given, each as a sentence of its own that the teller states himself, never quoted, doubted, "
    "confirmed or explained. Around them tell of people, weather and places only. Never name a "
    "number, a reference mark or any person but those listed, and say nothing about the things "
    "that the sentences speak of."
)


@dataclass
class ChatNarrator:
    """The chat port: asks the endpoint for each scene and falls back on seeded scenes."""

    endpoint: ChatEndpoint
    check: SceneCheck
    fallback: Narrator
    told: list[dict[str, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the instance says of its narrator."""
        return "chat"

    def narrate(self, plans: Sequence[ScenePlan]) -> tuple[str, ...]:
        """The text of each scene; `told` then says how each came about."""
        spare = self.fallback.narrate(plans)
        silent = 0
        self.told = []
        for plan, text in zip(plans, spare, strict=True):
            entry = self._scene(plan, text, ask=silent < _GIVE_UP_AFTER)
            replied = any("reply" in attempt for attempt in entry["attempts"])
            silent = 0 if replied else silent + 1
            self.told.append(entry)
        return tuple(entry["text"] for entry in self.told)

    def _scene(self, plan: ScenePlan, spare: str, *, ask: bool) -> dict[str, Any]:
        attempts: list[dict[str, Any]] = []
        reasons: tuple[str, ...] = ()
        for _ in range(ATTEMPTS if ask else 0):
            messages = _messages(plan, reasons)
            attempt: dict[str, Any] = {"prompt": messages}
            attempts.append(attempt)
            try:
                reply = self.endpoint.reply(messages)
            except ChatFailed as failed:
                attempt["rejected"] = [str(failed)]
                if failed.fatal:
                    break
                continue
            text = reply.strip()
            reasons = self.check.findings(text, plan)
            attempt.update(reply=reply, rejected=list(reasons))
            if not reasons:
                return {"narrator": self.name, "text": text, "attempts": attempts}
        return {"narrator": self.fallback.name, "text": spare, "attempts": attempts}


def narrate_instance(instance: InstanceId, endpoint: ChatEndpoint) -> Instance:
    """The story of an id as a chat model tells it; the id gains the digest of the narration."""
    return narrate_surfaces([instance], endpoint)[0]


def narrate_surfaces(
    surfaces: Sequence[InstanceId], endpoint: ChatEndpoint
) -> tuple[Instance, ...]:
    """One story, told once by a chat model, under each of its conditions.

    The ids are of one family, realization and burial; each gains the digest of the narration.
    """
    for instance in surfaces:
        if instance.burial is None or instance.condition == "formal":
            raise BadInput(
                "narrator", "chat", "a story: give a burial from 0 to 5 and another condition"
            )
        check_mintable(instance)
    forged = forge_family(surfaces[0].family)
    documents, narration = _told(forged.world, surfaces[0], endpoint)
    mark, named = fingerprint(forged.world), digest(narration)[:8]
    return tuple(
        Instance(
            id=instance,
            world=forged.world,
            prompt=story_prompt(forged.world, instance, documents),
            documents=documents,
            certificate=forged.certificate,
            fingerprint=mark,
            source_sha256=source_sha256(),
            narrator="chat",
            narration=narration,
        )
        for instance in (replace(each, narration=named) for each in surfaces)
    )


def _told(
    world: World, instance: InstanceId, endpoint: ChatEndpoint
) -> tuple[tuple[Document, ...], dict[str, Any]]:
    """The document, and how it came about."""
    genre, facts = pack(instance.family.genre), bank()
    outline, seeded = _sound_outline(world, instance)
    narrator = ChatNarrator(endpoint, SceneCheck(world, genre, facts), seeded)
    documents = _joined(world, genre, outline, narrator)
    return documents, {"model": endpoint.model, "scenes": narrator.told}


def _sound_outline(world: World, instance: InstanceId) -> tuple[Outline, SeededNarrator]:
    """The first outline whose seeded story passes the gate, so that its lines can be told."""
    genre = pack(instance.family.genre)
    refusal = GateRejected(())
    for attempt in range(ATTEMPTS_OF_SURFACES):
        try:
            _joined(world, genre, *_outlined(world, instance, attempt))
        except GateRejected as rejected:
            refusal = rejected
            continue
        return _outlined(world, instance, attempt)
    raise refusal


def _outlined(world: World, instance: InstanceId, attempt: int) -> tuple[Outline, SeededNarrator]:
    genre = pack(instance.family.genre)
    stream = stream_of(instance, f"story {instance.burial}", attempt)
    outline = outline_story(world, genre, bank(), instance.burial or 0, stream)
    return outline, SeededNarrator(genre, stream)


def _joined(
    world: World, genre: Pack, outline: Outline, narrator: Narrator
) -> tuple[Document, ...]:
    """The document of a story that passes the gate; raises GateRejected."""
    scenes = narrator.narrate(outline.scenes)
    documents = join_scenes(outline, scenes, Grammar.of_world(world, genre, bank()))
    check_story(world, genre, bank(), documents)
    return documents


def _messages(plan: ScenePlan, reasons: Sequence[str]) -> list[dict[str, str]]:
    """What the model is asked; after a refusal, with the reasons of it."""
    low, high = GAPS[plan.burial]
    sentences = "\n".join(sentence_of(line) for line in plan.lines)
    scene = (
        f"Scene {plan.number + 1}. {plan.weekday}, in {plan.month}. Place: {plan.place}. "
        f"Weather: {plan.weather}. The teller goes about with {plan.companion}, a young clerk; "
        f"there they meet {plan.host}."
    )
    size = (
        f"Before each sentence tell {low} to {high} sentences of story. "
        f"The scene has at most {longest(plan)} characters."
    )
    asked = [scene, size, _dates(plan), f"SENTENCES\n{sentences}"]
    if reasons:
        asked.append("Your last try was refused:\n" + "\n".join(reasons))
    return [
        {"role": "system", "content": _RULES},
        {"role": "user", "content": "\n\n".join(asked)},
    ]


def _dates(plan: ScenePlan) -> str:
    if not any(line.role in ORDER_ROLES for line in plan.lines):
        return "Give no dates."
    return (
        f"The last sentences are an order. Just before them, say that on {plan.date} a letter came "
        f"from {plan.writer}, in these words for date and sender; give no other date."
    )
