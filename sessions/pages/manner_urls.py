"""Addresses under /t/<tenant>/personality/ of what a form would come to."""

from django.urls import path

from sessions.pages import manner

app_name = "manner"
urlpatterns = [
    path("manner/preview/", manner.OwnPreviewPage.as_view(), name="own"),
    path("personas/<slug:slug>/preview/", manner.PersonaPreviewPage.as_view(), name="persona"),
]
