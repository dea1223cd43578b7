"""The database itself keeps out what is not proved, also from whoever writes SQL by hand.

An instance has no certificate of its own: it belongs to a family, and no family can be there, or
become one, whose certificate is not proved.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from tests.postgresql import assert_passes_on_postgresql
from worlds.models import Corpus, Family, Instance

_FAMILY, _INSTANCE = Family._meta.db_table, Instance._meta.db_table
_STATUSES = ["unknown", "refuted", "", "PROVED"]


def _execute(sql: str, *values: object) -> None:
    """Run SQL, and ask for the checks that wait for the end of a transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)
        connection.check_constraints()


def _row(table: str, where: str, *values: object) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} WHERE {where}", values)  # noqa: S608
        assert cursor.description is not None
        row = cursor.fetchone()
        assert row is not None
        return dict(zip((column[0] for column in cursor.description), row, strict=True))


def _insert(table: str, row: Mapping[str, Any]) -> None:
    columns = ", ".join(f'"{name}"' for name in row)
    holes = ", ".join(["%s"] * len(row))
    _execute(f"INSERT INTO {table} ({columns}) VALUES ({holes})", *row.values())  # noqa: S608


def _another_family(corpus: Corpus) -> dict[str, Any]:
    """The columns of a family that could be stored beside the first."""
    row = _row(_FAMILY, "corpus_id = %s AND place = 0", corpus.pk)
    fresh = {"id": 900, "place": 90, "family_id": "another", "fingerprint": "9" * 64}
    return {**row, **fresh}


def _another_instance(corpus: Corpus) -> dict[str, Any]:
    """The columns of an instance that could be stored beside the first."""
    row = _row(_INSTANCE, "corpus_id = %s ORDER BY id LIMIT 1", corpus.pk)
    return {**row, "id": 900, "sample_id": "another"}


def _with_status(row: Mapping[str, Any], status: str) -> str:
    """The certificate of a family, saying something else of itself."""
    return json.dumps({**json.loads(row["certificate"]), "status": status})


def test_a_family_and_an_instance_that_are_proved_are_stored(corpus: Corpus) -> None:
    _insert(_FAMILY, _another_family(corpus))
    _insert(_INSTANCE, {**_another_instance(corpus), "family_id": 900})
    assert Instance.objects.get(pk=900).family.certificate["status"] == "proved"


@pytest.mark.parametrize("status", _STATUSES)
def test_a_family_is_not_inserted_unproved(corpus: Corpus, status: str) -> None:
    with pytest.raises(IntegrityError, match="worlds_family_is_proved"):
        _insert(_FAMILY, {**_another_family(corpus), "certificate_status": status})


@pytest.mark.parametrize("status", _STATUSES)
def test_a_family_does_not_become_unproved_under_its_instances(corpus: Corpus, status: str) -> None:
    with pytest.raises(IntegrityError, match="worlds_family_is_proved"):
        _execute(f"UPDATE {_FAMILY} SET certificate_status = %s", status)  # noqa: S608
    assert not Instance.objects.exclude(family__certificate_status="proved").exists()


@pytest.mark.parametrize("status", _STATUSES)
def test_the_certificate_itself_must_say_proved(corpus: Corpus, status: str) -> None:
    row = _another_family(corpus)
    with pytest.raises(IntegrityError, match="worlds_family_certificate_is_proved"):
        _insert(_FAMILY, {**row, "certificate": _with_status(row, status)})


@pytest.mark.parametrize("certificate", ["{}", '{"status": null}', "null", "[]", '"proved"'])
def test_a_certificate_that_says_nothing_is_refused(corpus: Corpus, certificate: str) -> None:
    with pytest.raises(IntegrityError, match="worlds_family_certificate_is_proved"):
        _insert(_FAMILY, {**_another_family(corpus), "certificate": certificate})


def test_an_instance_is_not_inserted_without_a_proved_family(corpus: Corpus) -> None:
    with pytest.raises(IntegrityError):
        _insert(_INSTANCE, {**_another_instance(corpus), "family_id": 900})


def test_an_instance_is_not_inserted_without_any_family(corpus: Corpus) -> None:
    with pytest.raises(IntegrityError):
        _insert(_INSTANCE, {**_another_instance(corpus), "family_id": None})


def test_a_family_is_not_taken_away_from_its_instances(corpus: Corpus) -> None:
    with pytest.raises(IntegrityError):
        _execute(f"DELETE FROM {_FAMILY}")  # noqa: S608
    assert Instance.objects.count() == 10


@pytest.mark.slow
def test_all_of_this_holds_on_postgresql() -> None:
    if connection.vendor == "sqlite":
        assert_passes_on_postgresql(Path(__file__))
