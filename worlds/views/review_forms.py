"""What reviewers may type. Whether it can be taken is for the services to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User

from worlds.core.errors import BadInput
from worlds.models import MOST_APPROVALS, Said
from worlds.services.reviewing import MOST_CHARACTERS, Anchor, Content, find_quote

__all__ = ["AssignForm", "CommentForm", "DecisionForm"]


class _Refusable(forms.Form):
    """A form that shows a service's refusal at the field it is about."""

    def refuse(self, error: BadInput) -> None:
        """Show the refusal; one about no field here stands above the form."""
        found = error.found if isinstance(error.found, str) else repr(error.found)
        sentence = f"Found {found}; expected {error.expected}."
        self.add_error(error.field if error.field in self.fields else None, sentence)


class DecisionForm(_Refusable):
    """Approve, or reject for a reason; `seen` is the digest of the text that was shown."""

    said = forms.ChoiceField(
        choices=[(said.value, said.label) for said in (Said.APPROVE, Said.REJECT)],
        error_messages={
            "required": "Expected approve or reject.",
            "invalid_choice": "Expected approve or reject.",
        },
    )
    seen = forms.CharField(max_length=64)
    reason = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "aria-keyshortcuts": "Control+Enter"}),
        help_text="What is wrong with it, for whoever writes the pack.",
    )


class CommentForm(_Refusable):
    """Words about words of the record: exact by place, or found by quoting them."""

    comment = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "aria-keyshortcuts": "Control+Enter"}),
    )
    quote = forms.CharField(
        required=False,
        max_length=MOST_CHARACTERS,
        label="On these words",
        widget=forms.Textarea(attrs={"rows": 2, "data-anchor-quote": ""}),
        help_text="Quote them from a paper, or select them there. Left empty, the comment is on "
        "the reported sentence.",
    )
    document = forms.CharField(required=False, max_length=8, widget=forms.HiddenInput)
    start = forms.IntegerField(required=False, widget=forms.HiddenInput)
    end = forms.IntegerField(required=False, widget=forms.HiddenInput)
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def anchor(self, content: Content) -> Anchor:
        """Where the comment stands; raises BadInput for a place that is not there."""
        document, start, end = (self.cleaned_data[name] for name in ("document", "start", "end"))
        if document and start is not None and end is not None:
            return Anchor.at(content.documents, document, start, end)
        return find_quote(content, self.cleaned_data["quote"])


class AssignForm(_Refusable):
    """Whom to ask, and how many of them about each distractor."""

    reviewers = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Expected at least one person.",
            "invalid_choice": "Expected people of the list.",
        },
    )
    each = forms.IntegerField(
        label="Reviewers for each distractor",
        min_value=1,
        max_value=MOST_APPROVALS,
        help_text="1 spreads the distractors evenly, one person each. As many as you have chosen "
        "gives each distractor to all of them. Agreement takes at least 2.",
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Expected a whole number from 1 to {MOST_APPROVALS}.",
        ),
    )

    def __init__(self, people: Sequence[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._people = {str(person.pk): person for person in people}
        offered = self.fields["reviewers"]
        assert isinstance(offered, forms.MultipleChoiceField)
        offered.choices = [(key, person.get_username()) for key, person in self._people.items()]

    @property
    def chosen(self) -> list[User]:
        """The people who were chosen, of a form that is valid."""
        return [self._people[key] for key in self.cleaned_data["reviewers"]]
