"""Addresses under /t/<tenant>/people/."""

from django.urls import path

from memories.pages import people as views

app_name = "people"
urlpatterns = [
    path("", views.EntityListPage.as_view(), name="list"),
    path("tidy/", views.TidyPage.as_view(), name="tidy"),
    path("<uuid:entity_id>/", views.EntityPage.as_view(), name="detail"),
    path("<uuid:entity_id>/merge/", views.MergePage.as_view(), name="merge"),
    path("<uuid:entity_id>/split/", views.SplitPage.as_view(), name="split"),
    path("folds/<uuid:fold_id>/undo/", views.UndoFoldPage.as_view(), name="undo_fold"),
]
