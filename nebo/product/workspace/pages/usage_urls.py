"""Addresses under /t/<tenant>/usage/."""

from django.urls import path

from nebo.product.workspace.pages import usage

app_name = "usage"
urlpatterns = [path("", usage.UsagePage.as_view(), name="page")]
