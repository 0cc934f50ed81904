"""The audit log and the runs in the operators' admin: to look at. What people are remembered by stays out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from memories.models import AuditEntry, ExtractionRun
from nebo.jobs.admin import LookOnly

if TYPE_CHECKING:
    AuditPages = admin.ModelAdmin[AuditEntry]
    RunPages = admin.ModelAdmin[ExtractionRun]
else:
    AuditPages = RunPages = admin.ModelAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(LookOnly, AuditPages):
    list_display = ("at", "tenant", "actor", "action", "object_type", "object_id", "person_id", "request_id")
    list_filter = ("action",)
    list_select_related = ("tenant",)
    search_fields = ("tenant__slug", "actor", "object_id", "request_id")
    ordering = ("-at",)
    show_full_result_count = False


@admin.register(ExtractionRun)
class ExtractionRunAdmin(LookOnly, RunPages):
    list_display = ("created_at", "tenant", "trigger", "provider", "model", "status", "counts")
    list_filter = ("status", "trigger")
    list_select_related = ("tenant",)
    search_fields = ("tenant__slug", "id")
    ordering = ("-created_at",)
    exclude = ("proposals",)  # they hold what people said
    show_full_result_count = False
