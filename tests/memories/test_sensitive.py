from __future__ import annotations

import itertools
import random
import string
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.screening.sensitive import (
    DETECTORS,
    FIRST_UNSPACED,
    features_of,
    find_sensitive,
    passes_iban,
    passes_luhn,
    redact,
    widened,
)

RANDOM = random.Random(7)  # fixed: every run sees the same made-up secrets


def _run(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(RANDOM.choice(alphabet) for _ in range(length))


SECRETS = {
    "aws_key": "AKIA" + _run(16, string.ascii_uppercase + "234567"),
    "github_token": "ghp_" + _run(36),
    "slack_token": "xoxb-" + _run(12, string.digits) + "-" + _run(24),
    "stripe_key": "sk_live_" + _run(24),
    "google_key": "AIza" + _run(35),
    "openai_key": "sk-proj-" + _run(48),
    "anthropic_key": "sk-ant-api03-" + _run(80),
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJ" + _run(40) + "." + _run(43),
    "private_key": "-----BEGIN RSA PRIVATE KEY-----\n" + _run(64) + "\n-----END RSA PRIVATE KEY-----",
    "nebo_key": "nebo_" + _run(12) + "_" + _run(43),
    "card_number": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "us_ssn": "536-22-1234",
}


@pytest.mark.parametrize(("kind", "secret"), SECRETS.items())
def test_a_secret_is_found_where_it_stands(kind: str, secret: str) -> None:
    text = f"By the way, {secret} is what I use."

    (match,) = find_sensitive(text)

    assert match.kind == kind
    assert text[match.start : match.end] == secret


@pytest.mark.parametrize(
    ("text", "kind", "kept"),
    [
        ("my password is hunter2!", "password", "my password is"),
        ("The wifi password for the cabin is Tr0ub4dor&3.", "password", "The wifi password for the cabin is"),
        ('password: "correct horse"', "password", "password:"),
        ("I changed my password to Xk29!mond", "password", "I changed my password to"),
        ("Use the password hunter2024 for the guest account", "password", "Use the password"),
        ("pw: s3cret!pw", "password", "pw:"),
        ("Mein Passwort lautet Sonne77!", "password", "Mein Passwort lautet"),
        ("La contraseña es Gato1234", "password", "La contraseña es"),
        (
            "recuerda que mi contraseña del correo es Gorrión!77",
            "password",
            "recuerda que mi contraseña del correo es",
        ),
        (
            "Das WLAN-Passwort vom Ferienhaus ist Moewe2019",
            "password",
            "Das WLAN-Passwort vom Ferienhaus ist",
        ),
        ("le mot de passe du wifi c'est Brise_44", "password", "le mot de passe du wifi c'est"),
        ("la password della posta è Girasole99", "password", "la password della posta è"),
        ("Die Geheimzahl meiner Karte lautet 8812", "pin", "Die Geheimzahl meiner Karte lautet"),
        ("mi clave del banco es 4471", "pin", "mi clave del banco es"),
        ("le code de la porte est 2580", "pin", "le code de la porte est"),
        ("il codice dell'allarme è 7431", "pin", "il codice dell'allarme è"),
        ("The password is now Xk29!mond", "password", "The password is now"),
        ("my pin is 4821", "pin", "my pin is"),
        ("the door code is 9931", "pin", "the door code is"),
        ("api_key = Zx81kQmN0pR7sT2u", "secret", "api_key ="),
        ("Authorization: Bearer abc123def456ghi789", "bearer_token", "Authorization: Bearer"),
        ("postgres://nebo:s3cretpw@db.test/nebo", "url_password", "postgres://nebo:"),
        ("amex 3782 822463 10005 expires 04/29", "card_number", "amex"),
        ("My SSN is 536 22 1234", "us_ssn", "My SSN is"),
        ("passport number: X1234567", "identity_number", "passport number:"),
        ("seed phrase: " + "apple river stone cloud " * 3, "recovery_phrase", "seed phrase:"),
    ],
)
def test_what_its_name_gives_away_is_hidden_and_the_rest_kept(text: str, kind: str, kept: str) -> None:
    redacted = redact(text)

    assert [match.kind for match in find_sensitive(text)] == [kind]
    assert redacted.startswith(kept)
    assert f"[{kind.replace('_', ' ')} removed]" in redacted


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again",
        "My password is stored in a manager",
        "I use the password manager 1Password",
        "She asked for a password reset yesterday",
        "Change the password every 90days",
        "el código postal es 28013",
        "la clave es 12 minutos de horno",
        "the spin is 2000 rpm",
        "Das Passwort zu ändern war leicht",
        "Moved the password to the vault",
        "The password is required, and it's different at work",
        "Call me at +1 (555) 010-9999 or 030 1234567 after 18:30",
        "Born on 1987-06-05, moved on 12/11/2019, order 2024-05-31-0042",
        "request 6f1c9c1e-8d5f-4b0e-9f43-0f2f5a3f2a11 failed",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it",
        "sha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "The key is under the mat and the token of love is a ring",
        "api_key = YOUR_API_KEY_HERE and token: <your-token-here-1234567>",
        "4111 1111 1111 1112 is no card, and neither is 0000000000000000",
        "see https://docs.test/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd/edit",
        "the secret ingredient is cinnamon-and-nutmeg-2024",
        "ISBN 978-3-16-148410-0, flight LH1234, room 1204",
        "My account is locked and my pin is on the board",
        "test_a_long_function_name_in_snake_case_2024 and some-kebab-case-branch-name-2024",
    ],
)
def test_ordinary_text_raises_no_alarm(text: str) -> None:
    assert find_sensitive(text) == []


@pytest.mark.parametrize("number", ["4111111111111111", "5555555555554444", "378282246310005", "79927398713"])
def test_luhn_knows_a_good_number_from_its_neighbours(number: str) -> None:
    assert passes_luhn(number)
    assert not passes_luhn(number[:-1] + str((int(number[-1]) + 1) % 10))


@pytest.mark.parametrize("iban", ["GB82 WEST 1234 5698 7654 32", "FR14 2004 1010 0505 0001 3M02 606"])
def test_an_iban_is_checked_by_length_and_remainder(iban: str) -> None:
    assert passes_iban(iban)
    assert not passes_iban(iban[:-1])
    assert not passes_iban(iban.replace("1", "2", 1))


@given(st.text(max_size=300))
def test_matches_lie_in_the_text_in_order_and_apart(text: str) -> None:
    matches = find_sensitive(text)

    assert all(0 <= m.start < m.end <= len(text) for m in matches)
    assert all(first.end <= second.start for first, second in itertools.pairwise(matches))


@pytest.mark.parametrize("number", range(len(DETECTORS)))
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_has_a_shape_is_searched_for_it(number: int, data: st.DataObject) -> None:
    detector = DETECTORS[number]
    text = data.draw(st.from_regex(detector.pattern))
    found = detector.pattern.search(text)

    holds = found is not None and detector.accepts(found["secret" if "secret" in found.groupdict() else 0])

    assert not holds or detector.may_be_in(features_of(text))


def test_ordinary_words_are_searched_for_nothing() -> None:
    features = features_of("We walked along the river for 2 hours, talked about chess, then had soup.")

    assert not [one.kind for one in DETECTORS if one.may_be_in(features)]


@pytest.mark.parametrize(
    "iban", ["MT84MALT011000012345MTLCAST001S", "LU28 0019 4006 4475 0000", "BG80 BNBG 9661 1020 3456 78"]
)
def test_an_iban_with_few_digits_is_found(iban: str) -> None:
    assert [one.kind for one in find_sensitive(f"Send it to {iban}, please.")] == ["iban"]


@pytest.mark.parametrize(
    "unit",
    ["sk-", "password is ", "a_", "1 ", "4111 ", "DE12 ", "ey", "api key ", "-----BEGIN ", "a", "A1", "x="],
)
def test_a_hostile_text_of_100_kb_is_read_in_bounded_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]

    started = time.process_time()
    find_sensitive(text)

    assert time.process_time() - started < 3.0


@pytest.mark.parametrize(
    "text",
    [
        "Meine Steuernummer ist 12/345/67890.",
        "Meine Steuer-ID lautet 12345678911.",
        "Mi NIF es 12345678Z.",
        "El DNI 12345678Z es mío.",
        "My tax number is 12-3456789.",
        "Sozialversicherungsnummer: 65 170839 J 003",
    ],
)
def test_tax_and_identity_numbers_are_known_by_their_names_or_their_letter(text: str) -> None:
    assert [match.kind for match in find_sensitive(text)] == ["identity_number"]
    assert find_sensitive(text.translate(str.maketrans("", "", "0123456789"))) == []


def test_a_letter_that_is_wrong_makes_no_dni() -> None:
    assert find_sensitive("The part 12345678A is out of stock.") == []


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_no_mask_cuts_a_word_in_two(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))

    first, last = widened(text, start, end) if start < end else (start, end)

    assert first <= start <= end <= last
    spaced = [edge for edge in (first, last) if start < end and 0 < edge < len(text)]
    around = [text[edge - 1 : edge + 1] for edge in spaced]
    assert not [pair for pair in around if pair.isalnum() and max(pair) < FIRST_UNSPACED]
