"""Addresses under /t/<tenant>/context/."""

from django.urls import path

from sessions.pages import playground, seen

app_name = "context"
urlpatterns = [
    path("", seen.SeenPage.as_view(), name="page"),
    path("search/", playground.PlaygroundPage.as_view(), name="search"),
]
