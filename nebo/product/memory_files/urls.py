"""Addresses under /api/v1/."""

from django.urls import path

from nebo.product.memory_files.api import MemoryToolView

urlpatterns = [path("users/<str:user>/memory-tool/", MemoryToolView.as_view(), name="memory-tool")]
