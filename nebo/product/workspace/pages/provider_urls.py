"""Addresses under /t/<tenant>/providers/."""

from django.urls import path

from nebo.product.workspace.pages import providers

app_name = "providers"
urlpatterns = [
    path("", providers.ProvidersPage.as_view(), name="list"),
    path("<slug:use>/", providers.ProviderPage.as_view(), name="set"),
    path("<slug:use>/remove/", providers.RemovePage.as_view(), name="remove"),
    path("<slug:use>/test/", providers.TestPage.as_view(), name="test"),
]
