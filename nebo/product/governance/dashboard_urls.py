"""Addresses under /t/<tenant>/data/."""

from django.urls import path

from nebo.product.governance import import_views, pause_views, views

app_name = "governance"
urlpatterns = [
    path("", views.DataPage.as_view(), name="data"),
    path("export/", views.ExportPage.as_view(), name="export"),
    path("exports/<uuid:export_id>/", views.DownloadPage.as_view(), name="download"),
    path("import/", import_views.ImportPage.as_view(), name="import"),
    path("imports/<uuid:import_id>/stop/", import_views.StopImportPage.as_view(), name="stop_import"),
    path("pauses/", pause_views.PausesPage.as_view(), name="pauses"),
    path("pauses/everything/", pause_views.PausePersonPage.as_view(), name="pause"),
    path(
        "pauses/sessions/<uuid:session_id>/",
        pause_views.PauseSessionPage.as_view(),
        name="pause_session",
    ),
    path("pauses/keys/<uuid:key_id>/", pause_views.PauseOwnKeyPage.as_view(), name="pause_key"),
    path(
        "pauses/keys/<uuid:key_id>/everybody/",
        pause_views.PauseKeyPage.as_view(),
        name="pause_key_for_all",
    ),
    path("activity/", views.ActivityPage.as_view(), name="activity"),
    path("erase/", views.ErasePage.as_view(), name="erase"),
    path("erased/<uuid:erasure_id>/", views.ReceiptPage.as_view(), name="receipt"),
]
