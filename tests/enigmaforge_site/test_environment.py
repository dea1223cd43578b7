"""A wrong setting stops the start and says which one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from enigmaforge_site.environment import Environment

SQLITE = "django.db.backends.sqlite3"


def _environment(**variables: str) -> Environment:
    return Environment({f"ENIGMAFORGE_{name}": value for name, value in variables.items()})


@pytest.mark.parametrize(
    ("found", "expected"), [("1", True), ("Yes", True), ("off", False), ("FALSE", False)]
)
def test_flag_reads_the_usual_words(found: str, expected: bool) -> None:
    assert _environment(DEBUG=found).flag("DEBUG", default=not expected) is expected


@pytest.mark.parametrize("default", [True, False])
def test_an_empty_variable_counts_as_unset(default: bool) -> None:
    assert _environment(DEBUG="").flag("DEBUG", default=default) is default


def test_names_drop_blanks() -> None:
    found = _environment(ALLOWED_HOSTS=" a.example , ,b.example").names("ALLOWED_HOSTS")
    assert found == ["a.example", "b.example"]


def test_database_defaults_to_sqlite_at_an_absolute_path() -> None:
    found = _environment().database("DATABASE_URL", Path("/srv/my forge/x.sqlite3"))
    assert found == {"ENGINE": SQLITE, "NAME": "/srv/my forge/x.sqlite3", "OPTIONS": {}}


def test_database_reads_a_postgres_address() -> None:
    url = "postgres://ada:p%40ss@db.example:5433/forge?sslmode=require"
    assert _environment(DATABASE_URL=url).database("DATABASE_URL", Path("/x")) == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "forge",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    ("variables", "ask", "sentence"),
    [
        (
            {"DEBUG": "maybe"},
            lambda e: e.flag("DEBUG", default=False),
            "ENIGMAFORGE_DEBUG is 'maybe'; expected 1 or 0 (true/false, yes/no, on/off).",
        ),
        (
            {"UPLOAD_LIMIT_MB": "٣"},
            lambda e: e.number("UPLOAD_LIMIT_MB", 5, least=1, most=9),
            "ENIGMAFORGE_UPLOAD_LIMIT_MB is '٣'; expected a whole number from 1 to 9.",
        ),
        (
            {"UPLOAD_LIMIT_MB": "10"},
            lambda e: e.number("UPLOAD_LIMIT_MB", 5, least=1, most=9),
            "ENIGMAFORGE_UPLOAD_LIMIT_MB is '10'; expected a whole number from 1 to 9.",
        ),
        (
            {"VAR": __file__},
            lambda e: e.folder("VAR", Path("/x")),
            f"ENIGMAFORGE_VAR is '{__file__}'; expected a folder.",
        ),
        (
            {"TRUSTED_ORIGINS": "a.b"},
            lambda e: e.origins("TRUSTED_ORIGINS"),
            "ENIGMAFORGE_TRUSTED_ORIGINS is 'a.b'; expected origins such as https://forge.example.org.",
        ),
    ],
)
def test_a_wrong_value_is_named_with_what_was_expected(
    variables: dict[str, str], ask: Any, sentence: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as error:
        ask(_environment(**variables))
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "url", ["mysql://h/n", "postgres://h", "sqlite:///x", "postgres://h:port/n", "http://[bad"]
)
def test_an_address_of_no_known_database_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="expected sqlite:////absolute/path or postgres"):
        _environment(DATABASE_URL=url).database("DATABASE_URL", Path("/x"))


@pytest.mark.parametrize("url", ["amqp://h", "redis://", "filesystem://", "fsqueue"])
def test_an_address_of_no_known_broker_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="expected fsqueue:// or redis://"):
        _environment(BROKER_URL=url).broker("BROKER_URL", "fsqueue://localhost")


def test_a_refused_address_is_shown_without_its_password() -> None:
    with pytest.raises(ImproperlyConfigured) as error:
        _environment(DATABASE_URL="mysql://ada:secret@h/n").database("DATABASE_URL", Path("/x"))
    assert "secret" not in str(error.value)
    assert "mysql://…@h/n" in str(error.value)


def test_a_misspelt_variable_is_refused_with_the_nearest_name() -> None:
    environment = _environment(DATABSE_URL="postgres://h/n")
    environment.database("DATABASE_URL", Path("/x"))
    with pytest.raises(ImproperlyConfigured, match="did you mean ENIGMAFORGE_DATABASE_URL"):
        environment.refuse_unknown()
