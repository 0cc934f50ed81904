"""Addresses under /t/<tenant>/keys/."""

from django.urls import path

from nebo.product.workspace.pages import keys

app_name = "keys"
urlpatterns = [
    path("", keys.KeysPage.as_view(), name="list"),
    path("<uuid:key_id>/", keys.KeyDetailPage.as_view(), name="detail"),
    path("<uuid:key_id>/rotate/", keys.RotatePage.as_view(), name="rotate"),
    path("<uuid:key_id>/revoke/", keys.RevokePage.as_view(), name="revoke"),
]
