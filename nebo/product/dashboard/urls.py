"""Addresses of the dashboard: the way in, and everything of one tenant below /t/<tenant>/, or
/t/<tenant>/p/<person>/ where a login stands for several people."""

from django.templatetags.static import static
from django.urls import include, path, register_converter
from django.views.generic import RedirectView

from nebo.product.dashboard import api_pages, views
from nebo.product.workspace.exchange import ExchangeView
from nebo.product.workspace.pages.join import JoinPage
from nebo.product.workspace.pages.language import LanguagePage
from nebo.tenants.places import PlaceConverter

register_converter(PlaceConverter, "place")


class FaviconView(RedirectView):
    """For those who ask without having read the page."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("nebo/favicon.svg")


dashboard = [
    path("", views.StartPage.as_view(), name="start"),
    path("docs/api/", api_pages.ApiPage.as_view(), name="api"),
    path("docs/api/<slug:subject>/", api_pages.ApiSubjectPage.as_view(), name="api_subject"),
    path("llms.txt", api_pages.LlmsPage.as_view(), name="llms"),
    path("favicon.ico", FaviconView.as_view(), name="favicon"),
    path("t/<place:tenant>/", views.HomePage.as_view(), name="home"),
    path("t/<place:tenant>/first-call/", views.FirstCallPage.as_view(), name="first_call"),
    path("t/<place:tenant>/live/", views.LivePage.as_view(), name="live"),
    path("t/<place:tenant>/first-key/", views.FirstKeyPage.as_view(), name="first_key"),
]

urlpatterns = [
    path("", include((dashboard, "dashboard"))),
    path("join/", JoinPage.as_view(), name="join"),
    path("accounts/language/", LanguagePage.as_view(), name="language"),
    path("connect/", ExchangeView.as_view(), name="connect_exchange"),
    path("t/<place:tenant>/memories/", include("memories.pages.urls")),
    path("t/<place:tenant>/inbox/", include("nebo.product.inbox.urls")),
    path("t/<place:tenant>/people/", include("memories.pages.people_urls")),
    path("t/<place:tenant>/todos/", include("memories.pages.todo_urls")),
    path("t/<place:tenant>/files/", include("nebo.product.memory_files.pages.urls")),
    path("t/<place:tenant>/sessions/", include("sessions.pages.urls")),
    path("t/<place:tenant>/context/", include("sessions.pages.context_urls")),
    path("t/<place:tenant>/personality/", include("personality.pages.urls")),
    path("t/<place:tenant>/personality/", include("sessions.pages.manner_urls")),
    path("t/<place:tenant>/data/", include("nebo.product.governance.dashboard_urls")),
    path("t/<place:tenant>/audit/", include("nebo.product.governance.audit_urls")),
    path("t/<place:tenant>/everyone/", include("nebo.product.governance.everyone_urls")),
    path("t/<place:tenant>/settings/", include("nebo.product.governance.settings_urls")),
    path("t/<place:tenant>/members/", include("nebo.product.workspace.pages.member_urls")),
    path("t/<place:tenant>/connect/", include("nebo.product.workspace.pages.connect_urls")),
    path("t/<place:tenant>/keys/", include("nebo.product.workspace.pages.key_urls")),
    path("t/<place:tenant>/usage/", include("nebo.product.workspace.pages.usage_urls")),
    path("t/<place:tenant>/providers/", include("nebo.product.workspace.pages.provider_urls")),
    path("t/<place:tenant>/webhooks/", include("nebo.product.events.pages.urls")),
    path("t/<place:tenant>/jobs/", include("nebo.jobs.dashboard_urls")),
]
