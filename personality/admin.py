"""Personas in the operators' admin: to look at. Teams change them on their own pages, where each change is kept.

What people wished for is theirs and stays out of it: of revisions, only those of the personas themselves are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from nebo.jobs.admin import LookOnly
from personality.models import Persona, PersonaRevision

if TYPE_CHECKING:
    PersonaPages = admin.ModelAdmin[Persona]
    RevisionPages = admin.ModelAdmin[PersonaRevision]
else:
    PersonaPages = RevisionPages = admin.ModelAdmin


@admin.register(Persona)
class PersonaAdmin(LookOnly, PersonaPages):
    list_display = (
        "slug", "tenant", "name", "role", "memory_scope", "file_sync", "version", "archived_at", "updated_at",
    )  # fmt: skip
    list_filter = ("memory_scope", "file_sync")
    list_select_related = ("tenant",)
    search_fields = ("tenant__slug", "slug", "name")
    ordering = ("tenant__slug", "slug")
    show_full_result_count = False


@admin.register(PersonaRevision)
class PersonaRevisionAdmin(LookOnly, RevisionPages):
    list_display = ("created_at", "tenant", "persona", "number", "actor", "reason")
    list_select_related = ("tenant", "persona")
    search_fields = ("tenant__slug", "persona__slug")
    ordering = ("-created_at",)
    exclude = ("person", "candidate")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[PersonaRevision]:
        return super().get_queryset(request).filter(person=None)
