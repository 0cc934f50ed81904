"""Addresses under /t/<tenant>/files/."""

from django.urls import path

from nebo.product.memory_files.pages import files

app_name = "files"
ONE = "<uuid:file_id>/"
urlpatterns = [
    path("", files.FilesPage.as_view(), name="list"),
    path(ONE, files.FilePage.as_view(), name="detail"),
    path(f"{ONE}delete/", files.DeletePage.as_view(), name="delete"),
    path(f"{ONE}restore/", files.RestorePage.as_view(), name="restore"),
    path(f"{ONE}purge/", files.PurgePage.as_view(), name="purge"),
    path(f"{ONE}allow/", files.AllowPage.as_view(), name="allow"),
]
