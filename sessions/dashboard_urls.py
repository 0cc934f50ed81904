"""Addresses under /t/<tenant>/sessions/."""

from django.urls import path

from sessions import views

app_name = "sessions"
urlpatterns = [
    path("", views.SessionListPage.as_view(), name="list"),
    path("<uuid:session_id>/", views.SessionDetailPage.as_view(), name="detail"),
]
