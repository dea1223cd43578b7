"""Whatever is changed in an instance, verification says where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from worlds import services
from worlds.core.instance import Instance
from worlds.models import Corpus
from worlds.models import Instance as Row
from worlds.services.instances import instance_of


@pytest.fixture
def instance(implicit: Row) -> Instance:
    return instance_of(implicit)


def _checks(instance: Instance) -> set[str]:
    return {finding.check for finding in services.verify_instance(instance).findings}


def test_minted_instances_hold(corpus: Corpus) -> None:
    for row in corpus.instances.with_truth():
        verified = services.verify_instance(instance_of(row))
        assert (verified.id, verified.findings, verified.note) == (row.sample_id, (), "")


def test_changed_certificate_is_named(instance: Instance) -> None:
    certificate = {**instance.certificate, "inference": {"facts": 1}}
    found = services.verify_instance(replace(instance, certificate=certificate)).findings
    assert {finding.check for finding in found} == {"certificate"}
    assert "inference" in str(found[0])


def test_changed_fingerprint_is_named(instance: Instance) -> None:
    assert _checks(replace(instance, fingerprint="0" * 64)) == {"fingerprint"}


def test_changed_prompt_is_named(instance: Instance) -> None:
    assert _checks(replace(instance, prompt="Once. " + instance.prompt)) == {"prompt"}


def test_prompt_without_its_contract_is_named(instance: Instance) -> None:
    found = services.verify_instance(replace(instance, prompt=instance.prompt[:-1])).findings
    assert "does not end with the answer contract" in {finding.message for finding in found}


def test_moved_span_is_named(instance: Instance) -> None:
    place = next(i for i, document in enumerate(instance.documents) if document.spans)
    document = instance.documents[place]
    moved = replace(document.spans[0], end=document.spans[0].end - 1)
    documents = list(instance.documents)
    documents[place] = replace(document, spans=(moved, *document.spans[1:]))
    assert _checks(replace(instance, documents=tuple(documents))) == {"gate"}


def test_formal_prompt_that_says_something_else_is_named(corpus: Corpus) -> None:
    row = corpus.instances.with_truth().in_condition("formal")[0]
    instance = instance_of(row)
    _, _, constraints = instance.prompt.partition("CONSTRAINTS\n")
    line = constraints.partition("\n")[0]
    found = services.verify_instance(
        replace(instance, prompt=instance.prompt.replace(line + "\n", ""))
    ).findings
    assert "its constraints are not the clues" in {finding.message for finding in found}


def test_another_generators_wording_is_not_read_back(instance: Instance) -> None:
    text = instance.documents[0].text
    other = "Zebra " + text
    shifted = tuple(
        replace(span, start=span.start + 6, end=span.end + 6)
        for span in instance.documents[0].spans
    )
    foreign = replace(
        instance,
        source_sha256="0" * 64,
        prompt=instance.prompt.replace(text, other),
        documents=(
            replace(instance.documents[0], text=other, spans=shifted),
            *instance.documents[1:],
        ),
    )
    verified = services.verify_instance(foreign)
    assert verified.findings == ()
    assert verified.note


def test_another_generators_missing_span_is_named(instance: Instance) -> None:
    documents = tuple(replace(document, spans=()) for document in instance.documents)
    foreign = replace(instance, source_sha256="0" * 64, documents=documents)
    assert _checks(foreign) == {"spans"}


def test_complete_corpus_holds(corpus: Corpus) -> None:
    verified = list(services.verify_corpus(corpus))
    assert len(verified) == 2 + 10 + 1
    assert [each for each in verified if each.findings] == []


def test_row_that_was_changed_in_the_database_is_named(corpus: Corpus, implicit: Row) -> None:
    Row.objects.filter(pk=implicit.pk).update(prompt=implicit.prompt + " ")
    failed = {each.id for each in services.verify_corpus(corpus) if each.findings}
    assert failed == {implicit.sample_id}


def test_truth_that_was_changed_in_the_database_is_named(corpus: Corpus, implicit: Row) -> None:
    family = implicit.family
    family.truth["solution"] = {}
    family.save()
    failed = {each.id: each.findings[0].check for each in services.verify_corpus(corpus)
              if each.findings}  # fmt: skip
    assert failed == {family.family_id: "truth"}


def test_incomplete_corpus_is_named(corpus: Corpus) -> None:
    corpus.families.filter(place=1).delete()
    last = list(services.verify_corpus(corpus))[-1]
    assert [str(finding) for finding in last.findings] == ["families: 1 of 2 are missing"]


def test_wrong_hash_is_named(corpus: Corpus) -> None:
    corpus.sha256 = "0" * 64
    last = list(services.verify_corpus(corpus))[-1]
    assert [finding.check for finding in last.findings] == ["sha256"]
