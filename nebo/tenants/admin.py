"""The operators' admin: tenants, logins, memberships, keys, people.

It works on the operator's connection (`OperatorMiddleware`), which sees every tenant. Tenants and people are
never deleted here: erasure has its own service, with a receipt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.admin import EmailAddress
from allauth.account.decorators import secure_admin_login
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.db.models import Count, DateTimeField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from nebo.errors import InvalidInput
from nebo.tenants.keys import SCOPES
from nebo.tenants.models import ApiKey, Membership, Tenant, User, UserProfile
from nebo.tenants.policy import GIVING, LEARNING, with_choices
from nebo.tenants.sensitive_form import FIELDS, choice_field, read_choices, shown_choices
from nebo.tenants.services import (
    Speaks,
    check_external_id,
    check_slug,
    create_tenant,
    get_or_create_person,
    issue_key,
    revoke_key,
)
from nebo.tenants.windows import WINDOWS

if TYPE_CHECKING:  # Django's own classes take no type at run time
    TenantPages = admin.ModelAdmin[Tenant]
    UserPages = DjangoUserAdmin[User]
    MembershipPages = admin.ModelAdmin[Membership]
    ProfilePages = admin.ModelAdmin[UserProfile]
    KeyPages = admin.ModelAdmin[ApiKey]
    TenantModelForm = forms.ModelForm[Tenant]
    ProfileModelForm = forms.ModelForm[UserProfile]
    KeyModelForm = forms.ModelForm[ApiKey]
    UserFields = UserChangeForm[User]
    NewUserFields = AdminUserCreationForm[User]
else:
    TenantPages = MembershipPages = ProfilePages = KeyPages = admin.ModelAdmin
    TenantModelForm = ProfileModelForm = KeyModelForm = forms.ModelForm
    UserPages, UserFields, NewUserFields = DjangoUserAdmin, UserChangeForm, AdminUserCreationForm

admin.site.site_header = admin.site.site_title = "Nebo operations"
admin.site.index_title = "Tenants, people and work"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.unregister(
    [EmailAddress, Authenticator, Group, UserSession]
)  # secrets of TOTP; what means nothing here


class Undeletable:
    """Nothing of this kind is deleted by hand."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TenantForm(TenantModelForm):
    """A tenant with its policy."""

    sensitive_health = choice_field("health")
    sensitive_religion = choice_field("religion")
    sensitive_politics = choice_field("politics")
    sensitive_sexuality = choice_field("sexuality")
    sensitive_ethnicity = choice_field("ethnicity")
    sensitive_finances = choice_field("finances")
    sensitive_crime = choice_field("crime")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.update(shown_choices(self.instance.sensitive_classes))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self.instance.sensitive_classes = with_choices(self.instance.sensitive_classes, read_choices(cleaned))
        return cleaned

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        _check(check_slug, slug)
        return slug


def _check(check: Any, value: str) -> None:
    """Run a service's check; its refusal becomes the field's."""
    try:
        check(value)
    except InvalidInput as refused:
        raise forms.ValidationError(refused.detail) from refused


PEOPLE = UserProfile.unscoped.filter(kind=UserProfile.Kind.PERSON)
OPEN_KEYS = ApiKey.unscoped.filter(revoked_at=None)


def _count(rows: QuerySet[Any]) -> Coalesce:
    """How many of these a tenant has."""
    own = rows.filter(tenant=OuterRef("pk")).order_by().values("tenant")
    return Coalesce(Subquery(own.values(count=Count("pk"))), 0)


class PlanFilter(admin.AllValuesFieldListFilter):
    """With a name for those that have none: a link needs words."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        return ({**one, "display": one["display"] or "No plan"} for one in super().choices(changelist))


@admin.register(Tenant)
class TenantAdmin(Undeletable, TenantPages):
    form = TenantForm
    list_display: tuple[str, ...] = (
        "slug", "name", "plan", "is_active", "people", "keys", "created_at", "first_call_at",
    )  # fmt: skip
    list_filter = ("is_active", ("plan", PlanFilter))
    search_fields = ("slug", "name")
    ordering = ("slug",)
    readonly_fields = ("created_at", "first_call_at")
    fieldsets = (
        (None, {"fields": ("slug", "name", "is_active", "created_at", "first_call_at")}),
        ("What it may", {"fields": ("plan", "calls_per_minute")}),
        ("How it learns", {"fields": LEARNING}),
        ("Sensitive matters that somebody tells", {"fields": FIELDS}),
        ("What agents are given", {"fields": GIVING}),
        (
            "How long it keeps",
            {"fields": WINDOWS, "description": "docs/retention.md says what each removes."},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tenant]:
        return (
            super().get_queryset(request).annotate(people_count=_count(PEOPLE), key_count=_count(OPEN_KEYS))
        )

    @admin.display(ordering="people_count")
    def people(self, tenant: Tenant) -> int:
        """Those whom its memories are about."""
        return int(tenant.people_count)  # type: ignore[attr-defined]  # annotated

    @admin.display(ordering="key_count")
    def keys(self, tenant: Tenant) -> int:
        """Those that nobody has revoked."""
        return int(tenant.key_count)  # type: ignore[attr-defined]  # annotated

    def save_model(self, request: HttpRequest, obj: Tenant, form: Any, change: bool) -> None:
        """A new one is made by the service, with its shared profile, and then given the policy of the form."""
        if not change:
            made = create_tenant(slug=obj.slug, name=obj.name)
            obj.pk, obj.created_at = made.pk, made.created_at
            obj._state.adding = False
        super().save_model(request, obj, form, change)


class UserForm(UserFields):
    class Meta:
        model = User
        fields = "__all__"


class NewUserForm(NewUserFields):
    class Meta:
        model = User
        fields = ("email", "name")


@admin.register(User)
class UserAdmin(UserPages):
    form = UserForm
    add_form = NewUserForm
    list_display = ("email", "name", "is_active", "is_staff", "last_login", "date_joined")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    ordering = ("email",)
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ("groups", "user_permissions")
    actions = ("remove_second_factors",)
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Times", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (
            None,
            {"classes": ("wide",), "fields": ("email", "name", "usable_password", "password1", "password2")},
        ),
    )

    @admin.action(description="Remove second factors (for a lost phone)")
    def remove_second_factors(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        removed, _ = Authenticator.objects.filter(user__in=queryset).delete()
        self.message_user(request, f"{removed} removed.", messages.SUCCESS)


@admin.register(Membership)
class MembershipAdmin(MembershipPages):
    list_display = ("user", "tenant", "role", "created_at")
    list_filter = ("role",)
    list_select_related = ("user", "tenant")
    search_fields = ("user__email", "tenant__slug")
    ordering = ("tenant__slug", "user__email")
    autocomplete_fields = ("user", "tenant")


class PersonForm(ProfileModelForm):
    """A person; the name agents use for it does not change afterwards."""

    def clean_external_id(self) -> str:
        external_id = str(self.cleaned_data["external_id"])
        _check(check_external_id, external_id)
        return external_id


@admin.register(UserProfile)
class UserProfileAdmin(Undeletable, ProfilePages):
    form = PersonForm
    list_display = ("external_id", "display_name", "tenant", "kind", "login", "memory_version", "updated_at")
    list_filter = ("kind",)
    list_select_related = ("tenant", "login")
    search_fields = ("external_id", "display_name", "tenant__slug", "login__email")
    ordering = ("tenant__slug", "external_id")
    autocomplete_fields = ("tenant", "login")
    readonly_fields = ("kind", "memory_version", "created_at", "updated_at")

    def get_readonly_fields(self, request: HttpRequest, obj: UserProfile | None = None) -> tuple[str, ...]:
        return (*self.readonly_fields, *(("tenant", "external_id") if obj else ()))


class LabelledDateTime(AdminSplitDateTime):
    """Django's two inputs, each with a name of its own: a screen reader would meet them without one."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        for widget, name in zip(self.widgets, ("Date", "Time"), strict=True):
            widget.attrs["aria-label"] = name


class KeyForm(KeyModelForm):
    """What a new key is for; the person is named as agents name it."""

    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in SCOPES],
        initial=("read", "write"),
        widget=forms.CheckboxSelectMultiple,
    )
    external_id = forms.CharField(
        label="Person", required=False, help_text="Bind the key to this person (external id)."
    )

    class Meta:
        model = ApiKey
        fields = ("tenant", "name", "scopes", "trust", "external_id", "expires_at")

    def clean_external_id(self) -> str:
        external_id = str(self.cleaned_data["external_id"])
        if external_id:
            _check(check_external_id, external_id)
        return external_id


@admin.register(ApiKey)
class ApiKeyAdmin(Undeletable, KeyPages):
    form = KeyForm
    formfield_overrides: ClassVar[Any] = {DateTimeField: {"widget": LabelledDateTime}}
    list_display = (
        "public_id",
        "name",
        "tenant",
        "scopes",
        "person",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    list_select_related = ("tenant", "person")
    search_fields = ("public_id", "name", "tenant__slug")
    ordering = ("-created_at",)
    autocomplete_fields = ("tenant",)
    actions = ("revoke",)
    shown: ClassVar[tuple[str, ...]] = (
        *("tenant", "public_id", "name", "scopes", "trust", "person", "created_by", "created_at"),
        *("expires_at", "revoked_at", "last_used_at"),
    )

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        return self.shown if obj else KeyForm.Meta.fields

    def get_readonly_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        return self.shown if obj else ()

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Issue the key and show it, this once; there is nothing to change afterwards."""
        if change:
            return
        external_id, tenant = form.cleaned_data["external_id"], obj.tenant
        issued = issue_key(
            tenant=tenant,
            name=obj.name,
            scopes=obj.scopes,
            speaks=Speaks(trust=obj.trust),
            person=get_or_create_person(tenant=tenant, external_id=external_id) if external_id else None,
            expires_at=obj.expires_at,
            created_by=request.user if isinstance(request.user, User) else None,
        )
        obj.pk, obj.public_id = issued.key.pk, issued.key.public_id
        messages.warning(request, f"Copy the key now; it won't be shown again: {issued.secret}")

    @admin.action(description="Revoke")
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        for key in queryset:
            revoke_key(tenant=key.tenant_id, key=key)
        self.message_user(request, f"{len(queryset)} revoked.", messages.SUCCESS)
