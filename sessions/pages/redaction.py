"""The button by which a person takes words of a conversation out for good."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from nebo.errors import InvalidInput
from nebo.tenants.ids import read_id
from nebo.tenants.pages import PageRequest, TenantPage
from sessions.models import Session
from sessions.redaction.redact import redact_message, redact_session
from sessions.selectors import get_seen_session


class RedactPage(TenantPage):
    """Words of a message, a line each; without words the message; without a message the whole conversation."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, session_id: UUID) -> HttpResponseBase:
        session = get_seen_session(
            tenant=self.access.tenant, person_ids=[self.person.pk], session_id=session_id
        )
        try:
            with transaction.atomic():
                messages.success(request, self.redact(request, session))
        except InvalidInput as error:
            messages.error(request, error.detail)
        return redirect("sessions:detail", self.access.place, session.pk)

    def redact(self, request: PageRequest, session: Session) -> str:
        """Do it; what one reads afterwards."""
        tenant, actor = self.access.tenant, self.access.actor
        chosen = request.POST.get("message", "")
        if not chosen:
            count = redact_session(tenant=tenant, session=session, actor=actor)
            told = ngettext(
                "Redacted %(number)s message. Summaries are written again.",
                "Redacted %(number)s messages. Summaries are written again.",
                count,
            )
            return told % {"number": count}
        words = [line for line in request.POST.get("words", "").splitlines() if line.strip()]
        redact_message(tenant=tenant, session=session, message_id=read_id(chosen), words=words, actor=actor)
        return _("Redacted for good. Summaries are written again.")
