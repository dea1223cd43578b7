"""What people may type: the forge form, the filter of a corpus page, the form to try a world."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from worlds import services
from worlds.core.errors import BadInput
from worlds.core.ids import CONDITIONS, MAX_BURIAL, MAX_REALIZATION, FamilyId, InstanceId
from worlds.core.levels import available_levels, available_profiles
from worlds.core.packs import genres as known_genres
from worlds.core.seeds import MAX_SEED
from worlds.models import MOST_APPROVALS, Corpus

__all__ = ["CorpusForm", "InstanceFilter", "TrialForm"]

_TRIED_LEVEL = "L02"
_NARRATORS = {"seeded": "the seed", "chat": "a chat model"}
_CONTRACTS = {"inline": "in the prompt", "deferred": "in a second turn"}
_PAPERS = "none"
_TOLD_AS = {_PAPERS: "papers", **{str(n): f"story, burial {n}" for n in range(MAX_BURIAL + 1)}}

# BadInput names what it is about; these are the fields that are called otherwise.
_FIELDS = {"name": "slug", "level": "levels", "genre": "genres", "burial": "burials"}


def _whole(least: int, most: int) -> dict[str, str]:
    """One sentence for all that can be wrong with a number."""
    sentence = f"Expected a whole number from {least} to {most}."
    return dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence)


def _sentence(error: BadInput) -> str:
    return f"Found {error.found!r}; expected {error.expected}."


def _offer(
    form: forms.Form,
    name: str,
    options: Mapping[str, str] | Sequence[str],
    *,
    initial: str | list[str],
) -> None:
    """Let a field be one of these values (with what each is called), and say so if it is not."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    called = options if isinstance(options, Mapping) else dict(zip(options, options, strict=True))
    field.choices = list(called.items())
    field.initial = initial
    allowed = " or ".join(called)
    field.error_messages |= {
        "required": f"Expected {allowed}.",
        "invalid_choice": f"Found %(value)s; expected {allowed}.",
    }


class CorpusForm(forms.Form):
    """The order for a corpus. Whether it can be forged is for the service to say.

    To estimate what it costs, the order needs no name yet.
    """

    slug = forms.CharField(
        label="Name",
        help_text="Small letters, digits and hyphens. It stands in the address: harbour-2.",
        error_messages={"required": "Expected a name."},
    )
    families = forms.IntegerField(
        min_value=1,
        max_value=services.MOST_FAMILIES,
        initial=24,
        help_text=f"1 to {services.MOST_FAMILIES}. Each comes in five surfaces: two explicit, "
        "two implicit, one formal; and in two more for each story.",
        error_messages=_whole(1, services.MOST_FAMILIES),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        required=False,
        help_text="The same seed, levels and genres give the same corpus, with the same hash. "
        "Left empty, a seed is drawn and shown with the corpus.",
        error_messages=_whole(0, MAX_SEED),
    )
    profile = forms.ChoiceField(
        help_text="chain: each fact follows from the one before. case: most need elimination.",
    )
    levels = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        help_text="Families take the levels in turn.",
    )
    genres = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    burials = forms.TypedMultipleChoiceField(
        label="Stories",
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Told as one account as well, explicit and implicit. Burial says how much story "
        "lies between the clauses: 0 hardly any, 5 ten sentences and more.",
    )
    narrator = forms.ChoiceField(
        label="Told by",
        required=False,
        help_text="A chat model is the one that the worker's environment names "
        "(ENIGMAFORGE_NARRATOR_URL); it gives another story, and another hash, each time.",
    )
    required_approvals = forms.IntegerField(
        label="Approvals",
        min_value=0,
        max_value=MOST_APPROVALS,
        initial=0,
        required=False,
        help_text="How many people must approve each distractor before the corpus is published. "
        "Until then visitors do not see it and it takes no uploads. 0: published when complete.",
        error_messages=_whole(0, MOST_APPROVALS),
    )

    def __init__(self, sent: QueryDict | None = None, *, named: bool = True) -> None:
        super().__init__(sent)
        self.fields["slug"].required = named
        profiles = available_profiles()
        levels = sorted({level for profile in profiles for level in available_levels(profile)})
        genres = list(known_genres())
        _offer(self, "profile", profiles, initial=profiles[0])
        _offer(self, "levels", levels, initial=list(services.STANDARD_LEVELS))
        _offer(self, "genres", genres, initial=genres)
        burials = {str(burial): f"burial {burial}" for burial in range(MAX_BURIAL + 1)}
        _offer(self, "burials", burials, initial=[])
        _offer(self, "narrator", _NARRATORS, initial="seeded")

    def clean_slug(self) -> str:
        """Judge the name together with the other fields, not after them."""
        slug = str(self.cleaned_data["slug"])
        if not (slug or self.fields["slug"].required):
            return slug
        try:
            services.check_slug(slug)
        except BadInput as error:
            raise forms.ValidationError(_sentence(error)) from error
        return slug

    def clean_seed(self) -> int:
        """Draw a seed where none was given; 0 is a seed like any other."""
        seed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(MAX_SEED + 1) if seed is None else seed

    def clean_required_approvals(self) -> int:
        """Require none where nothing is said."""
        return self.cleaned_data["required_approvals"] or 0

    def clean_narrator(self) -> str:
        """Let the seed tell the stories where nobody is named."""
        return self.cleaned_data["narrator"] or "seeded"

    @property
    def estimate(self) -> services.Estimate | None:
        """What a checked order comes to, as far as it can be read; costs a query."""
        needed = ("families", "profile", "levels", "burials")
        if any(name not in self.cleaned_data for name in needed):
            return None
        return services.estimate_corpus(**{name: self.cleaned_data[name] for name in needed})

    def refuse(self, error: BadInput) -> None:
        """Show a refusal of the service at the field it is about."""
        name = _FIELDS.get(error.field, error.field)
        self.add_error(
            name if name in self.fields else None,
            _sentence(error),
        )


@dataclass
class InstanceFilter:
    """Which instances of a corpus to show; a value that makes no sense is named and ignored."""

    corpus: Corpus
    level: str = ""
    condition: str = ""
    genre: str = ""
    burial: str = ""
    page: str = "1"
    complaints: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, corpus: Corpus, query: QueryDict) -> InstanceFilter:
        """Read the filter from a query string."""
        chosen = cls(corpus, page=query.get("page", "1"))
        for name, allowed in chosen.options.items():
            value = query.get(name, "")
            if value in ("", *allowed):
                setattr(chosen, name, value)
            else:
                shown = value if len(value) <= 40 else value[:39] + "…"
                chosen.complaints.append(
                    f"{name}: “{shown}” is not in this corpus; expected {' or '.join(allowed)}."
                )
        return chosen

    @property
    def options(self) -> dict[str, list[str]]:
        """What each filter can be set to; burial only where there are stories."""
        told = [_PAPERS, *map(str, self.corpus.burials)] if self.corpus.burials else []
        return {
            "level": self.corpus.levels,
            "condition": sorted(CONDITIONS.values()),
            "genre": self.corpus.genres,
            **({"burial": told} if told else {}),
        }

    @property
    def fields(self) -> list[tuple[str, str, list[str]]]:
        """Each filter with its value and options, for the template."""
        return [(name, getattr(self, name), options) for name, options in self.options.items()]

    @property
    def query(self) -> str:
        """The filter as part of a query string that ends with `&`, or nothing."""
        chosen = {name: value for name, value, _ in self.fields if value}
        return f"{urlencode(chosen)}&" if chosen else ""


class TrialForm(forms.Form):
    """Which surfaces to try. `wanted` holds their ids when the form is valid.

    What an address leaves out has its usual value, so that a link may name one thing only.
    """

    profile = forms.ChoiceField()
    level = forms.ChoiceField()
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        required=False,
        widget=forms.NumberInput(attrs={"placeholder": "drawn if left empty"}),
        error_messages=_whole(0, MAX_SEED),
    )
    contract = forms.ChoiceField()
    genre = forms.MultipleChoiceField(label="Genres", widget=forms.CheckboxSelectMultiple)
    condition = forms.MultipleChoiceField(label="Conditions", widget=forms.CheckboxSelectMultiple)
    realization = forms.MultipleChoiceField(
        label="Realizations", widget=forms.CheckboxSelectMultiple
    )
    burial = forms.MultipleChoiceField(label="Told as", widget=forms.CheckboxSelectMultiple)

    def __init__(self, sent: QueryDict | None = None, *, address: QueryDict | None = None) -> None:
        super().__init__(sent)
        profiles = available_profiles()
        levels = sorted({level for profile in profiles for level in available_levels(profile)})
        genres = list(known_genres())
        _offer(self, "profile", profiles, initial=profiles[0])
        _offer(self, "level", levels, initial=_TRIED_LEVEL)
        _offer(self, "genre", genres, initial=genres[:1])
        _offer(self, "contract", _CONTRACTS, initial="inline")
        _offer(self, "condition", sorted(CONDITIONS.values()), initial=["implicit"])
        numbers = [str(number) for number in range(1, MAX_REALIZATION + 1)]
        _offer(self, "realization", numbers, initial=numbers[:1])
        _offer(self, "burial", _TOLD_AS, initial=[_PAPERS])
        if address:
            self.data, self.is_bound = self._completed(address), True
        self.wanted: tuple[InstanceId, ...] = ()

    def _completed(self, address: QueryDict) -> QueryDict:
        data = QueryDict(mutable=True)
        for name, blank in self.fields.items():
            initial = blank.initial if isinstance(blank.initial, list) else [blank.initial or ""]
            data.setlist(name, address.getlist(name) if name in address else initial)
        return data

    def clean_seed(self) -> int:
        """Draw a seed where none was given."""
        seed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(MAX_SEED + 1) if seed is None else seed

    def clean(self) -> dict[str, Any]:
        """Put the surfaces together, or say why that cannot be."""
        chosen: dict[str, Any] = super().clean() or {}
        if self.errors:
            return chosen
        try:
            self.wanted = services.surfaces_wanted(
                [
                    FamilyId(chosen["profile"], chosen["level"], genre, chosen["seed"])
                    for genre in chosen["genre"]
                ],
                conditions=chosen["condition"],
                realizations=[int(number) for number in chosen["realization"]],
                burials=[None if b == _PAPERS else int(b) for b in chosen["burial"]],
                deferred=chosen["contract"] == "deferred",
            )
        except BadInput as error:
            self.add_error(None, f"{error.field.capitalize()}: {_sentence(error)}")
        return chosen

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What a valid form asks, name by name, with the seed that was drawn."""
        listed = {n: v if isinstance(v, list) else [v] for n, v in self.cleaned_data.items()}
        return [(name, str(value)) for name in self.fields for value in listed[name]]

    @property
    def query(self) -> str:
        """The query string that leads to this trial again."""
        return urlencode(self.pairs)
