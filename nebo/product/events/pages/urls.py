"""Addresses under /t/<tenant>/webhooks/."""

from django.urls import path

from nebo.product.events.pages import webhooks

app_name = "webhooks"
ONE = "<uuid:webhook_id>/"
urlpatterns = [
    path("", webhooks.WebhooksPage.as_view(), name="list"),
    path(ONE, webhooks.WebhookPage.as_view(), name="detail"),
    path(f"{ONE}edit/", webhooks.EditPage.as_view(), name="edit"),
    path(f"{ONE}test/", webhooks.TestPage.as_view(), name="test"),
    path(f"{ONE}pause/", webhooks.PausePage.as_view(), name="pause"),
    path(f"{ONE}resume/", webhooks.ResumePage.as_view(), name="resume"),
    path(f"{ONE}rotate/", webhooks.RotatePage.as_view(), name="rotate"),
    path(f"{ONE}delete/", webhooks.DeletePage.as_view(), name="delete"),
    path(f"{ONE}deliveries/<uuid:delivery_id>/", webhooks.RedeliverPage.as_view(), name="redeliver"),
]
