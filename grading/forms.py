"""What people may send: the upload form, and the filters and orders of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.files import File
from django.http import QueryDict

from grading.core.diagnose import Kind
from grading.core.statuses import Status
from grading.models import CONTRADICTED, Outcome
from grading.services.names import MAX_MODEL_NAME
from grading.services.receiving import MOST_FILES
from worlds.core.errors import BadInput
from worlds.core.ids import CONDITIONS
from worlds.models import Corpus

__all__ = [
    "Choice",
    "FilesForm",
    "Filter",
    "JoinForm",
    "SolverChoice",
    "UploadForm",
    "comparison_filter",
    "figure_filter",
    "instance_filter",
    "record_filter",
]

ALL_CONDITIONS = "all"

_MOST_NAMED = 3

_ALL_FILES = "All files of the run together: a batch's output and its errors, for instance."


class _ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class _FilesField(forms.FileField):
    """One or more files, none of them empty."""

    widget = _ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[File[bytes]]:
        """Check each file by itself."""
        each = data if isinstance(data, list | tuple) and data else [data]
        if len(each) > MOST_FILES:
            raise forms.ValidationError(f"At most {MOST_FILES} files; these are {len(each)}.")
        return [super(_FilesField, self).clean(file, initial) for file in each]


class FilesForm(forms.Form):
    """Files of one run of one model. What is in them is for the import to say."""

    replies = _FilesField(
        label="Files",
        help_text="Only what was forgotten: the files that are here are read again by themselves.",
        error_messages={
            "required": "Found no file; expected one or more.",
            "empty": "This file is empty; expected one reply per line.",
        },
    )

    def refuse(self, error: BadInput) -> None:
        """Show a refusal of the service at the field it is about."""
        name = {"files": "replies"}.get(error.field, error.field)
        self.add_error(
            name if name in self.fields else None,
            f"Found {error.found!r}; expected {error.expected}.",
        )


class UploadForm(FilesForm):
    """The replies of one run, and whose replies to what they are."""

    field_order = ("corpus", "model", "replies")

    corpus = forms.ModelChoiceField(
        queryset=Corpus.objects.none(),
        to_field_name="slug",
        empty_label=None,
        help_text="The corpus whose prompts the model was given.",
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Expected one of the complete corpora in the list."
        ),
    )
    model = forms.CharField(
        max_length=MAX_MODEL_NAME,
        help_text="As it shall stand on the leaderboard. Case and outer space make no difference.",
        error_messages={"required": "Found nothing; expected the name of the model."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["replies"].help_text = _ALL_FILES
        corpora = self.fields["corpus"]
        assert isinstance(corpora, forms.ModelChoiceField)
        corpora.queryset = Corpus.objects.published()


class JoinForm(forms.Form):
    """Taking part as a solver: a name for whoever wants one, and consent."""

    name = forms.CharField(
        max_length=MAX_MODEL_NAME,
        required=False,
        help_text="Left empty, you get a random label. It cannot be changed later.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    agreed = forms.BooleanField(
        label="I have read this and agree",
        error_messages={"required": "Nobody solves here without having agreed to it."},
    )

    def refuse(self, error: BadInput) -> None:
        """Show a refusal of the service at the name."""
        self.add_error("name", f"Found {error.found!r}; expected {error.expected}.")


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that a list can be narrowed by: its options are value and label.

    `blank` are the words for no choice; without them one of the options is always chosen, at first
    `value`.
    """

    name: str
    label: str
    options: Sequence[tuple[str, str]]
    value: str = ""
    blank: str = "Any"


@dataclass(frozen=True)
class Filter:
    """The choices made in a query string; a value that makes no sense is named and ignored."""

    choices: Sequence[Choice]
    page: str = "1"
    complaints: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, offered: Sequence[Choice], query: QueryDict) -> Filter:
        """Read the choices that are offered from a query string."""
        made, complaints = [], []
        for choice in offered:
            value = query.get(choice.name) or choice.value
            allowed = dict(choice.options)
            if value and value not in allowed:
                shown = value if len(value) <= 40 else value[:39] + "…"
                complaints.append(
                    f"{choice.label}: “{shown}” is no choice here; expected "
                    f"{' or '.join(allowed) or 'none'}. It is left out."
                )
                value = choice.value
            made.append(replace(choice, value=value))
        return cls(made, query.get("page", "1"), complaints)

    @property
    def chosen(self) -> Mapping[str, str]:
        """What was chosen, by name."""
        return {choice.name: choice.value for choice in self.choices if choice.value}

    @property
    def query(self) -> str:
        """The choices as part of a query string that ends with `&`, or nothing."""
        return f"{urlencode(self.chosen)}&" if self.chosen else ""


@dataclass(frozen=True)
class SolverChoice:
    """Solvers picked by their keys in a report, as `m=` of a query string, in the order given.

    A key that the report does not have is named and left out, and so is what is too many.
    """

    offered: Mapping[str, str]
    keys: tuple[str, ...]
    complaints: tuple[str, ...] = ()

    @classmethod
    def of(cls, offered: Mapping[str, str], query: QueryDict, *, most: int) -> SolverChoice:
        """Read the choice; `offered` gives each key its label."""
        asked = dict.fromkeys(query.getlist("m"))
        known = [key for key in asked if key in offered]
        unknown = [key for key in asked if key not in offered]
        complaints = [
            f"The report has no solver “{key if len(key) <= 40 else key[:39] + '…'}”."
            for key in unknown[:_MOST_NAMED]
        ]
        if len(unknown) > _MOST_NAMED:
            complaints.append(f"{len(unknown) - _MOST_NAMED} more solvers are not in the report.")
        if len(known) > most:
            complaints.append(f"{len(known)} solvers were chosen; the first {most} are taken.")
        return cls(offered, tuple(known[:most]), tuple(complaints))

    @property
    def boxes(self) -> list[tuple[str, str, bool]]:
        """Key, label and whether it is chosen, for each solver that is offered."""
        return [(key, label, key in self.keys) for key, label in self.offered.items()]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The choice as parameters of a query string."""
        return [("m", key) for key in self.keys]


def record_filter(corpus: Corpus, query: QueryDict, *, truth: bool) -> Filter:
    """The filter of a submission's records; only who may see the truth narrows by diagnosis."""
    found = [*(kind.value for kind in Kind), CONTRADICTED]
    findings = [Choice("finding", "Diagnosis", [(name, name) for name in found])]
    return Filter.of(
        (
            Choice("status", "Status", [(s.value, s.value) for s in Status]),
            Choice("condition", "Condition", [(c, c) for c in sorted(CONDITIONS.values())]),
            Choice("level", "Level", [(level, level) for level in corpus.levels]),
            Choice("outcome", "Outcome", Outcome.choices),
            *(findings if truth else ()),
        ),
        query,
    )


def figure_filter(conditions: Sequence[str], query: QueryDict) -> Filter:
    """What figures are drawn over, beside the choice of solvers."""
    return Filter.of(
        (
            Choice(
                "condition",
                "Condition of F1 and map",
                [(condition, condition) for condition in conditions],
                blank="All",
            ),
            Choice(
                "status",
                "Status on the map",
                [(status.value, status.value) for status in Status],
                blank="Missing mass",
            ),
        ),
        query,
    )


def comparison_filter(query: QueryDict) -> Filter:
    """Over which condition solvers are compared: at first over the one that boards rank by."""
    conditions = [(condition, condition) for condition in sorted(CONDITIONS.values())]
    options = [*conditions, (ALL_CONDITIONS, "all conditions")]
    return Filter.of(
        (Choice("condition", "Condition", options, value="implicit", blank=""),), query
    )


def instance_filter(corpus: Corpus, query: QueryDict) -> Filter:
    """The filter of the instances that a person may choose from."""
    return Filter.of(
        (
            Choice("level", "Level", [(level, level) for level in corpus.levels]),
            Choice("condition", "Condition", [(c, c) for c in sorted(CONDITIONS.values())]),
            Choice("genre", "Genre", [(genre, genre) for genre in corpus.genres]),
        ),
        query,
    )
