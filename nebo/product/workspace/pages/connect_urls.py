"""Addresses under /t/<tenant>/connect/."""

from django.urls import path

from nebo.product.workspace.pages import connect

app_name = "connect"
urlpatterns = [
    path("", connect.ConnectPage.as_view(), name="page"),
    path("<uuid:key_id>/end/", connect.DisconnectPage.as_view(), name="end"),
]
