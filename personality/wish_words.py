"""The words from which wishes are made, as pieces of patterns. English, and the plainest German."""

from __future__ import annotations

import re

from nebo.llm.rules.wordlists import words


def any_of(*patterns: str) -> str:
    """One group of alternatives."""
    return f"(?:{'|'.join(patterns)})"


LASTING = any_of(
    r"from (?:now|here|today|this (?:point|moment)) on(?:wards?)?", "going forward", "in (?:the )?future",
    "henceforth", "from now", "ab (?:jetzt|sofort|heute)", "von nun an", "in zukunft", "künftig",
)  # fmt: skip
_COURTESY = any_of(
    "please", "pls", "kindly", "just", "simply", "also", "maybe", "perhaps", "possibly", "bitte", "mal", LASTING,
    "(?:can|could|would|will) you", "(?:you|du) (?:should|can|may|could|must|have to|need to|will|sollst|kannst)",
    r"I(?:['’]d| would| want| need)(?: (?:really|rather|much))?(?: (?:like|love|prefer))?(?: for)? you to",
    r"I(?:['’]d| would) (?:like|love|prefer|appreciate) it if you(?: would|['’]d)?",
    "try to", "make sure to", "remember to", "feel free to", "go ahead and", "let['’]s have you", "kannst du",
    "könntest du",
)  # fmt: skip
_COURTESIES = rf"(?:{_COURTESY}[,:]?\s+)*"
# Where a request begins: at the clause's start, or behind a comma or an "and".
GO = rf"(?:^|[,;:–-]\s*|\b(?:and|but|then|or|und|aber)\s+){_COURTESIES}"
ALONE = rf"(?:^|[;:]\s*){_COURTESIES}"  # where no other clause leads up to it
LATER = rf"(?:^|[,;:]\s*){LASTING}[,:]? "
END = rf"(?=\s*(?:[,;.!?]|$|\b(?:please|pls|bitte|and|but|now|again|too)\b|{LASTING}))"

ANSWERS = (
    r"(?:(?:your|all|all your|the|my|deine|die) )?"
    r"(?:answers?|repl(?:y|ies)|responses?|messages|explanations|texts|antworten)"
)
IT = any_of("it", "things", "this", "that", "everything")
MORE = (
    r"(?:(?:a (?:bit|little|lot)|much|more|very|really|super|quite|extra|always|as|nice and"
    r"|etwas|viel|mehr|sehr) )*"
)
SHORT = any_of(
    "short(?:er)?", "brief(?:er)?", "concise", "succinct", "terse", "to the point", "snappy", "crisp", "compact",
    "kurz", "kürzer", "knapp(?:er)?",
)  # fmt: skip
LONG = any_of(
    "detailed", "thorough", "in[- ]depth", "long(?:er)?", "comprehensive", "verbose", "extensive", "elaborate",
    "ausführlich(?:er)?", "länger",
)  # fmt: skip
TONES = any_of(
    "friendly", "friendlier", "direct", "blunt", "honest", "warm(?:er)?", "polite", "playful", "funny", "funnier",
    "humorous", "witty", "serious", "patient", "kind(?:er)?", "gentle", "gentler", "encouraging", "critical",
    "sarcastic", "relaxed", "chatty", "neutral", "objective", "supportive", "empathetic", "straightforward",
    "enthusiastic", "cheerful", "conversational", "calm(?:er)?", "upbeat", "dry", "freundlich(?:er)?",
    "direkt(?:er)?",
)  # fmt: skip
FORMAL = any_of("formal", "professional", "businesslike", "förmlich(?:er)?", "formell(?:er)?")
CASUAL = any_of("informal", "casual", "laid[- ]back", "locker(?:er)?", "lässig(?:er)?")
EMOJIS = any_of("emojis?", "emoticons?", "smileys?")
NO = any_of(
    r"no(?: more)?", "stop(?: using| with(?: the)?)?", "don['’]?t use", "do not use", "never use", "without",
    "skip", "drop", "leave out", "quit(?: using)?", "avoid", "keine?", "ohne", "verzichte auf",
)  # fmt: skip
LESS = any_of("fewer", "less", "not so many", "weniger")
SOUND = any_of("be", "sound", "sei", "act", "get", "become", "write", "talk", "speak")

_PARTICLE = "(?:(?:von|van|de|der|da|la|le|of|the) ){0,2}"  # between the words of a name
PROPER = (
    r"(?P<name>(?-i:[A-ZÄÖÜ][\w'’.-]{0,24}"
    rf"(?: {_PARTICLE}[A-ZÄÖÜ0-9][\w'’.-]{{0,24}}){{0,3}}))"
)
NAME = PROPER[:-1] + r"|[^\W\d_][\w'’-]{1,24})"
A_PART = r"(?P<article>an?|the|my|mein(?:e|en)?|ein(?:e|en)?) (?P<what>[^\W\d_][\w'’ -]{1,78}?)"
A_PART_TOO = A_PART.replace("article", "article2").replace("what", "what2")  # in the same pattern
AN_EMOJI = r"(?P<emoji>[\U0001F300-\U0001FAFF\u2600-\u27BF])"
LANGUAGES = {
    "english": "English", "englisch": "English", "german": "German", "deutsch": "German", "french": "French",
    "französisch": "French", "spanish": "Spanish", "spanisch": "Spanish", "italian": "Italian",
    "italienisch": "Italian", "portuguese": "Portuguese", "dutch": "Dutch", "japanese": "Japanese",
    "chinese": "Chinese", "mandarin": "Chinese", "korean": "Korean", "turkish": "Turkish", "türkisch": "Turkish",
    "arabic": "Arabic", "arabisch": "Arabic", "polish": "Polish", "polnisch": "Polish", "russian": "Russian",
    "russisch": "Russian", "ukrainian": "Ukrainian", "swedish": "Swedish", "danish": "Danish",
    "norwegian": "Norwegian", "finnish": "Finnish", "czech": "Czech", "greek": "Greek", "hindi": "Hindi",
    "hebrew": "Hebrew", "latin": "Latin", "romanian": "Romanian", "hungarian": "Hungarian",
    "vietnamese": "Vietnamese", "thai": "Thai", "catalan": "Catalan", "esperanto": "Esperanto",
}  # fmt: skip
LANGUAGE = rf"(?P<language>{'|'.join(LANGUAGES)})"
VERBS = any_of(
    "answer", "reply", "respond", "use", "write", "include", "start", "begin", "end", "finish", "ask", "give me",
    "format", "cite", "show", "explain", "speak", "talk", "add", "avoid", "check", "sign", "send", "mention", "keep",
    "put", "quote", "provide", "suggest", "address", "refer", "call me", "spell", "summari[sz]e", "translate",
    "greet", "remind", "round", "convert", "assume", "apologi[sz]e", "interrupt", "lecture", "repeat", "tell me",
    "open", "close", "bring up", "joke", "sugar-?coat",
)  # fmt: skip
IT_WAS = any_of(
    r"(?:that|this|it|das)(?:['’]s| is| was| seems| feels| felt| war| ist)?",
    r"your (?:last )?(?:answers?|repl(?:y|ies)|messages?|responses?) (?:is|are|was|were|get)",
)
RATHER = (
    r"(?: (?:a bit|a little|a tad|way|far|much|really|quite|rather|kind of|pretty|still|always"
    r"|etwas|ein bisschen|ganz schön))*"
)

NO_NAMES = words(
    "me it that this them him her us you yourself what a an the crazy later back tomorrow today tonight now again "
    "soon when if out names something someone anything whatever whenever maybe by as so very not always never sure "
    "right monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december mich sie ihn"
)
ROLES = re.compile(
    r"\b(?:coach|tutor|teacher|mentor|trainer|assistant|secretary|editor|translator|advisor|adviser|consultant|guide"
    r"|partner|colleague|companion|friend|buddy|therapist|counsellor|counselor|doctor|nurse|lawyer|librarian|chef"
    r"|cook|expert|reviewer|interviewer|accountant|planner|manager|recruiter|critic|designer|engineer|programmer"
    r"|scientist|writer|journalist)s?$",
    re.IGNORECASE,
)
NO_PARTS = re.compile(
    r"\b(?:bit|lot|little|more|less|help|lifesaver|life saver|genius|star|liar|fan|great|good|bad|best|real|big|huge"
    r"|joke|problem|reason|one|thing|person|human|machine|computer|bot|ai|llm|language model|able|allowed|free)\b",
    re.IGNORECASE,
)
# What is asked for one answer is no wish about the agent.
UNLASTING = re.compile(
    r"\b(?:just (?:this )?once|this (?:one|time)|for (?:now|this|that|today|the (?:next|following))|only today|once"
    r"|this (?:answer|reply|response|question|email|letter|text|message|post|essay|paragraph|summary|poem|story)"
    r"|the (?:email|letter|text|post|essay|paragraph|poem|story|report|tweet|caption)|diesmal|nur heute)\b",
    re.IGNORECASE,
)
