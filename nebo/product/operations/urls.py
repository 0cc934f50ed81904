"""Addresses for those who run the service."""

from django.urls import path

from nebo.product.operations.health import healthz

urlpatterns = [path("healthz", healthz, name="healthz")]
