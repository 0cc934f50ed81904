"""Addresses under /t/<tenant>/personality/."""

from django.urls import path

from personality import file_views, team_views, views

app_name = "personality"
urlpatterns = [
    path("", views.PersonalityPage.as_view(), name="page"),
    path("rollback/", views.OwnRollbackPage.as_view(), name="own_rollback"),
    *(
        path(f"wishes/<uuid:candidate_id>/{act}/", views.CandidatePage.as_view(act=act), name=act)
        for act in views.CandidatePage.acts
    ),
    path("personas/", team_views.PersonaListPage.as_view(), name="personas"),
    path("personas/<slug:slug>/", team_views.PersonaPage.as_view(), name="persona"),
    path("personas/<slug:slug>/files/<slug:name>/", file_views.FilePage.as_view(), name="file"),
    path("personas/<slug:slug>/rollback/", team_views.RollbackPage.as_view(), name="rollback"),
    path("personas/<slug:slug>/archive/", team_views.ArchivePage.as_view(), name="archive"),
    path("personas/<slug:slug>/restore/", team_views.RestorePage.as_view(), name="restore"),
]
