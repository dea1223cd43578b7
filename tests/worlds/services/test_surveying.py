"""A stored corpus is surveyed once, by a job, and shown to each reader as far as he may see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from enigmaforge_site.jobs.models import Job, State
from tests.worlds.builders import OrderCorpus, fill
from worlds import services
from worlds.core.errors import BadInput
from worlds.core.prose.survey import FORMAT, GROUPS, Figure, survey
from worlds.models import Corpus, CorpusSurvey
from worlds.services.surveying import SurveyGroup


def test_a_complete_corpus_is_surveyed_by_a_job(
    corpus: Corpus, run_jobs: Callable[[], int]
) -> None:
    assert services.survey_page(corpus, with_truth=True) is None
    job = Job.objects.get(kind="survey_corpus")
    assert job.link == corpus.get_absolute_url()
    run_jobs()
    job.refresh_from_db()
    assert job.state == State.DONE
    kept = CorpusSurvey.objects.get(corpus=corpus)
    assert kept.corpus_sha256 == corpus.sha256
    assert kept.report["format"] == FORMAT


def test_what_is_kept_is_what_the_core_finds_in_all_instances(corpus: Corpus) -> None:
    instances = [services.instance_of(row) for row in corpus.instances.with_truth().order_by("pk")]
    assert services.survey_corpus(corpus).report == survey(instances).payload()
    assert services.survey_now(corpus) == survey(instances)


def test_a_second_survey_takes_the_place_of_the_first(corpus: Corpus) -> None:
    first = services.survey_corpus(corpus)
    assert services.survey_corpus(corpus).pk == first.pk


def test_what_is_computed_touches_no_database(corpus: Corpus) -> None:
    asked = []

    def compute(work: Callable[[], object]) -> object:
        with CaptureQueriesContext(connection) as queries:
            found = work()
        asked.append(len(queries))
        return found

    services.survey_corpus(corpus, compute=compute)  # type: ignore[arg-type]
    assert asked == [0]


def test_an_incomplete_corpus_is_not_surveyed(order_corpus: OrderCorpus) -> None:
    with pytest.raises(BadInput, match="complete"):
        services.survey_corpus(order_corpus())


def test_a_visitor_sees_repetition_alone(corpus: Corpus) -> None:
    services.survey_corpus(corpus)
    page = services.survey_page(corpus, with_truth=False)
    assert page is not None
    assert [group.key for group in page.groups] == ["repetition"]
    full = services.survey_page(corpus, with_truth=True)
    assert full is not None
    assert [group.key for group in full.groups] == [
        key for key in GROUPS if key not in ("cost", "stories")
    ]


def test_a_survey_of_other_content_is_not_shown(corpus: Corpus) -> None:
    services.survey_corpus(corpus)
    CorpusSurvey.objects.update(corpus_sha256="0" * 64)
    assert services.survey_page(corpus, with_truth=True) is None


def test_cost_is_told_of_large_records_alone(corpus: Corpus) -> None:
    assert services.cost_figure(corpus) is None
    corpus.families.update(level="L05")
    figure = services.cost_figure(corpus)
    assert figure is not None
    assert figure.found > 0
    assert figure.ok is not None


def _figure(name: str, of: str, ok: bool | None) -> Figure:
    return Figure("repetition", name, of, 1.0, "count", "at least 1", ok)


def test_figures_of_the_same_things_stand_in_one_table() -> None:
    figures = (
        _figure("skeletons", "hotel", ok=True),
        _figure("commonest", "hotel", ok=None),
        _figure("skeletons", "manor", ok=False),
        _figure("commonest", "manor", ok=None),
        _figure("twins", "", ok=True),
    )
    genres, whole = SurveyGroup("repetition", "Repetition", figures, ()).goals
    assert genres.columns == ("hotel", "manor")
    assert [(row.name, row.judged, row.missed) for row in genres.rows] == [
        ("skeletons", ("hotel", "manor"), ("manor",)),
        ("commonest", (), ()),
    ]
    assert (whole.columns, [row.name for row in whole.rows]) == (("",), ["twins"])


def test_every_figure_of_a_survey_stands_in_a_table(corpus: Corpus) -> None:
    services.survey_corpus(corpus)
    page = services.survey_page(corpus, with_truth=True)
    assert page is not None
    for group in page.groups:
        shown = [f for table in group.goals for row in table.rows for f in row.figures]
        assert len(shown) == len(group.figures)
        assert all(len(row.figures) == len(t.columns) for t in group.goals for row in t.rows)


def test_stories_of_a_corpus_are_surveyed_beside_its_papers(corpus: Corpus) -> None:
    told = services.create_corpus(
        "told", seed=7, families=2, levels=["L00"], genres=["maritime"], burials=[2]
    )
    fill(told, services.minter_of(told))
    services.survey_corpus(told)
    page = services.survey_page(told, with_truth=True)
    assert page is not None
    assert (page.records, page.stories) == (4, 2)
    assert "stories" in [group.key for group in page.groups]
    assert services.survey_now(told).records == services.survey_now(corpus).records
