"""A login that looks at pages and sends their forms, without a browser: cookies, tokens, HTML."""

from __future__ import annotations

import re
import uuid
from html import unescape

import httpx

from benchmarks.server import Server, manage

HIDDEN = re.compile(
    r'<input type="hidden" name="(?P<name>csrfmiddlewaretoken|version)" value="(?P<value>[^"]*)"'
)
FIELD = re.compile(r'<(?:input|select|textarea)[^>]*\bname="(?P<name>[\w-]+)"')
LINKED = re.compile(r"/(?P<id>[0-9a-f-]{36})/change/[^>]*>(?P<text>[^<]*)")  # a row of the admin site's lists
LINK = re.compile(r'href="([^"]+)"')
TIMEOUT_S = 60


class Browser:
    """Cookies of one login; `home` is the beginning of its tenant's addresses."""

    def __init__(self, url: str, tenant: str) -> None:
        self._client = httpx.Client(base_url=url, follow_redirects=True, timeout=TIMEOUT_S)
        self.home = f"/t/{tenant}/"

    def look(self, path: str) -> str:
        """A page's HTML; the number of its error where it is one."""
        answer = self._client.get(path)
        return answer.text if answer.status_code == httpx.codes.OK else f"error {answer.status_code}"

    def send(self, path: str, **fields: str) -> str:
        """The form of a page, to the page itself, with the token and the version it was shown."""
        hidden = {unescape(one["name"]): unescape(one["value"]) for one in HIDDEN.finditer(self.look(path))}
        origin = str(self._client.base_url)
        return self._client.post(path, data={**hidden, **fields}, headers={"Referer": origin}).text

    def fields(self, path: str) -> list[str]:
        """Names of what can be filled in."""
        return FIELD.findall(self.look(path))

    def find_link(self, path: str, part: str) -> str:
        """The first address on a page that has this in it; empty where there is none."""
        return next((unescape(link) for link in LINK.findall(self.look(path)) if part in link), "")

    def find_id(self, kind: str, text: str) -> str:
        """Of what the admin site lists under this text; empty where there is none."""
        page = self.look(f"/admin/tenants/{kind}/?q={text}")
        return next((row["id"] for row in LINKED.finditer(page) if unescape(row["text"]) == text), "")


def open_browser(server: Server, tenant: str) -> Browser:
    """As an owner of the tenant; made by the operator, in the admin site."""
    email, password = f"owner-{uuid.uuid4().hex[:6]}@rows.example", uuid.uuid4().hex
    environment = {
        **server.environment,
        "DJANGO_SUPERUSER_EMAIL": email,
        "DJANGO_SUPERUSER_PASSWORD": password,
    }
    manage(environment, "createsuperuser", "--noinput")
    browser = Browser(server.url, tenant)
    browser.send("/accounts/login/", login=email, password=password)
    chosen = {"tenant": browser.find_id("tenant", tenant), "user": browser.find_id("user", email)}
    browser.send("/admin/tenants/membership/add/", **chosen, role="owner")
    return browser
