"""Secrets of authenticator apps and of recovery codes can't be read in the database, and open the door all the same."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client

from nebo.tenants.sealed_rows import count_sealed, reencrypt
from nebo.tenants.sealing import Unreadable
from tests.conftest import Team

PASSWORD = "correct horse battery"
OLD, NEW = "o" * 40, "n" * 40
PAGE = "/accounts/2fa/authenticate/"

pytestmark = pytest.mark.usefixtures("committed_db")


@pytest.fixture
def secret(acme: Team) -> str:
    """Of the owner's authenticator app; with recovery codes beside it."""
    secret = str(generate_totp_secret())
    TOTP.activate(acme.owner, secret)
    RecoveryCodes.activate(acme.owner)
    return secret


def code_of(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))


def sign_in(team: Team, code: str) -> bool:
    """Password first, then the code; whether the home page opens."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": team.owner.email, "password": PASSWORD})
    assert answer["Location"].startswith(PAGE)
    client.post(PAGE, {"code": code})
    return client.get("/t/acme/keys/").status_code == 200


def stored() -> str:
    return str(list(Authenticator.objects.order_by("pk").values_list("data", flat=True)))


def test_what_is_stored_shows_no_secret_and_opens_the_door(secret: str, acme: Team) -> None:
    (recovery,) = Authenticator.objects.filter(type=Authenticator.Type.RECOVERY_CODES)
    codes = recovery.wrap().generate_codes()

    assert secret not in stored()
    assert recovery.data["seed"].startswith("gAAAA")
    assert sign_in(acme, code_of(secret))
    assert sign_in(acme, codes[0])
    assert not sign_in(acme, "000000" if code_of(secret) != "000000" else "111111")


def test_the_key_can_be_changed(secret: str, acme: Team, settings: Any) -> None:
    settings.ENCRYPTION_KEYS = (NEW,)
    assert (count_sealed().newest, count_sealed().older) == (0, 2)

    reencrypt()
    settings.SECRET_KEY = "another key of this server, quite long"

    assert (count_sealed().newest, count_sealed().older, count_sealed().unreadable) == (2, 0, {})
    assert sign_in(acme, code_of(secret))


def test_without_the_key_no_code_is_right(secret: str, acme: Team, settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key of this server, quite long", []

    with pytest.raises(Unreadable):
        sign_in(acme, code_of(secret))

    assert count_sealed().unreadable == {"mfa_authenticator": 2}
