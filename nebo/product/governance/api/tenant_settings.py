"""`settings/`: what a tenant decides for all its people."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.serializers import StrictSerializer, parse_changes
from nebo.api.views import TenantView
from nebo.product.governance.services.tenant_settings import (
    SettingsFields,
    change_settings,
    settings_of,
    version_of,
)
from nebo.tenants.models import Tenant
from nebo.tenants.policy import CHOICES, LEAST_COMPACTION, MOST_COMPACTION
from nebo.tenants.windows import LONGEST_WINDOW


def _window() -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_WINDOW,
        allow_null=True,
        required=False,
        help_text="Days; 0 or null keeps for ever.",
    )


def _share(*, allow_null: bool = False) -> serializers.FloatField:
    return serializers.FloatField(min_value=0, max_value=1, allow_null=allow_null, required=False)


def _choice() -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=CHOICES, required=False)


class SensitiveInput(StrictSerializer):
    """Classes that aren't named stay as they are."""

    health = _choice()
    religion = _choice()
    politics = _choice()
    sexuality = _choice()
    ethnicity = _choice()
    finances = _choice()
    crime = _choice()


class SettingsInput(StrictSerializer):
    example = {"review_share": 0.1, "trash_days": 30}
    auto_extract = serializers.BooleanField(required=False)
    compaction_tokens = serializers.IntegerField(
        min_value=LEAST_COMPACTION, max_value=MOST_COMPACTION, required=False
    )
    review_share = _share()
    sensitive_classes = SensitiveInput(required=False)
    user_memory = serializers.BooleanField(required=False)
    recall = serializers.BooleanField(required=False)
    relevance_floor = _share(allow_null=True)
    team_memory = serializers.BooleanField(required=False)
    admins_look = serializers.BooleanField(required=False)
    archive_days = _window()
    event_days = _window()
    trash_days = _window()
    audit_days = _window()
    job_days = _window()
    candidate_days = _window()
    export_days = _window()


class SettingsView(TenantView):
    """Reading them needs `admin`, too: they tell how a team keeps its people's data."""

    subject = "Settings"
    scopes = {"GET": "admin", "PATCH": "admin"}
    operations = {
        "GET": Operation("Read the settings", SettingsFields),
        "PATCH": Operation("Change settings", SettingsFields, body=SettingsInput, if_match=True),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_changes(SettingsInput, request, unit="setting")

    def get(self, request: Request, prepared: dict[str, Any]) -> Response:
        return _answer_with(self.tenant)

    def patch(self, request: Request, prepared: dict[str, Any]) -> Response:
        changed = change_settings(
            tenant=self.caller.tenant_id,
            changes=prepared,
            actor=self.actor,
            check=lambda tenant: check_if_match(request, version_of(tenant)),
        )
        return _answer_with(changed)


def _answer_with(tenant: Tenant) -> Response:
    return Response(settings_of(tenant), headers={"ETag": etag(version_of(tenant))})
