"""Addresses for those who run the service."""

from django.urls import path

from nebo.product.operations.health import healthz, readyz
from nebo.product.operations.metrics import metrics

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
