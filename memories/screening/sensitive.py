"""Secrets and numbers that must never become a durable memory.

Known token shapes are taken at their word; numbers are taken when their check digits agree; anything else only
when the text names it ("password is …", "api_key = …") and what follows looks the part. Ordinary prose, dates,
phone numbers, UUIDs and hashes standing alone are left in peace.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memories.screening import secret_shapes as shapes

SECRET_MIN_ENTROPY = 3.0  # bits a character; words and repetitions of this length stay under it
SECRET_MIN_CHARS = 10  # characters of a secret that only its name gives away
TOKEN_MIN_ENTROPY = 3.4  # bits a character of a token that only its prefix gives away
RUN_MIN_ENTROPY = 4.2  # bits a character of a run that nothing gives away
LONG = 20  # characters of a value that needs fewer digits to be a secret
MASK = "[{kind} removed]"
IDENTITY_DIGITS = 5  # at least, of a number that its name gives away
DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"  # by the remainder modulo 23
FIRST_UNSPACED = "\u2e80"  # from CJK radicals on, letters are no sign of a word that goes on


_PLACEHOLDER = re.compile(r"\*{3}|x{4}|\.{3}|<|\$\{|\{\{|(?i:your[_-]|example|changeme|placeholder|redacted)")
_HEX_OR_UUID = re.compile(r"[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DIGIT = re.compile(r"\d")
_CODED = re.compile(r"\b[^\W\d_]{2}\d{2}")
_NUMBER = re.compile(r"\d(?:[ /.-]?\d)*")
_WORDY = re.compile(r"(?:[a-z]{4,}[_./=+~-]?){3,}\d{0,4}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SensitiveMatch:
    """One stretch of a text, `text[start:end]`, that is a secret of a kind."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Detector:
    """A shape of a kind of secret, and the test its text must also pass.

    The rest tells much faster which texts can't hold one: all that do have one of `words` (folded), so many `digits`,
    so many of them in one `number`, and a `run` of so many characters without a space, with a digit among them; and
    if they are `coded`, two letters with two digits behind them.
    """

    kind: str
    pattern: re.Pattern[str]
    accepts: Callable[[str], bool]
    words: tuple[str, ...] = ()
    digits: int = 0
    number: int = 0
    run: int = 0
    coded: bool = False

    def may_be_in(self, features: Features) -> bool:
        """Whether a text with these features is to be searched for it."""
        if features.digits < self.digits or features.number < self.number or features.run < self.run:
            return False
        if self.coded and not features.coded:
            return False
        return not self.words or any(word in features.folded for word in self.words)


@dataclass(frozen=True, slots=True)
class Features:
    """What is looked at once for all shapes: the text without capitals, how many digits it has, how many the longest
    number has (its groups apart by a character), the length of the longest run with a digit in it, and whether a word
    begins with two letters and two digits.
    """

    folded: str
    digits: int
    number: int
    run: int
    coded: bool


def features_of(text: str) -> Features:
    """The dotless i counts as an i, since it does where a shape ignores case."""
    numbers = [len(_DIGIT.findall(number)) for number in _NUMBER.findall(text)]
    return Features(
        folded=text.casefold().replace("ı", "i"),
        digits=sum(numbers),
        number=max(numbers, default=0),
        run=max(
            (len(run) for run in text.split() if len(run) >= SECRET_MIN_CHARS and _DIGIT.search(run)),
            default=0,
        ),
        coded=_CODED.search(text) is not None,
    )


def find_sensitive(text: str) -> list[SensitiveMatch]:
    """Secrets in a text, in order, none overlapping; the detector named first wins an overlap."""
    taken: list[SensitiveMatch] = []
    for match in _candidates(text):
        if all(match.end <= other.start or match.start >= other.end for other in taken):
            taken.append(match)
    return sorted(taken, key=lambda match: match.start)


def redact(text: str) -> str:
    """The text with each secret replaced by its kind in brackets."""
    parts, at = [], 0
    for match in find_sensitive(text):
        parts += [text[at : match.start], MASK.format(kind=match.kind.replace("_", " "))]
        at = match.end
    return "".join([*parts, text[at:]])


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the words at its ends whole; in scripts without spaces, as it is."""
    while 0 < start < len(text) and _is_in_word(text[start - 1]) and _is_in_word(text[start]):
        start -= 1
    while 0 < end < len(text) and _is_in_word(text[end - 1]) and _is_in_word(text[end]):
        end += 1
    return start, end


def _is_in_word(character: str) -> bool:
    return character.isalnum() and character < FIRST_UNSPACED


def passes_luhn(digits: str) -> bool:
    """Whether digits carry a right last one (ISO/IEC 7812-1, annex B)."""
    numbers = [int(d) for d in reversed(digits)]
    doubled = (n * 2 - 9 if n > 4 else n * 2 for n in numbers[1::2])
    return bool(numbers) and (sum(numbers[::2]) + sum(doubled)) % 10 == 0


def passes_iban(text: str) -> bool:
    """Whether a text is an IBAN: its country's length, and remainder 1 modulo 97 (ISO 13616)."""
    compact = re.sub(r"\s", "", text).upper()
    if len(compact) != shapes.IBAN_LENGTHS.get(compact[:2], -1):
        return False
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


def passes_dni(text: str) -> bool:
    """Whether the letter of a Spanish DNI or NIE is right (Orden INT/2058/2008)."""
    compact = text.replace("-", "").upper()
    number = str("XYZ".find(compact[0])) + compact[1:-1] if compact[0] in "XYZ" else compact[:-1]
    return DNI_LETTERS[int(number) % len(DNI_LETTERS)] == compact[-1]


def entropy(text: str) -> float:
    """Shannon entropy of a text's own characters, in bits a character."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values()) if text else 0.0


def _candidates(text: str) -> Iterator[SensitiveMatch]:
    features = features_of(text)
    for detector in DETECTORS:
        if not detector.may_be_in(features):
            continue
        for match in detector.pattern.finditer(text):
            span = _trimmed(match)
            if detector.accepts(text[span[0] : span[1]]):
                yield SensitiveMatch(detector.kind, *widened(text, *span))


def _trimmed(match: re.Match[str]) -> tuple[int, int]:
    """The secret's span without the full stop of the sentence around it."""
    group = "secret" if "secret" in match.re.groupindex else 0
    start, end = match.span(group)
    return start, end - (len(match.group(group)) - len(match.group(group).rstrip(".,;")))


def _is_card(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and passes_luhn(digits)


def _is_ssn(text: str) -> bool:
    area, group, serial = text.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _is_secret(text: str) -> bool:
    if len(text) < SECRET_MIN_CHARS or _PLACEHOLDER.search(text) or _WORDY.fullmatch(text):
        return False
    return _has_mixture(text) and entropy(text) >= SECRET_MIN_ENTROPY


def _is_token_tail(text: str) -> bool:
    if _HEX_OR_UUID.fullmatch(text) or sum(c.isdigit() for c in text) < 2:
        return False
    return _is_secret(text) and entropy(text) >= TOKEN_MIN_ENTROPY


def _is_assigned_value(text: str) -> bool:
    return _is_secret(text) and sum(c.isdigit() for c in text) >= 3 and entropy(text) >= TOKEN_MIN_ENTROPY


def _is_joined_value(text: str) -> bool:
    """No list of numbers, no address, no date; a long one may have few digits."""
    letters, digits = sum(c.isalpha() for c in text), sum(c.isdigit() for c in text)
    is_random = _is_secret(text) and entropy(text) >= TOKEN_MIN_ENTROPY
    return is_random and letters >= 4 and "/" not in text[:8] and digits >= (2 if len(text) >= LONG else 3)


def _is_random_run(text: str) -> bool:
    return _is_token_tail(text) and any(c.islower() for c in text) and entropy(text) >= RUN_MIN_ENTROPY


def _has_mixture(text: str) -> bool:
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


def _is_password(text: str) -> bool:
    return len(text) >= 6 and not _PLACEHOLDER.search(text) and not text.replace("-", "").isalpha()


def _is_mixed_password(text: str) -> bool:
    return _is_password(text) and _has_mixture(text) and not text[0].isdigit()


def _is_quoted_password(text: str) -> bool:
    return len(text) >= 3 and not _PLACEHOLDER.search(text)


def _has_five_digits(text: str) -> bool:
    return sum(c.isdigit() for c in text) >= IDENTITY_DIGITS


def _always(_: str) -> bool:
    return True


_PASSWORD_WORDS = ("pass", "pw", "kennwort", "contrase", "senha", "parola", "clave")
_IDENTITY_WORDS = (
    *("steuer", "nummer", "ausweis", "pasaporte", "seguridad", "mero", "méro", "nif", "nie", "dni", "cif"),
    *("codice", "partita"),
)
_TOKEN_WORDS = {
    "anthropic_key": ("sk-ant-",),
    "openai_key": ("sk-",),
    "aws_key": ("akia", "asia", "abia", "acca"),
    "github_token": ("gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_"),
    "gitlab_token": ("gl",),
    "slack_token": ("xox", "xapp", "slack"),
    "stripe_key": ("_test_", "_live_", "_prod_", "whsec_"),
    "google_key": ("aiza", "gocspx-", "ya29."),
    "jwt": ("ey",),
    "nebo_key": ("nebo_",),
    "hugging_face_token": ("hf_", "api_org_"),
    "age_key": ("age-secret-key-1",),
    "hex_token": (
        *("dop_v1_", "doo_v1_", "dor_v1_", "dapi", "shp", "key-", "pul-", "shippo_", "rubygems_", "sgp_"),
        *("xkeysib-", "pmak-", "sntryu_", "nrjs-", "sk"),
    ),
}

_MARKS = (
    *("a3-", "pat", "ltai", "v1.0-", "flw", "s-s4t2", "sm_", "s.", "gr1348941", "a3t", "eaa", "sc_", "ext_"),
    *("scauth_", "authress_", "ico-", "|", "%"),
)

DETECTORS = (
    Detector("private_key", re.compile(shapes.PRIVATE_KEY), _always, words=("-----begin",)),
    *(
        Detector(kind, re.compile(shape), _always, words=_TOKEN_WORDS[kind])
        for kind, shape in shapes.TOKENS.items()
    ),
    Detector("url_password", re.compile(shapes.URL_LOGIN), _is_quoted_password, words=("://",)),
    Detector("password", re.compile(shapes.QUOTED_PASSWORD), _is_quoted_password, words=_PASSWORD_WORDS),
    Detector("password", re.compile(shapes.BARE_PASSWORD), _is_password, words=_PASSWORD_WORDS),
    Detector("password", re.compile(shapes.NEXT_PASSWORD), _is_mixed_password, words=_PASSWORD_WORDS),
    Detector(
        "bearer_token", re.compile(shapes.BEARER), _is_secret, words=("authorization", "bearer"), run=16
    ),
    Detector("secret", re.compile(shapes.NAMED_SECRET), _is_secret, run=SECRET_MIN_CHARS),
    Detector(
        "secret",
        re.compile(shapes.ASSIGNED_SECRET),
        _is_secret,
        words=("key", "token", "secret", "credential", "passwd", "auth", "jwt"),
        run=SECRET_MIN_CHARS,
    ),
    Detector("secret", re.compile(shapes.ASSIGNED_VALUE), _is_assigned_value, words=("=",), digits=3, run=16),
    Detector("secret", re.compile(shapes.JOINED_VALUE), _is_joined_value, digits=2, run=15),
    Detector("secret", re.compile(shapes.MARKED_RUN), _always, words=_MARKS),
    Detector("secret", re.compile(shapes.RANDOM_RUN), _is_random_run, digits=2, run=28),
    Detector("secret", re.compile(shapes.PREFIXED_RUN), _is_token_tail, digits=2, run=23),
    Detector("pin", re.compile(shapes.PIN), _always, words=("pin", "cv", "otp", "code"), number=3),
    Detector(
        "pin",
        re.compile(shapes.FOREIGN_PIN),
        _always,
        words=("geheim", "code", "pin", "clave", "digo", "codice"),
        number=4,
    ),
    Detector(
        "recovery_phrase",
        re.compile(shapes.RECOVERY_PHRASE),
        _always,
        words=("seed", "recovery", "mnemonic", "backup"),
    ),
    Detector("card_number", re.compile(shapes.CARD), _is_card, number=13),
    Detector("iban", re.compile(shapes.IBAN), passes_iban, coded=True),
    Detector("us_ssn", re.compile(shapes.US_SSN), _is_ssn, number=9),
    Detector("us_ssn", re.compile(shapes.NAMED_SSN), _always, words=("ssn", "social"), number=9),
    Detector(
        "identity_number",
        re.compile(shapes.IDENTITY_NUMBER),
        _always,
        words=("passport", "licen", "tax", "national", "vat", "tin", "account"),
        digits=2,
    ),
    Detector(
        "identity_number",
        re.compile(shapes.FOREIGN_IDENTITY),
        _has_five_digits,
        words=_IDENTITY_WORDS,
        digits=IDENTITY_DIGITS,
    ),
    Detector("identity_number", re.compile(shapes.SPANISH_IDENTITY), passes_dni, number=7),
)
