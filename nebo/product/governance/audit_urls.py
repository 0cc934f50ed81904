"""Addresses under /t/<tenant>/audit/."""

from django.urls import path

from nebo.product.governance import audit_views

app_name = "audit"
urlpatterns = [
    path("", audit_views.LogPage.as_view(), name="log"),
    path("verify/", audit_views.VerifyPage.as_view(), name="verify"),
]
