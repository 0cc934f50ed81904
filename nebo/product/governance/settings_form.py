"""The form in which owners and admins set what holds for all their people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from nebo.product.governance.services.tenant_settings import settings_of, version_of
from nebo.tenants.forms import VersionedForm
from nebo.tenants.models import Tenant
from nebo.tenants.policy import LEAST_COMPACTION, LOOKING, MOST_COMPACTION, SHARING
from nebo.tenants.sensitive_form import FIELDS, choice_field, read_choices, shown_choices
from nebo.tenants.windows import LONGEST_WINDOW, WINDOWS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PERCENT = 100
PLACES = 4  # of a percentage that are kept
SENSITIVE = gettext_noop("Sensitive matters that somebody tells")
NOTES = {
    SENSITIVE: gettext_noop(
        "“Never learn” means that no memory is made of such a matter. The conversation in which it was told is still "
        "stored, word for word. Whose conversation it is can redact a message, or all of it, on its page under "
        "Sessions."
    )
}
GROUPS = (
    (gettext_noop("How it learns"), ("auto_extract", "compaction_tokens", "review_share")),
    (SENSITIVE, FIELDS),
    (gettext_noop("What agents are given"), ("user_memory", "recall", "relevance_floor")),
    (gettext_noop("What people share"), SHARING),
    (gettext_noop("Who may look"), LOOKING),
    (gettext_noop("How long things are kept, in days (empty: for ever)"), WINDOWS),
)


def _switch(label: StrOrPromise, help_text: StrOrPromise) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text)


def _days(label: StrOrPromise, help_text: StrOrPromise = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label, required=False, min_value=0, max_value=LONGEST_WINDOW, help_text=help_text
    )


class SettingsForm(VersionedForm):
    """Every setting that a team may change."""

    groups_of_fields = GROUPS
    notes_of_groups = NOTES

    auto_extract = _switch(_("Learn from conversations"), _("For new sessions; a session may say otherwise."))
    compaction_tokens = forms.IntegerField(
        label=_("Summarise conversations longer than (tokens)"),
        min_value=LEAST_COMPACTION,
        max_value=MOST_COMPACTION,
        help_text=_("The oldest part becomes a summary; the rest stays word for word."),
    )
    review_share = forms.FloatField(
        label=_("Review first if this much would change (%)"),
        min_value=0,
        max_value=PERCENT,
        help_text=_("The share of a person’s memories that one reading would change."),
    )
    sensitive_health = choice_field("health")
    sensitive_religion = choice_field("religion")
    sensitive_politics = choice_field("politics")
    sensitive_sexuality = choice_field("sexuality")
    sensitive_ethnicity = choice_field("ethnicity")
    sensitive_finances = choice_field("finances")
    sensitive_crime = choice_field("crime")
    user_memory = _switch(
        _("Give agents what is remembered about people"),
        _("Off: agents get nothing of it, in any session. People still see it here."),
    )
    recall = _switch(_("Recall what fits a question"), _("Automatically; a session may say otherwise."))
    relevance_floor = forms.FloatField(
        label=_("Least similarity for recall (0 to 1)"),
        required=False,
        min_value=0,
        max_value=1,
        help_text=_("Empty: what was measured to work best."),
    )
    team_memory = _switch(
        _("Team memory"),
        _(
            "What somebody shares with the team, everybody’s agents can recall, with who said so. Nothing is shared by "
            "itself. Off: nobody is told what others shared."
        ),
    )
    admins_look = _switch(
        _("Let owners and admins look at everybody’s memories"),
        _("Off: they see counts alone. Each look is logged, and the person can read that."),
    )
    archive_days = _days(_("Messages, until they are archived"), _("Once a summary covers them."))
    event_days = _days(_("Archived messages, until they are removed"))
    trash_days = _days(_("Deleted memories, in the trash"))
    audit_days = _days(_("The log of who did what"))
    job_days = _days(_("Jobs that succeeded"))
    candidate_days = _days(_("Wishes that were not accepted"))
    export_days = _days(_("Exports, until they can't be downloaded"))

    def __init__(self, data: Any = None, *, tenant: Tenant) -> None:
        share = f"{round(tenant.review_share * PERCENT, PLACES):g}"
        choices = shown_choices(tenant.sensitive_classes)
        shown = {**settings_of(tenant), **choices, "review_share": share}
        super().__init__(data, initial=shown, version=version_of(tenant))

    @property
    def changes(self) -> dict[str, Any]:
        """As the service takes them."""
        share = round(self.cleaned_data["review_share"], PLACES) / PERCENT
        plain = {name: value for name, value in self.cleaned_data.items() if name not in FIELDS}
        return {**plain, "review_share": share, "sensitive_classes": read_choices(self.cleaned_data)}
