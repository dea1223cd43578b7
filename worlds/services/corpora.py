"""A corpus from its name to its hash: created, filled family by family, completed.

Everything about a corpus is checked when it is created, so that a job never starts on something
that cannot be forged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NotRequired, TypedDict, Unpack

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from enigmaforge_site.jobs import services as jobs
from enigmaforge_site.jobs.models import Job, State
from worlds.core.codec import digest
from worlds.core.errors import BadInput
from worlds.core.ids import MAX_BURIAL
from worlds.core.levels import level_spec
from worlds.core.packs import genres as known_genres
from worlds.core.seeds import check_seed
from worlds.models import MOST_APPROVALS, NARRATORS, Corpus
from worlds.services.minting import open_places

__all__ = [
    "MOST_FAMILIES",
    "STANDARD_LEVELS",
    "STARTER",
    "check_slug",
    "complete_corpus",
    "create_corpus",
    "ensure_starter_corpus",
    "find_corpus",
    "forge_job",
    "last_job",
    "survey_job",
    "take_up_corpus",
]

MOST_FAMILIES = 2000
STARTER = "starter"
STANDARD_LEVELS = ("L00", "L01", "L02", "L03", "L04", "L05")
"""The levels of a corpus for which nobody names any."""

_STARTER_FAMILIES = 24
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_RESERVED = ("new",)


class Order(TypedDict):
    """What a corpus is to be made of."""

    seed: int
    families: int
    profile: str
    levels: Sequence[str]
    genres: Sequence[str]
    burials: NotRequired[Sequence[int]]
    narrator: NotRequired[str]


class CorpusJob(TypedDict):
    """The arguments of a job row, but for its kind."""

    payload: dict[str, jobs.Scalar]
    title: str
    key: str
    link: str
    total: int | None


def create_corpus(
    slug: str,
    *,
    seed: int,
    families: int,
    profile: str = "chain",
    levels: Sequence[str] = (),
    genres: Sequence[str] = (),
    burials: Sequence[int] = (),
    narrator: str = "seeded",
    title: str = "",
    required_approvals: int = 0,
    created_by: User | None = None,
) -> Corpus:
    """Store an empty corpus; without levels it has the standard ones, without genres all.

    At each of the burials its families are told as stories too, beside their papers, by the
    narrator.
    With required approvals it is not published before so many people approved each distractor.

    Raises BadInput that says what is allowed, also for a name that is taken.
    """
    check_slug(slug)
    check_seed(seed)
    if not 1 <= families <= MOST_FAMILIES:
        raise BadInput("families", families, f"a whole number from 1 to {MOST_FAMILIES}")
    if not 0 <= required_approvals <= MOST_APPROVALS:
        expected = f"a whole number from 0 to {MOST_APPROVALS}"
        raise BadInput("required_approvals", required_approvals, expected)
    try:
        with transaction.atomic():
            return Corpus.objects.create(
                slug=slug,
                title=title or slug,
                profile=profile,
                seed=seed,
                levels=_checked_levels(profile, levels),
                genres=_checked_genres(genres),
                burials=_checked_burials(burials),
                narrator=_checked_narrator(narrator, burials),
                family_count=families,
                required_approvals=required_approvals,
                created_by=created_by,
            )
    except IntegrityError:
        raise BadInput("name", slug, "a name that no other corpus has") from None


def check_slug(slug: str) -> None:
    """Raise BadInput that says what a corpus may be called."""
    if not _SLUG.fullmatch(slug):
        raise BadInput(
            "name", slug, "1 to 64 small letters, digits and hyphens, such as harbour-2, "
            "with a letter or digit at each end"
        )  # fmt: skip
    if slug in _RESERVED:
        raise BadInput("name", slug, f"a name other than {' and '.join(_RESERVED)}")


def take_up_corpus(slug: str, **order: Unpack[Order]) -> Corpus:
    """Create a corpus, or return the incomplete one of that name if it was ordered alike.

    Raises BadInput like `create_corpus`, also for a name that is taken by anything else.
    """
    known = Corpus.objects.filter(slug=slug, sha256="").first()
    if known is None:
        return create_corpus(slug, **order)
    wanted = (
        check_seed(order["seed"]),
        order["families"],
        order["profile"],
        _checked_levels(order["profile"], order["levels"]),
        _checked_genres(order["genres"]),
        _checked_burials(order.get("burials", ())),
        order.get("narrator", "seeded"),
    )
    have = (
        known.seed,
        known.family_count,
        known.profile,
        known.levels,
        known.genres,
        known.burials,
        known.narrator,
    )
    if wanted != have:
        raise BadInput("name", slug, "a name that no other corpus has, or the order it began with")
    return known


def find_corpus(slug: str) -> Corpus:
    """Return the corpus of that name; raises BadInput that names those there are."""
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        names = ", ".join(Corpus.objects.values_list("slug", flat=True)[:20])
        raise BadInput(
            "corpus", slug, f"one of {names}" if names else "a corpus; there is none yet"
        )
    return corpus


def complete_corpus(corpus: Corpus) -> Corpus:
    """Give a full corpus its hash, have the controls run and it surveyed; safe to call twice.

    The hash is the digest of the instances' own digests in sorted order, so it depends on what is
    in the corpus and on nothing else. Raises BadInput while families are missing.
    """
    if missing := len(open_places(corpus)):
        raise BadInput("corpus", corpus.slug, f"all its families; {missing} are missing")
    content = digest(sorted(corpus.instances.values_list("sha256", flat=True)))
    with transaction.atomic():
        first = Corpus.objects.filter(pk=corpus.pk, sha256="").update(sha256=content)
        if first:
            # By name only: who does this job is not for worlds to know.
            jobs.create(
                "run_controls",
                {"corpus_id": corpus.pk},
                key=f"run_controls:{corpus.slug}",
                title=f"Run the controls on {corpus.slug}",
            )
            jobs.create("survey_corpus", **survey_job(corpus))
    corpus.refresh_from_db()
    return corpus


def ensure_starter_corpus() -> Corpus:
    """See to it that there is a starter corpus or a job that forges it; cheap when there is.

    A job that somebody cancelled stays cancelled; its page offers to go on.
    """
    corpus, _ = Corpus.objects.get_or_create(
        slug=STARTER,
        defaults={
            "title": "Starter corpus",
            "profile": "chain",
            "seed": 0,
            "levels": list(STANDARD_LEVELS),
            "genres": ["maritime"],
            "family_count": _STARTER_FAMILIES,
        },
    )
    last = last_job(corpus)
    if not corpus.is_complete and (last is None or last.state != State.CANCELLED):
        jobs.create("forge_corpus", **forge_job(corpus))
    return corpus


def forge_job(corpus: Corpus) -> CorpusJob:
    """What the job that forges a corpus is called and given."""
    return {
        "payload": {"corpus_id": corpus.pk},
        "title": f"Forge the corpus {corpus.slug}",
        "key": corpus.job_key,
        "link": corpus.get_absolute_url(),
        "total": corpus.family_count,
    }


def survey_job(corpus: Corpus) -> CorpusJob:
    """What the job that surveys this corpus is called and given."""
    return {
        "payload": {"corpus_id": corpus.pk},
        "title": f"Survey the corpus {corpus.slug}",
        "key": corpus.survey_key,
        "link": corpus.get_absolute_url(),
        "total": None,
    }


def last_job(corpus: Corpus) -> Job | None:
    """Return the job that forges this corpus, or did last."""
    return Job.objects.filter(kind="forge_corpus", key=corpus.job_key).first()


def _checked_levels(profile: str, levels: Sequence[str]) -> list[str]:
    """The levels in order, each once; the standard ones when none is named."""
    chosen = sorted(set(levels or STANDARD_LEVELS))
    for level in chosen:
        level_spec(profile, level)
    return chosen


def _checked_genres(genres: Sequence[str]) -> list[str]:
    """The genres in the order of their names, each once."""
    known = known_genres()
    for genre in genres:
        if genre not in known:
            raise BadInput("genre", genre, f"one of {', '.join(known)}")
    return sorted(set(genres or known))


def _checked_burials(burials: Sequence[int]) -> list[int]:
    """The burials in order, each once."""
    for burial in burials:
        if not 0 <= burial <= MAX_BURIAL:
            raise BadInput("burial", burial, f"a whole number from 0 to {MAX_BURIAL}")
    return sorted(set(burials))


def _checked_narrator(narrator: str, burials: Sequence[int]) -> str:
    if narrator not in NARRATORS:
        raise BadInput("narrator", narrator, " or ".join(NARRATORS))
    if narrator == "chat" and not burials:
        raise BadInput("narrator", narrator, "seeded, or a burial at which it tells stories")
    return narrator
