"""Addresses under /t/<tenant>/personality/."""

from django.urls import path

from personality.pages import files, own, team

app_name = "personality"
urlpatterns = [
    path("", own.PersonalityPage.as_view(), name="page"),
    path("manner/", own.OwnMannerPage.as_view(), name="manner"),
    path("rollback/", own.OwnRollbackPage.as_view(), name="own_rollback"),
    path("wishes/<uuid:candidate_id>/undo/", own.UndoWishPage.as_view(), name="undo"),
    path("personas/", team.PersonaListPage.as_view(), name="personas"),
    path("personas/<slug:slug>/", team.PersonaPage.as_view(), name="persona"),
    path("personas/<slug:slug>/files/<slug:name>/", files.FilePage.as_view(), name="file"),
    path("personas/<slug:slug>/rollback/", team.RollbackPage.as_view(), name="rollback"),
    path("personas/<slug:slug>/archive/", team.ArchivePage.as_view(), name="archive"),
    path("personas/<slug:slug>/restore/", team.RestorePage.as_view(), name="restore"),
]
