"""Signatures, by the standard's own example and as a receiver checks them."""

from __future__ import annotations

import pytest
from django.test import override_settings

from nebo.product.events.signing import make_secret, sign, signed_headers
from nebo.tenants.sealing import Unreadable, seal, unseal

# From the documentation of Standard Webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1_614_265_330
BODY = b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_example_of_the_standard_comes_out() -> None:
    assert sign(secret=SECRET, message_id=MESSAGE, timestamp=AT, body=BODY) == SIGNATURE


@pytest.mark.parametrize(
    "changed",
    [
        {"message_id": "msg_other"},
        {"timestamp": AT + 1},
        {"body": b'{"test": 2432232315}'},
        {"secret": make_secret()},
    ],
)
def test_a_signature_is_good_for_one_message_at_one_time(changed: dict[str, object]) -> None:
    asked = {"secret": SECRET, "message_id": MESSAGE, "timestamp": AT, "body": BODY, **changed}

    assert sign(**asked) != SIGNATURE


def test_two_secrets_give_two_signatures_in_one_header() -> None:
    headers = signed_headers(secrets=[make_secret(), SECRET], message_id=MESSAGE, timestamp=AT, body=BODY)

    first, second = headers["webhook-signature"].split(" ")
    assert second == SIGNATURE
    assert first.startswith("v1,") and first != second
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == (MESSAGE, str(AT))


def test_every_secret_is_another_and_long_enough() -> None:
    made = {make_secret() for _ in range(50)}

    assert len(made) == 50
    assert all(one.startswith("whsec_") and len(one) == 50 for one in made)


def test_a_sealed_secret_can_be_read_with_the_same_key_alone() -> None:
    secret = make_secret()
    sealed = seal(secret)

    assert secret not in sealed
    assert unseal(sealed) == secret
    with override_settings(SECRET_KEY="another key of the installation"), pytest.raises(Unreadable):
        unseal(sealed)
