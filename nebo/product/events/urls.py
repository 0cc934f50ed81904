"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from nebo.product.events import api

ONE = "webhooks/<uuid:webhook_id>/"

urlpatterns = [
    path("events/", api.EventStreamView.as_view(), name="event-stream"),
    path("webhooks/", api.WebhookListView.as_view(), name="webhook-list"),
    path(ONE, api.WebhookDetailView.as_view(), name="webhook"),
    path(f"{ONE}rotate-secret/", api.WebhookRotateView.as_view(), name="webhook-rotate"),
    path(f"{ONE}test/", api.WebhookTestView.as_view(), name="webhook-test"),
    path(f"{ONE}deliveries/", api.DeliveryListView.as_view(), name="delivery-list"),
    path(f"{ONE}deliveries/<uuid:delivery_id>/", api.DeliveryView.as_view(), name="delivery"),
    path(f"{ONE}deliveries/<uuid:delivery_id>/redeliver/", api.RedeliverView.as_view(), name="redeliver"),
]
