"""Where requests to forget had a page of their own."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url

from nebo.tenants.pages import PageRequest, TenantPage


class ForgetPage(TenantPage):
    """To the inbox, where they are decided."""

    def get(self, request: PageRequest) -> HttpResponseBase:
        return redirect(f"{resolve_url('inbox:list', self.access.place)}?kind=forget")
