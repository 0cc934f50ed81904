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
    path("pairs/<uuid:proposal_id>/merge/", views.MergePairPage.as_view(), name="merge_pair"),
    path("pairs/<uuid:proposal_id>/dismiss/", views.DismissPairPage.as_view(), name="dismiss_pair"),
    path("folds/<uuid:fold_id>/undo/", views.UndoFoldPage.as_view(), name="undo_fold"),
]
