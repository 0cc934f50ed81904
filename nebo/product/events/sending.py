"""The job of an endpoint: what is due, one after the other, with no transaction open while a receiver is asked.

What came of each is written down at once, so a job that is killed sends at most the one that was under way again, under
the same id.
"""

from __future__ import annotations

import time
from uuid import UUID

import httpx
from django.utils.translation import gettext as _

from nebo.jobs.claims import Claim
from nebo.outbound.addresses import allowed_networks
from nebo.outbound.guarded import open_client
from nebo.product.events.deliveries import SLOW_MS, Message, find_next, note_answer
from nebo.product.events.signing import signed_headers
from nebo.product.events.transport import Answer, post

RUN_S = 5.0  # seconds of sending, then others get their turn
HEADERS = {"content-type": "application/json", "user-agent": "Nebo-Webhooks/1"}


def deliver(claim: Claim) -> None:
    """Send what is due at the endpoint; what is left after some seconds waits for another turn.

    After a slow answer the job ends: the next one stands where it can't hold up anybody (`scheduling.py`).
    """
    endpoint_id = UUID(claim.payload["endpoint"])
    counts, is_slow = {"delivered": 0, "failed": 0}, False
    began = time.monotonic()
    message = find_next(tenant_id=claim.tenant_id, endpoint_id=endpoint_id)
    while message and not is_slow and time.monotonic() - began < RUN_S:
        answer = send(message)
        note_answer(
            tenant_id=claim.tenant_id,
            endpoint_id=endpoint_id,
            delivery_id=message.delivery_id,
            answer=answer,
        )
        counts["delivered" if answer.is_success else "failed"] += 1
        is_slow = answer.milliseconds > SLOW_MS
        message = find_next(tenant_id=claim.tenant_id, endpoint_id=endpoint_id)
    with claim.publish() as result:
        result.update(counts)
        if message and not is_slow:
            claim.give_way()


def send(message: Message) -> Answer:
    """One attempt."""
    headers = signed_headers(
        secrets=message.secrets,
        message_id=str(message.event_id),
        timestamp=int(time.time()),
        body=message.body,
    )
    try:
        client = open_client(message.url, networks=allowed_networks())
    except httpx.InvalidURL:
        return Answer(status=None, milliseconds=0, error=_("This is no address."))
    with client:
        return post(client, url=message.url, body=message.body, headers={**HEADERS, **headers})
