"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from nebo.product.workspace.api import providers
from nebo.product.workspace.api.keys import KeyView

urlpatterns = [
    path("key/", KeyView.as_view(), name="key"),
    path("providers/", providers.ProviderListView.as_view(), name="provider-list"),
    path("providers/<slug:use>/", providers.ProviderDetailView.as_view(), name="provider"),
    path("providers/<slug:use>/test/", providers.ProviderTestView.as_view(), name="provider-test"),
]
