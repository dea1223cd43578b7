"""Trying a world: what is asked for, forged once, kept for a while."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from worlds import services
from worlds.core.codec import encode_instance
from worlds.core.errors import BadInput
from worlds.core.ids import FamilyId, InstanceId
from worlds.core.mint import mint
from worlds.models import Trial
from worlds.services.trying import FamilyTrial, Work, key_of_trial

MARITIME = FamilyId("chain", "L00", "maritime", 7)
MANOR = FamilyId("chain", "L00", "manor", 7)
PAPERS = InstanceId(MARITIME, "implicit")
STORY = InstanceId(MARITIME, "implicit", burial=1)


def _wanted(*families: FamilyId, **chosen: object) -> list[str]:
    surfaces = {"conditions": ["implicit"], "realizations": [1], "burials": [None]} | chosen
    return [str(i) for i in services.surfaces_wanted(families, **surfaces)]  # type: ignore[arg-type]


def _tried(*wanted: InstanceId) -> Trial:
    return services.try_families(services.open_trial(wanted))


def test_every_combination_is_wanted_once() -> None:
    both = _wanted(MARITIME, conditions=["implicit", "formal"], burials=[None, 3])
    assert both == [f"{MARITIME}-imp1", f"{MARITIME}-frm1", f"{MARITIME}-imp1-b3"]
    assert _wanted(MARITIME, MANOR) == [f"{MARITIME}-imp1", f"{MANOR}-imp1"]
    assert _wanted(MANOR, realizations=[2], deferred=True) == [f"{MANOR}-imp2-d"]
    assert _wanted() == []


@pytest.mark.parametrize(
    ("family", "chosen", "field"),
    [
        (MARITIME, {"realizations": [1, 2, 3, 4, 5]}, "surfaces"),
        (FamilyId("chain", "L77", "maritime", 7), {}, "level"),
        (FamilyId("loud", "L00", "maritime", 7), {}, "profile"),
    ],
)
def test_what_cannot_be_had_is_named(
    family: FamilyId, chosen: dict[str, object], field: str
) -> None:
    with pytest.raises(BadInput) as refused:
        _wanted(family, **chosen)
    assert refused.value.field == field


def test_a_request_is_found_by_what_it_asks() -> None:
    assert key_of_trial([PAPERS, STORY]) == key_of_trial([PAPERS, STORY])
    assert (
        len({key_of_trial(w) for w in ([PAPERS], [STORY], [STORY, PAPERS], [PAPERS, STORY])}) == 4
    )


@pytest.mark.django_db
def test_a_trial_holds_what_its_ids_reproduce() -> None:
    trial = _tried(PAPERS, STORY)
    assert services.find_trial([PAPERS, STORY]) == trial
    assert services.find_trial([STORY]) is None
    found = services.tried_surfaces(Trial.objects.get())
    assert list(found) == [str(PAPERS), str(STORY)]
    for instance in (PAPERS, STORY):
        surface = found[str(instance)]
        assert surface.instance == mint(instance)
        assert services.tried_json(trial, str(instance)) == encode_instance(mint(instance))
        assert surface.repetition is not None
        assert surface.repetition.words == len(mint(instance).prompt.split())
        assert surface.seconds > 0
    assert trial.families[str(MARITIME)]["seconds"] > 0
    assert trial.families[str(MARITIME)]["attempts"] >= 1
    assert trial.finished is not None


@pytest.mark.django_db
def test_the_same_request_is_the_same_row() -> None:
    assert services.open_trial([PAPERS]).pk == services.open_trial([PAPERS]).pk
    assert services.open_trial([STORY]).pk != services.open_trial([PAPERS]).pk


@pytest.mark.django_db
def test_a_trial_goes_on_after_the_families_it_has() -> None:
    trial = services.open_trial([PAPERS, InstanceId(MANOR, "implicit")])
    asked: list[str] = []

    def do(family: str, work: Work) -> FamilyTrial:
        asked.append(family)
        if len(asked) == 2:
            raise InterruptedError
        return work()

    with pytest.raises(InterruptedError):
        services.try_families(trial, do=do)
    kept = Trial.objects.get()
    assert (list(kept.families), kept.finished) == ([str(MARITIME)], None)
    services.try_families(kept, do=do)
    assert asked == [str(MARITIME), str(MANOR), str(MANOR)]


@pytest.mark.django_db
def test_a_family_is_not_kept_when_the_job_must_stop() -> None:
    trial = services.open_trial([PAPERS])

    def stop(done: int, total: int) -> None:
        assert (done, total) == (1, 1)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        services.try_families(trial, on_stored=stop)
    assert Trial.objects.get().families == {}


@pytest.mark.django_db
def test_a_lost_family_keeps_its_reason_and_spoils_no_other() -> None:
    trial = services.open_trial([PAPERS, InstanceId(MANOR, "implicit")])

    def do(family: str, work: Work) -> FamilyTrial:
        lost: FamilyTrial = {"family": {"reason": "no world", "seconds": 0.1}, "surfaces": {}}
        return lost if family == str(MARITIME) else work()

    services.try_families(trial, do=do)
    assert trial.families[str(MARITIME)]["reason"] == "no world"
    assert list(services.tried_surfaces(trial)) == [f"{MANOR}-imp1"]
    assert services.tried_json(trial, str(PAPERS)) is None


@pytest.mark.django_db
def test_old_trials_are_forgotten() -> None:
    now = timezone.now()
    for number in range(103):
        Trial.objects.create(key=f"new {number}", wanted=[], finished=now)
    Trial.objects.create(key="waiting", wanted=[])
    Trial.objects.create(key="old", wanted=[], created=now - timedelta(days=8))
    services.forget_old_trials()
    kept = set(Trial.objects.values_list("key", flat=True))
    assert kept == {"waiting", *(f"new {number}" for number in range(3, 103))}
