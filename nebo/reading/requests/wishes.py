"""What a wish about an agent's manner asks for, where that is certain: a field and its value, in five languages.

A sentence is known to be a wish before it comes here. Vectors hardly see a "not", so a value counts only where the
words, their polarity and the slot agree; otherwise whoever asks keeps the sentence itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

ADDRESS = "Address them as "  # begins the rule that a form of address becomes
NAME_CHARS = 40  # characters of a name
PART_WORDS = 5  # of a role or a creature; what is longer is a story
SLOTS = (
    "length:short", "length:long", "emoji:no", "emoji:yes", "formality:formal", "formality:casual", "language",
    "address", "format", "tone", "questions", "sources", "units", "spelling", "words", "other",
)  # fmt: skip
SINGLE = (
    "length",
    "emoji",
    "formality",
    "language",
    "address",
    "units",
    "spelling",
)  # of these one answer holds
CLEAR = 0.6  # share from which there is no doubt what a sentence is about
SECOND = 0.3  # share of what speaks for any slot from which a sentence is about a second thing, too
TOUCHED = 0.2  # share of what speaks for any slot from which a sentence touches a matter
PLAINLY = 2  # times as likely as its opposite is what a sentence says of a matter
NEARLY = 0.4  # of the likelier way's chance, from which "short" or "long" is left to the words


@dataclass(frozen=True, slots=True)
class FieldRequest:
    """A field of the persona and what it should be."""

    field: str
    value: str


_NOT = re.compile(
    r"\b(?:not?|never|without|stop|quit|avoid|skip|drop|lose|enough|nicht|kein\w*|nie|niemals|ohne|lass|schluss|spar"
    r"|verzichte\w*|weglass\w*|aufhör\w*|hör|nunca|sin|nada|deja|evita\w*|basta|nix|ne|pas|jamais|sans|arrête\w*|cesse\w*|évite\w*"
    r"|non|mai|senza|niente|smett\w*|nessun\w*|zero|cero|zéro|null)\b|n['’]t\b|\bn['’]",
    re.IGNORECASE,
)
_LESS = re.compile(r"\b(?:less|fewer|weniger|menos|moins|meno)\b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:more|lots|plenty|many|mehr|viele?|más|muchos|plus|beaucoup|più|tanti|molti)\b", re.IGNORECASE
)
_EXCESS = re.compile(
    r"\b(?:too|than|trop|troppo|demasiad[oa]s?|zu (?:lang|kurz|knapp|ausführlich|förmlich|formell|steif|locker)\w*)\b",
    re.IGNORECASE,
)
_EMOJI = re.compile(
    r"\b(?:emojis?|emoticons?|emoticonos?|émoticônes?|smileys?|caritas|faccine)\b", re.IGNORECASE
)
_SIGN = re.compile(r"[\U0001F300-\U0001FAFF\u2600-\u27BF]")

# A slot, its field, and the words for the two values between which it decides.
_WAYS = {
    "length:short": ("response_length", "short", "detailed"),
    "length:long": ("response_length", "detailed", "short"),
    "formality:formal": ("formality", "formal", "casual"),
    "formality:casual": ("formality", "casual", "formal"),
}
_DIRECTIONS = {
    "short": "length:short", "detailed": "length:long", "formal": "formality:formal", "casual": "formality:casual",
    "none": "emoji:no", "minimal": "emoji:no", "moderate": "emoji:yes", "frequent": "emoji:yes",
}  # fmt: skip
_FORMS = ("formality:formal", "formality:casual")  # their words are seldom about anything else
_WORDS = {
    "short": re.compile(
        r"\b(?:short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|succinct(?:ly)?|terse|crisp|kurz\w*|kürzer\w*|knapp\w*"
        r"|breves?|cort[oa]s?|concis[oae]*s?|escuet[oa]s?|brèves?|bref|courte?s?|succinte?s?|brevi|sintetic\w+)\b",
        re.IGNORECASE,
    ),
    "detailed": re.compile(
        r"\b(?:detail(?:s|ed)?|thorough\w*|in[- ]depth|long(?:er|-winded)?|comprehensive|verbose|wordy|elaborate"
        r"|ausführlich\w*|lang|lange[nrs]?|länger\w*|largos?|largas?|detallad[oa]s?|extens[oa]s?|longue?s?|détaillée?s?"
        r"|lung(?:o|a|hi|he)|dettagliat[oaie]|prolisso)\b",
        re.IGNORECASE,
    ),
    "formal": re.compile(
        r"\b(?:formal(?:ly|es|e|i)?|professional|businesslike|förmlich\w*|formell\w*|formelle?s?|steif\w*|stiff)\b",
        re.IGNORECASE,
    ),
    "casual": re.compile(
        r"\b(?:informal\w*|casual(?:ly)?|laid[- ]back|relaxed|locker\w*|lässig\w*|relajad[oa]|informel\w*|décontracté"
        r"|rilassat[oa])\b",
        re.IGNORECASE,
    ),
}
_LANGUAGES = {
    "English": "english|englisch|ingl[eé]s|anglais|inglese",
    "German": "german|deutsch|alem[aá]n|allemand|tedesco",
    "French": "french|französisch|franc[eé]s|français|francese",
    "Spanish": "spanish|spanisch|español|castellano|espagnol|spagnolo",
    "Italian": "italian|italienisch|italiano|italien",
    "Portuguese": "portuguese|portugiesisch|portugu[eé]s|portugais|portoghese",
    "Dutch": "dutch|niederländisch|holländisch|neerland[eé]s|holand[eé]s|néerlandais|olandese",
    "Catalan": "catalan|katalanisch|catalán|català|catalano",
    "Polish": "polish|polnisch|polaco|polonais|polacco",
    "Russian": "russian|russisch|ruso|russe|russo",
    "Ukrainian": "ukrainian|ukrainisch|ucraniano|ukrainien|ucraino",
    "Turkish": "turkish|türkisch|turco|turc",
    "Arabic": "arabic|arabisch|[aá]rabe|arabo",
    "Chinese": "chinese|mandarin|chinesisch|chino|chinois|cinese",
    "Japanese": "japanese|japanisch|japon[eé]s|japonais|giapponese",
    "Korean": "korean|koreanisch|coreano|coréen",
    "Swedish": "swedish|schwedisch|sueco|suédois|svedese",
    "Danish": "danish|dänisch|danés|danois|danese",
    "Norwegian": "norwegian|norwegisch|noruego|norvégien|norvegese",
    "Finnish": "finnish|finnisch|finlandés|finnois|finlandese",
    "Czech": "czech|tschechisch|checo|tchèque|ceco",
    "Greek": "greek|griechisch|griego|grec|greco",
    "Hungarian": "hungarian|ungarisch|húngaro|hongrois|ungherese",
    "Romanian": "romanian|rumänisch|rumano|roumain|romeno|rumeno",
    "Hebrew": "hebrew|hebräisch|hebreo|hébreu|ebraico",
    "Hindi": "hindi",
    "Latin": "latin|latein|latín|latino",
}
LANGUAGE = re.compile(
    "|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _LANGUAGES.items()), re.IGNORECASE
)
_ALLOWS_LENGTH = re.compile(
    r"\byou (?:can|may|could)(?: \w+){0,2}? (?:waffle|ramble|chat away|go on|talk|write|say|explain)"
    r"(?: on| away)?(?: (?:a (?:bit|little)|at))? ?(?:more|again|length|longer|now)\b"
    r"|\bdu (?:darfst|kannst)(?: \w+){0,3}? (?:ausholen|quatschen|plaudern|schwafeln|mehr schreiben)\b"
    r"|\b(?:puedes|podés) (?:\w+ )?(?:enrollarte|extenderte|explayarte)\b"
    r"|\btu peux (?:\w+ )?(?:développer|t['’]étendre)\b"
    r"|\bpuoi (?:\w+ )?(?:dilungarti|allargarti)\b",
    re.IGNORECASE,
)
# Little words of a request. With anything else between "answer" and "in German", the answers aren't meant.
_LITTLE = (
    r"(?:to|with|me|back|only|always|just|please|from|now|on|a bit|a little|a lot|more|much|very|really|also|mir|mit|zu"
    r"|uns|nur|immer|noch|bitte|ab|jetzt|heute|sofort|von nun an|in|zukunft|künftig|einfach|etwas|ein bisschen|mehr"
    r"|viel|sehr|solo|siempre|conmigo|ya|por|favor|más|un|poco|mucho|muy|moi|désormais|toujours|seulement|stp|svp|plus|peu"
    r"|très|sempre|soltanto|con|per|favore|più|molto)"
)
_END = (
    r"(?=[\"'”“»‘]?\s*(?:[,.;!?]|$|\b(?:please|pls|from now on|now|with me|to me|bitte|ab jetzt|zu mir|por favor"
    r"|desde ahora|a partir|conmigo|stp|svp|désormais|à partir|avec moi|per favore|d['’]ora in poi|con me)\b))"
)
_PAUSE = re.compile(r"[,;:]\s")
_OPENING = re.compile(
    r"(?:[^\W\d_]+(?: [^\W\d_]+)?[,;:] )*"
    r"(?:(?:a partir de|desde|de) (?:ahora|hoy)(?: en adelante)?,? |d['’]ora in (?:poi|avanti),? |dorénavant,? "
    r"|(?:à partir de|dès) (?:maintenant|aujourd['’]hui),? |(?:da|a partire da) (?:ora|oggi|adesso)(?: in poi)?,? )?"
    rf"(?:(?:hey|hi|ok|so|and|maybe|und|y|et|e|can you|could you|kannst du|{_LITTLE})[,:]? )*",
    re.IGNORECASE,
)
_SPEAK = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|write|chat|switch|stick|antwort|schreib|sprich|sprech|red|wechs|cont[eé]st|h[aá]bl"
    rf"|escr[ií]b|r[eé]pond|parl|écri|rispond|scriv)\w*(?:-moi)?(?:,? {_LITTLE})*,? (?:in|auf|en|to|au|all['’])? ?$",
    re.IGNORECASE,
)
# „… auf Deutsch antworten“: the infinitive comes last.
_SPEAK_LAST = re.compile(
    r"\s+(?:bitte )?(?:zu )?(?:antwort|schreib|sprech|red|unterhalt|kommunizier)\w*", re.IGNORECASE
)
_NAME = (
    r"[\"'“„«‚]?(?P<name>(?-i:[A-ZÀ-Þ])[\w'’.-]{0,24}(?: (?-i:[A-ZÀ-Þ0-9])[\w'’.-]{0,24}){0,3}"
    rf"|[^\W\d_][\w'’-]{{1,24}}{_END})"
)
_NOBODY = re.compile(
    r"(?:me|it|that|this|them|him|her|us|you\w*|what|an?|the|later|back|to\w+|now|again|soon|when|if|out|names"
    r"|something|maybe|by|as|so|not|always|never|mor[gn]\w*|später|heute|nachher|wieder|mich|dich|sie|ihn|anders|wie|mañana|luego"
    r"|ahora|cuando|así|demain|quand|plus|tard|comme|domani|dopo|quando|subito|come)\b",
    re.IGNORECASE,
)
_YOURSELF = re.compile(
    r"(?:\b(?:call|name|rename) yourself|\byour (?:new )?name (?:is|shall be|will be|should be)(?: now)?"
    r"|\b(?:let me|i(?:['’]ll| will| want to|['’]d like to)|(?:can|could|may) (?:i|we)|let['’]s) call you"
    r"|\byou(?:['’]re| are) (?:now )?(?:called|named)|\bnenne? dich|\bdu heißt|\bdein (?:neuer )?name ist"
    r"|\bich nenne? dich|\bll[aá]mate|\bte llamas|\btu (?:nuevo )?nombre es|\bte (?:llamaré|voy a llamar)"
    r"|\bappelle[- ]toi|\btu t['’]appelles|\bton (?:nouveau )?nom (?:est|sera)"
    r"|\bje (?:t['’]appellerai|vais t['’]appeler)"
    rf"|\bchiamati|\bti chiami|\bil tuo (?:nuovo )?nome (?:è|sarà)|\bti chiamerò)(?: {_LITTLE})* {_NAME}",
    re.IGNORECASE,
)
_ME = re.compile(
    r"(?:\b(?:call me|address me as|refer to me as|nenne? mich|nennt mich|nennen sie mich|sprich mich)|\bll[aá]m[ae]me"
    r"|\bme llames|\bllamarme|\bappell?e[sz]?[- ]moi|\bm['’]appeler|\bchiam(?:a|i|ate)mi|\bmi chiami|\bchiamarmi)"
    rf"(?: {_LITTLE})* {_NAME}",
    re.IGNORECASE,
)
_BECOME = re.compile(
    r"(?:\byou(?:['’]re| are) (?:now|from now on)|\b(?:from now on|now),? you(?:['’]re| are)"
    r"|\bdu bist (?:ab )?(?:jetzt|sofort)|\b(?:ahora|desde ahora) eres|\beres ahora|\btu es (?:maintenant|désormais)"
    r"|\b(?:ora|adesso) sei|\bsei (?:ora|adesso)|^(?:please |bitte )?(?:be|become|sei|sé|sois|sii)"
    r"|\b(?:act|behave|talk|speak) (?:as|like)|\bpretend to be"
    r"|\bact[uú]a como|\bagis comme|\bcomportati come) (?:(?P<mine>my|mein(?:e|en)?|mi|mon|ma|(?:il )?mio|(?:la )?mia)"
    rf"|an?|ein(?:e|en)?|une?|una) (?P<what>[^\W\d_][\w'’ -]{{1,60}}?){_END}",
    re.IGNORECASE,
)
_BE = re.compile(
    rf"\b(?:be|sound|sei|klinge?|sé|seas|suena|sois|sii|sia)\b(?: {_LITTLE})* (?P<how>[^\W\d_]{{3,20}}){_END}",
    re.IGNORECASE,
)


def allows_length(text: str) -> bool:
    """Whether a text lets somebody say more, by the verbs of it: "you can ramble again", „du darfst ruhig ausholen“."""
    return _ALLOWS_LENGTH.search(text) is not None and _NOT.search(text) is None


def is_negated(text: str) -> bool:
    """Whether a sentence declines something; what exactly, its words don't say for sure."""
    return bool(_NOT.search(text) or _LESS.search(text))


def likely_slots(slots: Mapping[str, float]) -> list[str]:
    """What a wish is about, the likeliest first: one thing, or two; "length" alone where either way may be meant."""
    first, *others = sorted(SLOTS, key=lambda slot: -slots.get(slot, 0.0))
    second = next(slot for slot in others if topic(slot) != topic(first))
    found = [first, second] if share_of(slots, topic(second)) >= SECOND else [first]
    return [topic(slot) if _is_either(slots, slot) else slot for slot in found]


def clear_slot(slots: Mapping[str, float]) -> str:
    """What a wish is about beyond doubt, or empty."""
    about = topic(likely_slots(slots)[0])
    return about if share_of(slots, about) >= CLEAR else ""


def main_slot(slots: Mapping[str, float]) -> str:
    """The question a wish answers; of two that it is about, the one of which one answer holds."""
    about = [topic(slot) for slot in likely_slots(slots)]
    return next((name for name in about if name in SINGLE), about[0])


def direction(value: str) -> str:
    """The slot that a value speaks for, as `length:short`; empty for one without an opposite."""
    return _DIRECTIONS.get(value, "")


def goes_against(slots: Mapping[str, float], way: str) -> bool:
    """Whether a wish is about the same as `way` and rather for its opposite."""
    ways = {name: slots.get(name, 0.0) for name in SLOTS if ":" in name and topic(name) == topic(way)}
    if not way or share_of(slots, topic(way)) < TOUCHED:
        return False
    return max(ways.values()) >= PLAINLY * ways[way]


def share_of(slots: Mapping[str, float], about: str) -> float:
    """Of what speaks for any of a wish's slots, the share of one matter."""
    whole = sum(slots.get(slot, 0.0) for slot in SLOTS) or 1.0
    return sum(slots.get(slot, 0.0) for slot in SLOTS if topic(slot) == about) / whole


def _is_either(slots: Mapping[str, float], slot: str) -> bool:
    """Whether the opposite of a way is nearly as likely: meanings are near where only the direction differs."""
    chances = [slots.get(way, 0.0) for way in _WAYS if topic(way) == topic(slot)]
    return slot in _WAYS and min(chances) >= NEARLY * max(chances)


def topic(slot: str) -> str:
    """`length:short` and `length:long` answer one question."""
    return slot.partition(":")[0]


def read_names(text: str) -> list[FieldRequest]:
    """A name for the agent, or how the person is to be addressed, which is no name of theirs.

    The sentence begins with it: it can hardly mean anything else then, and no condition leads up to it.
    """
    for pattern, field, lead in ((_YOURSELF, "name", ""), (_ME, "rules", ADDRESS)):
        found = pattern.search(text)
        if found is None or not _OPENING.fullmatch(text[: found.start()]):
            continue
        if not _NOT.search(_PAUSE.split(text[: found.end()])[-1]) and (name := _called(found)):
            return [FieldRequest(field, f"{lead}{name}")]
    return []


def read_values(text: str, slot: str) -> list[FieldRequest]:
    """What a wish about `slot` sets for certain; nothing where its sentence says more, or less, than a value."""
    if language := list(_language(text)):
        return language
    if topic(slot) == "emoji":
        return list(_emojis(text, slot))
    either = [way for way in _WAYS if slot in (way, topic(way))]
    if found := [one for way in either for one in _way(text, way)]:
        return found
    if topic(slot) in ("length", "tone", "other") and (
        ways := [one for way in _FORMS for one in _way(text, way)]
    ):
        return ways if len(ways) == 1 else []
    return list(_manner(text)) if slot in ("tone", "other", "address") else []


def _called(match: re.Match[str]) -> str:
    name = match["name"][:NAME_CHARS].strip(" ,;:.!?-'’")
    return "" if not name or _NOBODY.match(name) else name[0].upper() + name[1:]


def _language(text: str) -> Iterator[FieldRequest]:
    found = list(LANGUAGE.finditer(text))
    if len(found) != 1 or is_negated(text):
        return
    before, behind = text[: found[0].start()], text[found[0].end() :]
    last = _SPEAK_LAST.match(behind) and before.lower().endswith((" auf ", " in "))
    if _SPEAK.search(before) or last:
        yield FieldRequest("language", str(found[0].lastgroup))


def _emojis(text: str, slot: str) -> Iterator[FieldRequest]:
    if not _EMOJI.search(text):
        return
    if slot == "emoji:no":
        if _LESS.search(text):
            yield FieldRequest("emoji_usage", "minimal")
        elif _NOT.search(text):
            yield FieldRequest("emoji_usage", "none")
    elif not is_negated(text):
        sign = _SIGN.search(text)
        usage = FieldRequest("emoji_usage", "frequent" if _MORE.search(text) else "moderate")
        yield FieldRequest("emoji", sign.group()) if sign else usage


def _way(text: str, slot: str) -> Iterator[FieldRequest]:
    """The wanted word plainly said, or the unwanted one declined; both at once, or the wanted declined, say nothing.

    Nor does a word in a complaint ("too long", "more detail than I need").
    """
    if _EXCESS.search(text) and not is_negated(text):
        return
    field, wanted, unwanted = _WAYS[slot]
    says, declines = bool(_WORDS[wanted].search(text)), bool(_WORDS[unwanted].search(text))
    if says != declines and declines == is_negated(_up_to_pause(text, _WORDS[wanted if says else unwanted])):
        yield FieldRequest(field, wanted)


def _up_to_pause(text: str, word: re.Pattern[str]) -> str:
    """To the end of the clause that has the word: „… kürzer, weiß nicht“ declines nothing."""
    last = [found.end() for found in word.finditer(text)][-1]
    pause = _PAUSE.search(text, last)
    return text[: pause.start()] if pause else text


def _manner(text: str) -> Iterator[FieldRequest]:
    """A part to play, or the one word after "be more": in the person's own words."""
    if is_negated(text):
        return
    if part := _BECOME.search(text):
        what = part["what"].strip(" ,;:.!?-'’")
        if len(what.split()) <= PART_WORDS:
            yield FieldRequest("role", f"their {what}") if part["mine"] else FieldRequest("creature", what)
    elif how := _BE.search(text):
        yield FieldRequest("voice_style", how["how"].lower())
