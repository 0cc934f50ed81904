"""Addresses under /api/v1/."""

from django.urls import path, re_path

from personality.api import views

urlpatterns = [
    path("personas/", views.PersonaListView.as_view(), name="persona-list"),
    path("personas/<slug:slug>/", views.PersonaDetailView.as_view(), name="persona"),
    path("personas/<slug:slug>/revisions/", views.RevisionListView.as_view(), name="persona-revisions"),
    re_path(
        r"^personas/(?P<slug>[-\w]+)/files/(?P<name>[-\w]+)\.md/?$",
        views.FileView.as_view(),
        name="persona-file",
    ),
    path("users/<str:user>/personality/", views.PersonalityView.as_view(), name="personality"),
]
