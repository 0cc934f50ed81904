"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from nebo.product.workspace.api import KeyView

urlpatterns = [path("key/", KeyView.as_view(), name="key")]
