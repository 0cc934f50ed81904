"""Addresses under /t/<tenant>/data/."""

from django.urls import path

from nebo.product.governance import views

app_name = "governance"
urlpatterns = [
    path("", views.DataPage.as_view(), name="data"),
    path("export/", views.ExportPage.as_view(), name="export"),
    path("exports/<uuid:export_id>/", views.DownloadPage.as_view(), name="download"),
    path("activity/", views.ActivityPage.as_view(), name="activity"),
    path("erase/", views.ErasePage.as_view(), name="erase"),
]
