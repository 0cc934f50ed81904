"""Addresses under /t/<tenant>/memories/."""

from django.urls import path

from memories import forget_pages, views

app_name = "memories"
urlpatterns = [
    path("", views.MemoryListPage.as_view(), name="list"),
    path("forget/", forget_pages.ForgetPage.as_view(), name="forget"),
    path("forget/<uuid:request_id>/", forget_pages.ForgetThesePage.as_view(), name="forget_these"),
    path("forget/<uuid:request_id>/keep/", forget_pages.KeepAllPage.as_view(), name="keep_all"),
    path("<uuid:memory_id>/", views.MemoryDetailPage.as_view(), name="detail"),
    path("<uuid:memory_id>/edit/", views.MemoryEditPage.as_view(), name="edit"),
    path("<uuid:memory_id>/pin/", views.PinPage.as_view(), name="pin"),
    path("<uuid:memory_id>/unpin/", views.UnpinPage.as_view(), name="unpin"),
    path("<uuid:memory_id>/confirm/", views.ConfirmPage.as_view(), name="confirm"),
    path("<uuid:memory_id>/delete/", views.DeletePage.as_view(), name="delete"),
    path("<uuid:memory_id>/wrong/", views.MarkWrongPage.as_view(), name="wrong"),
    path("<uuid:memory_id>/never-mention/", views.NeverMentionPage.as_view(), name="never_mention"),
    path("<uuid:memory_id>/restore/", views.RestorePage.as_view(), name="restore"),
]
