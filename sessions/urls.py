"""Addresses under /api/v1/."""

from django.urls import path

from sessions.api import background, dry_run, journal, preview, views

JOBS = {
    "extract": "Learn from a session now",
    "flush": "Learn from what is about to be compacted",
    "compact": "Compact a session",
    "close": "Close a session",
}

urlpatterns = [
    path("extract/preview/", preview.PreviewView.as_view(), name="extract-preview"),
    path("sessions/", views.SessionListView.as_view(), name="session-list"),
    path("sessions/<uuid:session_id>/", views.SessionDetailView.as_view(), name="session"),
    path("sessions/<uuid:session_id>/turns/", views.TurnView.as_view(), name="session-turns"),
    path(
        "sessions/<uuid:session_id>/turns/dry-run/",
        dry_run.DryRunView.as_view(),
        name="session-turns-dry-run",
    ),
    path("sessions/<uuid:session_id>/messages/", views.MessageListView.as_view(), name="session-messages"),
    path(
        "sessions/<uuid:session_id>/messages/<uuid:message_id>/redact/",
        views.MessageRedactionView.as_view(),
        name="message-redact",
    ),
    path("sessions/<uuid:session_id>/redact/", views.SessionRedactionView.as_view(), name="session-redact"),
    path("sessions/<uuid:session_id>/context/", views.ContextView.as_view(), name="session-context"),
    path(
        "sessions/<uuid:session_id>/active-task/", views.ActiveTaskView.as_view(), name="session-active-task"
    ),
    path(
        "sessions/<uuid:session_id>/summaries/",
        background.SessionSummaryListView.as_view(),
        name="session-summaries",
    ),
    path(
        "sessions/<uuid:session_id>/compactions/",
        journal.CompactionListView.as_view(),
        name="session-compactions",
    ),
    path(
        "sessions/<uuid:session_id>/snapshots/",
        journal.SnapshotListView.as_view(),
        name="session-snapshots",
    ),
    path("users/<str:user>/states/", background.StateListView.as_view(), name="state-list"),
    path("users/<str:user>/rolling-summaries/", background.RollingListView.as_view(), name="rolling-list"),
    path("users/<str:user>/spine/", background.SpineView.as_view(), name="spine"),
    path("users/<str:user>/spine/versions/", background.SpineListView.as_view(), name="spine-versions"),
    *[
        path(
            f"sessions/<uuid:session_id>/{kind}/",
            views.SessionJobView.as_view(kind=kind, operations=views.job_operations(summary)),
            name=f"session-{kind}",
        )
        for kind, summary in JOBS.items()
    ],
]
