"""Addresses under /t/<tenant>/sessions/."""

from django.urls import path

from sessions import redact_pages, views

app_name = "sessions"
urlpatterns = [
    path("", views.SessionListPage.as_view(), name="list"),
    path("long-term/", views.LongTermPage.as_view(), name="long_term"),
    path("<uuid:session_id>/", views.SessionDetailPage.as_view(), name="detail"),
    path("<uuid:session_id>/redact/", redact_pages.RedactPage.as_view(), name="redact"),
]
