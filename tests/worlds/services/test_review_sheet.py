"""What a reviewer is shown: the report, what refutes it, what it would cost, and its record."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User

from tests.worlds.builders import OrderCorpus
from worlds import services
from worlds.models import Corpus, ReviewItem, Said, Standing
from worlds.services.instances import world_of
from worlds.services.review_assigning import assign_items
from worlds.services.review_progress import Progress, ReviewerShare, progress_of
from worlds.services.review_sheet import ReviewSheet, sheet_of
from worlds.services.reviewing import Anchor, comment_on, content_of, decide, find_quote

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _items(corpus: Corpus, **fields: str) -> list[ReviewItem]:
    rows = corpus.review_items.select_related("corpus", "family", "instance")
    return list(rows.filter(**fields))


def _sheet(item: ReviewItem) -> ReviewSheet:
    return sheet_of(item, content_of(item), item.entries.select_related("author"))


def test_a_false_report_is_shown_with_its_refutation(corpus: Corpus) -> None:
    for item in _items(corpus, kind="false"):
        sheet, content = _sheet(item), content_of(item)
        world = world_of(item.family)
        unit = next(each for each in world.units if each.id == item.unit)
        proof = next(p for p in item.family.certificate["distractors"] if p["unit"] == item.unit)
        assert unit.hypothesis is not None
        assert sheet.hypothesis == unit.hypothesis.describe(world.mark_of)
        assert [clue.unit for clue in sheet.core] == proof["refuted_by"]
        assert [bridge.id for bridge in sheet.bridges] == proof.get("with_bridges", [])
        texts = {document.number: document.text for document in content.documents}
        assert all(clue.clause in texts[clue.paper] for clue in sheet.core)
        assert sheet.bait is not None
        assert len(sheet.bait.changes) == proof["bait"]["facts_changed"] == len(sheet.witness)
        assert sheet.bait.action_changed == (sheet.bait.action != sheet.true_action)


def test_an_idle_report_has_neither_refutation_nor_bait(corpus: Corpus) -> None:
    for item in _items(corpus, kind="idle"):
        sheet = _sheet(item)
        assert (sheet.core, sheet.bridges, sheet.witness, sheet.bait) == ((), (), (), None)
        assert [paper.has_hedged for paper in sheet.shown] == [True]


def test_the_papers_are_the_whole_record_with_the_reported_one_first(corpus: Corpus) -> None:
    for item in _items(corpus):
        sheet, content = _sheet(item), content_of(item)
        shown, others = sheet.shown, sheet.others
        assert shown[0].has_hedged
        assert shown[0].number == sheet.paper
        texts = {p.id: "".join(piece.text for piece in p.pieces) for p in (*shown, *others)}
        assert texts == {document.id: document.text for document in content.documents}
        lit = {piece.unit for paper in shown for piece in paper.pieces if piece.unit}
        assert lit == {item.unit, *(clue.unit for clue in sheet.core)}
        assert not any(piece.unit for paper in others for piece in paper.pieces)


def test_comments_stand_at_their_place_and_cut_no_clause_short(corpus: Corpus, owner: User) -> None:
    item = _items(corpus, kind="false")[0]
    content = content_of(item)
    whole, part = find_quote(content, ""), content.start + 4
    inner = Anchor(content.document.id, part, part + 6, "")
    for anchor in (inner, whole):
        comment_on(item, author=owner, text="Here.", anchor=anchor, seen=content.sha256, now=NOON)
    sheet = _sheet(item)
    assert [(note.number, note.entry.quote) for note in sheet.notes] == [
        (1, content.clause),
        (2, content.clause[4:10]),
    ]
    pieces = [piece for piece in sheet.shown[0].pieces if piece.unit == item.unit]
    assert "".join(piece.text for piece in pieces) == content.clause
    assert [(piece.text, piece.notes, piece.ending) for piece in pieces] == [
        (content.clause[:4], (1,), ()),
        (content.clause[4:10], (1, 2), (2,)),
        (content.clause[10:], (1,), (1,)),
    ]
    assert [piece.label for piece in pieces] == [item.unit, "", ""]


def test_comments_on_another_text_are_not_placed(corpus: Corpus, owner: User) -> None:
    item = _items(corpus)[0]
    content = content_of(item)
    comment_on(
        item, author=owner, text="Here.", anchor=find_quote(content, ""), seen=content.sha256,
        now=NOON,
    )  # fmt: skip
    item.instance.sha256 = "f" * 64
    assert _sheet(item).notes == ()


def _decide(item: ReviewItem, person: User, said: Said) -> None:
    seen = content_of(item).sha256
    decide(item, reviewer=person, said=said, reason="Plain.", seen=seen, now=NOON)


def _progress(corpus: Corpus) -> Progress:
    return progress_of(Corpus.objects.get(pk=corpus.pk))


def test_progress_of_a_corpus_nobody_has_judged(corpus: Corpus) -> None:
    progress = _progress(corpus)
    total = corpus.review_items.count()
    assert (progress.total, progress.open) == (total, total)
    assert progress.standing[Standing.UNDECIDED] == total
    assert sum(progress.standing.values()) == total
    assert progress.reviewers == ()
    assert progress.agreement.why == "Nobody has decided anything yet."


def test_progress_counts_people_and_their_last_decisions(corpus: Corpus, owner: User) -> None:
    ada, ben = (User.objects.create_user(name) for name in ("ada", "ben"))
    assign_items(corpus, reviewers=[ada], each=1, assigned_by=owner)
    first, second, *rest = _items(corpus)
    for said in (Said.REJECT, Said.APPROVE):
        _decide(first, ada, said)
    _decide(first, ben, Said.APPROVE)
    _decide(second, ada, Said.APPROVE)
    _decide(second, ben, Said.REJECT)
    progress = _progress(corpus)
    assert progress.standing[Standing.APPROVED] == 1
    assert progress.standing[Standing.DISPUTED] == 1
    total = len(rest) + 2
    assert progress.reviewers == (
        ReviewerShare("ada", asked=total, asked_and_judged=2, judged=2, comments=0),
        ReviewerShare("ben", asked=0, asked_and_judged=0, judged=2, comments=0),
    )
    assert progress.reviewers[0].left == total - 2
    assert (progress.agreement.items, progress.agreement.unanimous) == (2, 1)
    assert progress.agreement.alpha == pytest.approx(0.0)


def test_outdated_decisions_are_counted_for_nobody(corpus: Corpus) -> None:
    ada = User.objects.create_user("ada")
    item = _items(corpus)[0]
    _decide(item, ada, Said.APPROVE)
    item.instance.sha256 = "f" * 64
    item.instance.save()
    progress = _progress(corpus)
    assert progress.standing[Standing.OUTDATED] == 1
    assert progress.reviewers == ()
    assert progress.agreement.reviewers == 0


def test_a_story_is_one_paper_without_a_heading(order_corpus: OrderCorpus) -> None:
    corpus = order_corpus("tale", families=1)
    corpus.burials = [1]
    corpus.save()
    services.mint_missing(corpus, minter=services.minter_of(corpus))
    told = [item for item in _items(corpus) if item.instance.burial == 1]
    assert len(told) == corpus.families.get().distractor_count
    for item in told:
        sheet = _sheet(item)
        assert sheet.is_story
        assert [(p.channel, p.heading, p.has_hedged) for p in sheet.shown] == [("story", "", True)]
        assert sheet.others == ()
        lit = {piece.unit for piece in sheet.shown[0].pieces if piece.unit}
        assert lit == {item.unit, *(clue.unit for clue in sheet.core)}
