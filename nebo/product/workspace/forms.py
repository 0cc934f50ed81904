"""The forms of a team's own affairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.errors import InvalidInput
from nebo.outbound.addresses import URL_LENGTH
from nebo.product.workspace.providers import KEY_CHARS, KINDS
from nebo.product.workspace.roles import list_roles
from nebo.tenants.models import ModelProvider
from nebo.tenants.selectors import EXTERNAL_ID_LENGTH
from nebo.tenants.services import check_external_id

SCOPES = (
    ("read", _("Read: search and build contexts")),
    ("write", _("Read and write: also send turns and store memories")),
    ("admin", _("Admin: also settings, personas, and what is shared by everyone")),
)
TRUSTS = (
    ("", _("As each message’s role says")),
    ("user", _("Only the person’s own words")),
    ("assistant", _("The assistant’s words")),
    ("tool", _("What tools answered")),
    ("web", _("What stands on the web")),
)
EXPIRES = ((0, _("Never")), (30, _("In 30 days")), (90, _("In 90 days")), (365, _("In a year")))
ENDS = ((0, _("At once")), (1, _("In an hour")), (24, _("In a day")), (168, _("In a week")))
LASTS = ((1, _("For a day")), (7, _("For a week")), (30, _("For 30 days")))


def _number(value: str) -> int:
    return int(value)


class PersonField(forms.CharField):
    """The id that agents use for somebody."""

    def __init__(self, **settings: Any) -> None:
        attrs = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        super().__init__(max_length=EXTERNAL_ID_LENGTH, widget=forms.TextInput(attrs=attrs), **settings)

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        try:
            if text:
                check_external_id(text)
        except InvalidInput as refused:
            raise forms.ValidationError(refused.detail) from refused
        return text


class KeyForm(forms.Form):
    """A new key."""

    name = forms.CharField(
        max_length=200, label=_("Name"), help_text=_("What it is for, such as the agent that will use it.")
    )
    scope = forms.ChoiceField(choices=SCOPES, initial="write", widget=forms.RadioSelect, label=_("It may"))
    person = PersonField(
        required=False,
        label=_("For one person only"),
        help_text=_("The id your agents use. Empty: for everybody."),
    )
    days = forms.TypedChoiceField(choices=EXPIRES, coerce=_number, initial=0, label=_("It expires"))
    trust = forms.ChoiceField(
        choices=TRUSTS,
        required=False,
        label=_("Whose words it sends"),
        help_text=_(
            "What isn’t the person’s own word waits for review where it gives orders or moves money or trust."
        ),
    )


class RotateForm(forms.Form):
    """When the old key ends."""

    hours = forms.TypedChoiceField(choices=ENDS, coerce=_number, initial=24, label=_("The old key ends"))


class InviteForm(forms.Form):
    """A new invitation."""

    label = forms.CharField(
        max_length=200, label=_("For whom"), help_text=_("Only for your own list of invitations.")
    )
    role = forms.ChoiceField(
        label=_("Role"),
        help_text=_("Admins also see members, keys, jobs and settings. Owners may do everything."),
    )
    days = forms.TypedChoiceField(choices=LASTS, coerce=_number, initial=7, label=_("It can be used"))
    person = PersonField(
        required=False,
        label=_("They are known to agents as"),
        help_text=_("They will see this person’s memories. Empty: a new person, named like their address."),
    )

    def __init__(self, *args: Any, own_role: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = list_roles(own_role)  # type: ignore[attr-defined]


class RoleForm(forms.Form):
    """Another role."""

    role = forms.ChoiceField(label=_("Role"))

    def __init__(self, *args: Any, own_role: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = list_roles(own_role)  # type: ignore[attr-defined]


class StandForForm(forms.Form):
    """Whom a member is, to agents."""

    person = PersonField(label=_("Known to agents as"))


class ProviderForm(forms.Form):
    """Whom to ask. The key goes in and never comes out."""

    kind = forms.ChoiceField(label=_("It speaks the API of"))
    model = forms.CharField(
        max_length=200,
        label=_("Model"),
        help_text=_("As the provider calls it."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    base_url = forms.CharField(
        max_length=URL_LENGTH,
        required=False,
        label=_("Address"),
        help_text=_("Empty: the provider’s own. Begins with https://."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}),
    )
    key = forms.CharField(
        max_length=KEY_CHARS,
        required=False,
        label=_("Key"),
        help_text=_("Kept encrypted and never shown. Empty keeps the one there is."),
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: Any = None, *, use: str, initial: Any = None) -> None:
        super().__init__(data, initial=initial, label_suffix="", prefix=None, auto_id=f"id_{use}_%s")
        kinds = [(value, label) for value, label in ModelProvider.Kind.choices if value in KINDS[use]]
        self.fields["kind"] = forms.ChoiceField(label=gettext("It speaks the API of"), choices=kinds)
