"""Addresses under /t/<tenant>/inbox/."""

from django.urls import path

from nebo.product.inbox.items import KINDS
from nebo.product.inbox.pages import DecidePage, InboxPage, RevertPage, UndoPage

app_name = "inbox"
urlpatterns = [
    path("", InboxPage.as_view(), name="list"),
    *(path(f"{kind}/<uuid:item_id>/", DecidePage.as_view(kind=kind), name=kind) for kind in KINDS),
    path("runs/<uuid:run_id>/revert/", RevertPage.as_view(), name="revert"),
    path("decisions/<uuid:decision_id>/undo/", UndoPage.as_view(), name="undo"),
]
