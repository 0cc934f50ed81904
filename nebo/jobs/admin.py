"""Jobs and signs of life in the operators' admin: to look at, and to bring parked work back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from nebo.errors import Conflict
from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.services import retry_job
from nebo.queue import hide_admin_pages

if TYPE_CHECKING:
    JobPages = admin.ModelAdmin[Job]
    HeartbeatPages = admin.ModelAdmin[Heartbeat]
else:
    JobPages = HeartbeatPages = admin.ModelAdmin

hide_admin_pages()


class LookOnly:
    """Nothing is added, changed or deleted by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Job)
class JobAdmin(LookOnly, JobPages):
    list_display = ("kind", "tenant", "state", "attempts", "crashes", "due_at", "finished_at", "worker")
    list_filter = ("state", "kind")
    list_select_related = ("tenant",)
    search_fields = ("id", "tenant__slug", "dedupe_key")
    ordering = ("-created_at",)
    actions = ("retry",)

    @admin.action(description="Try again now")
    def retry(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        for job in queryset:
            try:
                retry_job(tenant=job.tenant_id, job=job)
            except Conflict as refused:
                self.message_user(request, f"{job.pk}: {refused.detail}", messages.WARNING)


@admin.register(Heartbeat)
class HeartbeatAdmin(LookOnly, HeartbeatPages):
    list_display = ("name", "beat_at", "detail")
    ordering = ("-beat_at",)
