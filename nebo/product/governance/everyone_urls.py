"""Addresses under /t/<tenant>/everyone/."""

from django.urls import path

from nebo.product.governance import everyone_views, pause_views

app_name = "everyone"
urlpatterns = [
    path("", everyone_views.EveryonePage.as_view(), name="list"),
    path("<uuid:person_id>/", everyone_views.LookPage.as_view(), name="look"),
    path("<uuid:person_id>/pause/", pause_views.PauseAnybodyPage.as_view(), name="pause"),
]
