"""Writing a memory by hand."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import KEY_LIMIT, VALUE_LIMIT, Memory
from memories.new_memory import NewMemory, address_key
from memories.pages.reasons import tell_reason
from memories.storing.comparing import NOT_COMPARED, Comparison, compare_one
from memories.storing.store import Stored, store_memory
from memories.storing.vectors import embed_pair
from nebo.errors import Conflict, Forbidden, InvalidInput
from nebo.tenants.models import UserProfile
from nebo.tenants.pages import PageRequest, TenantPage
from nebo.tenants.places import handle_of, split_place
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import list_linked_people

TOLD = {
    "created": _("Remembered."),
    "superseded": _("Remembered. It takes the place of what was known before."),
    "reinforced": _("This was known already; it counts as heard once more."),
    "unchanged": _("This was known already."),
}


class AddForm(forms.Form):
    """A sentence is enough; the rest has an answer already."""

    value = forms.CharField(
        label=_("What is to be known"),
        max_length=VALUE_LIMIT,
        widget=forms.Textarea(
            attrs={"rows": 3, "data-autofocus": "", "placeholder": _("Prefers trains to planes")}
        ),
        help_text=_("One thing in a sentence, as an agent is to read it."),
    )
    layer = forms.ChoiceField(
        label=_("For how long"), choices=Memory.Layer.choices, initial=Memory.Layer.TACIT
    )
    type = forms.ChoiceField(label=_("Type"), choices=Memory.Type.choices)
    tags = forms.CharField(label=_("Tags"), required=False, help_text=_("Separated by commas."))
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=KEY_LIMIT,
        help_text=_("Empty is fine. With a key, the next memory under it takes this one’s place."),
    )
    pinned = forms.BooleanField(label=_("Pin it: agents have it in sight whatever is asked"), required=False)

    def clean_tags(self) -> tuple[str, ...]:
        """Each once, in the order given; their limits are the service's."""
        return tuple(
            dict.fromkeys(tag.strip() for tag in self.cleaned_data["tags"].split(",") if tag.strip())
        )

    @property
    def new(self) -> NewMemory:
        """What is to be stored, in the person's own words."""
        return NewMemory(source=Memory.Source.USER, trust=Memory.Trust.USER, **self.cleaned_data)


class AddPage(TenantPage):
    """The form, and what became of it."""

    vector: list[float] | None = None
    compared: Comparison = NOT_COMPARED

    def prepare(self, request: PageRequest) -> None:
        self.form = AddForm(request.POST or None, label_suffix="")
        if request.method != "POST" or not self.form.is_valid():
            return
        tenant_id, new = self.membership.tenant_id, self.form.new
        key = address_key(new.key, new.value)
        self.vector = embed_pair(tenant=tenant_id, key=key, value=new.value)
        with tenant_scope(tenant_id):
            person = self.find_person(request)
        if person is not None:
            self.compared = compare_one(tenant=tenant_id, person_id=person.pk, new=new)

    def find_person(self, request: PageRequest) -> UserProfile | None:
        """Whom it will be about, known before the transaction of the page is open; None for nobody of this login’s."""
        handle = split_place(self.kwargs["tenant"])[1]
        people = list(list_linked_people(tenant=self.membership.tenant_id, user=request.user))
        named = (one for one in people if not handle or handle_of(one) == handle)
        return next(named, None)

    def get(self, request: PageRequest) -> HttpResponse:
        return TemplateResponse(request, "memories/add.html", {"form": self.form})

    def post(self, request: PageRequest) -> HttpResponseBase:
        stored = self.store() if self.form.is_valid() else None
        if stored is None:
            return TemplateResponse(request, "memories/add.html", {"form": self.form}, status=422)
        if stored.action == "quarantined":
            messages.warning(
                request,
                gettext("Kept, but held back for review: %(reason)s")
                % {"reason": tell_reason(stored.memory.quarantine_reason)},
            )
        else:
            messages.success(request, str(TOLD[stored.action]))
        return redirect("memories:detail", self.access.place, stored.memory.pk)

    def store(self) -> Stored | None:
        """None where it can't be kept; the form says why."""
        try:
            with transaction.atomic():
                return store_memory(
                    tenant=self.access.tenant,
                    person=self.person,
                    new=self.form.new,
                    actor=self.access.actor,
                    vector=self.vector,
                    compared=self.compared,
                )
        except InvalidInput as error:
            self.form.add_error(error.field if error.field in self.form.fields else None, error.detail)
        except (Conflict, Forbidden) as error:
            self.form.add_error(None, error.detail)
        return None
