"""Addresses under /api/v1/."""

from django.urls import path, re_path

from personality.api import people, views

urlpatterns = [
    path("presets/", views.PresetListView.as_view(), name="preset-list"),
    path("personas/", views.PersonaListView.as_view(), name="persona-list"),
    path("personas/<slug:slug>/", views.PersonaDetailView.as_view(), name="persona"),
    path("personas/<slug:slug>/restore/", views.RestoreView.as_view(), name="persona-restore"),
    path("personas/<slug:slug>/rollback/", views.RollbackView.as_view(), name="persona-rollback"),
    path("personas/<slug:slug>/revisions/", views.RevisionListView.as_view(), name="persona-revisions"),
    path("personas/<slug:slug>/candidates/", views.CandidateListView.as_view(), name="persona-candidates"),
    *(
        path(
            f"personas/<slug:slug>/candidates/<uuid:candidate_id>/{act}/",
            views.CandidateView.as_view(act=act, operations=views.act_operations(act)),
            name=f"persona-candidate-{act}",
        )
        for act in views.ACTS
    ),
    re_path(
        r"^personas/(?P<slug>[-\w]+)/files/(?P<name>[-\w]+)\.md/?$",
        views.FileView.as_view(),
        name="persona-file",
    ),
    path("users/<str:user>/personality/", people.PersonalityView.as_view(), name="personality"),
    path(
        "users/<str:user>/personality/revisions/",
        people.OwnRevisionListView.as_view(),
        name="personality-revisions",
    ),
    path(
        "users/<str:user>/personality/rollback/",
        people.OwnRollbackView.as_view(),
        name="personality-rollback",
    ),
    path(
        "users/<str:user>/personality/candidates/",
        people.OwnCandidateListView.as_view(),
        name="personality-candidates",
    ),
    *(
        path(
            f"users/<str:user>/personality/candidates/<uuid:candidate_id>/{act}/",
            people.OwnCandidateView.as_view(act=act, operations=people.act_operations(act)),
            name=f"personality-candidate-{act}",
        )
        for act in views.ACTS
    ),
]
