"""Addresses under /t/<tenant>/settings/."""

from django.urls import path

from nebo.product.governance import settings_views

app_name = "workspace"
urlpatterns = [path("", settings_views.SettingsPage.as_view(), name="settings")]
