"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from nebo.product.governance.api import imports, pauses, tenant_settings, views

urlpatterns = [
    path("settings/", tenant_settings.SettingsView.as_view(), name="settings"),
    path("users/<str:user>/", views.PersonView.as_view(), name="person"),
    path("users/<str:user>/import/", imports.ImportView.as_view(), name="import"),
    path("users/<str:user>/imports/", imports.ImportListView.as_view(), name="import-list"),
    path("users/<str:user>/imports/<uuid:import_id>/", imports.ImportDetailView.as_view(), name="import-one"),
    path("users/<str:user>/export/", views.ExportView.as_view(), name="export"),
    path("users/<str:user>/exports/", views.ExportListView.as_view(), name="export-list"),
    path("users/<str:user>/exports/<uuid:export_id>/", views.ExportFileView.as_view(), name="export-file"),
    path("users/<str:user>/pause/", pauses.PersonPauseView.as_view(), name="person-pause"),
    path("users/<str:user>/pauses/", pauses.PauseListView.as_view(), name="pause-list"),
    path(
        "users/<str:user>/keys/<uuid:key_id>/pause/",
        pauses.PersonKeyPauseView.as_view(),
        name="person-key-pause",
    ),
    path("sessions/<uuid:session_id>/pause/", pauses.SessionPauseView.as_view(), name="session-pause"),
    path("keys/<uuid:key_id>/pause/", pauses.KeyPauseView.as_view(), name="key-pause"),
]
