"""Addresses under /t/<tenant>/sessions/."""

from django.urls import path

from sessions.pages import conversations, redaction

app_name = "sessions"
urlpatterns = [
    path("", conversations.SessionListPage.as_view(), name="list"),
    path("long-term/", conversations.LongTermPage.as_view(), name="long_term"),
    path("<uuid:session_id>/", conversations.SessionDetailPage.as_view(), name="detail"),
    path("<uuid:session_id>/redact/", redaction.RedactPage.as_view(), name="redact"),
]
